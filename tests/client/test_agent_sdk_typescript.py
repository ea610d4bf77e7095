"""The TypeScript session store of the Agent SDK, in a real Node process: the SDK's contract, and a session's events."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from continuity_client.transcripts_folder import TranscriptsFolder
from tests.client.agent_sdk_session import ENTRIES, EVENTS, said
from tests.client.fake_server import FakeServer
from tests.client.machine import Machine, eventually

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, MODULES = ROOT / "client" / "typescript", ROOT / "frontend" / "node_modules"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(
    NODE is None or not (MODULES / "typescript").is_dir(), reason="Node or TypeScript is not installed."
)
CONTRACT = """
const key = { projectKey: "../pro'j", sessionId: "se.ss" }
const sub = { ...key, subpath: "subagents/agent-1" }
const said = []
said.push(await store.load(key))
await Promise.all([store.append(key, [{ type: "x", uuid: "a", n: { "ö": [1.5, null] } }, { type: "x" }]),
  store.append(key, [{ type: "x", uuid: "a" }, { type: "x" }, { type: "x", uuid: "b" }])])
await store.append(key, [])
await store.append(sub, [{ type: "x", uuid: "s" }])
said.push(await store.load(key), await store.load(sub), await store.listSubkeys(key))
said.push((await store.listSessions(key.projectKey)).map((one) => [one.sessionId, Number.isInteger(one.mtime)]))
said.push(await store.listSessions("never"))
await store.delete(sub)
said.push(await store.load(sub), (await store.load(key)).length)
if (process.argv[2] === "delete") await store.delete(key)
await store.delete({ ...key, sessionId: "never" })
said.push(await store.load(key))
console.log(JSON.stringify(said))
"""
SUBAGENT = [said("user", "s1", "A task of a subagent")]
SESSION = f"""
const key = {{ projectKey: "proj", sessionId: "sess" }}
const entries = {json.dumps(ENTRIES)}
await store.append(key, entries)
await store.append(key, entries)
await store.append({{ ...key, subpath: "subagents/agent-1" }}, {json.dumps(SUBAGENT)})
"""
CUT = """
import { appendFileSync, truncateSync, statSync } from "node:fs"
const key = { projectKey: "proj", sessionId: "sess" }
const main = { ...key, subpath: "" }
const [file] = process.argv.slice(2)
await store.append(key, [{ type: "x", uuid: "a" }])
appendFileSync(file, Buffer.from('{"type": "x", "uuid": "ö').subarray(0, -1))
await store.append(key, [{ type: "x", uuid: "b" }])
truncateSync(file, statSync(file).size - 1)
await store.append(main, [{ type: "x", uuid: "c" }])
console.log(JSON.stringify([await store.load(key), await store.load(main), await store.listSubkeys(key)]))
await store.delete(main)
console.log(await store.load(key))
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, compiled as its `npm run build` does."""
    folder = tmp_path_factory.mktemp("sdk")
    (folder / "package.json").write_text('{"type": "module"}')
    types = ["--typeRoots", MODULES / "@types", "--outDir", folder / "dist"]
    assert NODE
    subprocess.run([NODE, MODULES / "typescript" / "bin" / "tsc", "-p", PACKAGE, *types], check=True)
    return folder


def run(compiled: Path, machine: Machine, script: str, *arguments: str) -> str:
    options = {"folder": str(machine.folder / "transcripts"), "cwd": "/work/app"}
    options |= {"command": [sys.executable, "-m", "continuity_client"]}
    head = 'import { ContinuitySessionStore } from "./dist/index.js"\n'
    head += f"const store = new ContinuitySessionStore({json.dumps(options)})\n"
    (compiled / "script.js").write_text(head + script)
    assert NODE
    argv = [NODE, str(compiled / "script.js"), *arguments]
    done = subprocess.run(argv, env=machine.environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_store_meets_the_contract_of_the_sdk(compiled: Path, machine: Machine) -> None:
    said: list[Any] = json.loads(run(compiled, machine, CONTRACT, "delete"))

    entries = [
        {"type": "x", "uuid": "a", "n": {"ö": [1.5, None]}},
        {"type": "x"},
        {"type": "x"},
        {"type": "x", "uuid": "b"},
    ]
    subagent = [{"type": "x", "uuid": "s"}]
    assert said == [None, entries, subagent, ["subagents/agent-1"], [["se.ss", True]], [], None, 4, None]


def test_both_languages_read_the_same_transcripts(compiled: Path, machine: Machine) -> None:
    run(compiled, machine, CONTRACT)
    key = {"project_key": "../pro'j", "session_id": "se.ss"}
    read = TranscriptsFolder(str(machine.folder / "transcripts")).load(key)

    assert read is not None
    assert [entry.get("uuid") for entry in read] == ["a", None, None, "b"]


def test_a_session_arrives_at_the_server_as_events(compiled: Path, paired: Machine, server: FakeServer) -> None:
    run(compiled, paired, SESSION)

    assert eventually(lambda: len(server.events) == len(EVENTS))
    assert server.payloads == EVENTS


def test_a_line_that_a_crash_cut_harms_no_other(compiled: Path, machine: Machine) -> None:
    file = machine.folder / "transcripts" / "proj" / "sess" / "main.jsonl"
    loaded, after = run(compiled, machine, CUT, str(file)).splitlines()

    entries = [{"type": "x", "uuid": name} for name in "abc"]
    assert json.loads(loaded) == [entries, entries, []]
    assert after == "null"


def test_a_missing_command_harms_no_session(compiled: Path, machine: Machine) -> None:
    script = SESSION.replace("const key", 'store.command[0] = "/nowhere/continuity"\nconst key', 1)
    run(compiled, machine, script + "console.log((await store.load(key)).length)")
