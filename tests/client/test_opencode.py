"""The OpenCode plugin in a real Node process: it forwards events in its dialect and adds what the command prints."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.client.fake_server import FakeServer
from tests.client.machine import Machine, eventually

PLUGIN = Path(__file__).resolve().parents[2] / "client" / "plugins" / "opencode" / "continuity.ts"
NODE = shutil.which("node")
# What OpenCode calls, in its order; the last line of the output is what the plugin added.
SCRIPT = """
import { Continuity } from "./plugin.mjs"
const plugin = await Continuity({ directory: "/work/app" })
const session = { sessionID: "ses_1" }
await plugin["chat.message"]({ ...session, messageID: "msg_1" }, { message: { id: "msg_1" }, parts: [
  { type: "text", text: "Fix the test." }, { type: "text", text: "a file", synthetic: true }] })
const system = { system: ["You are a coding agent."] }
await plugin["experimental.chat.system.transform"](session, system)
await plugin["tool.execute.after"]({ ...session, tool: "bash", callID: "call_1", args: { command: "ls" } },
  { title: "ls", output: "a.py" })
await plugin["experimental.text.complete"]({ ...session, messageID: "msg_2", partID: "prt_1" }, { text: "Done." })
// As the bus tells of the reply: its parent is the message that it answers.
await plugin.event({ event: { type: "message.updated", properties: {
  ...session, info: { id: "msg_2", sessionID: "ses_1", role: "assistant", parentID: "msg_1" } } } })
await plugin["chat.message"]({ ...session, messageID: "msg_5" }, { message: { id: "msg_5" }, parts: [
  { type: "text", text: "And the next one." }] })
const compacting = { context: [] }
await plugin["experimental.session.compacting"](session, compacting)
const child = { sessionID: "ses_2" }
await plugin.event({ event: { type: "session.created", properties: { info: { id: "ses_2", parentID: "ses_1" } } } })
await plugin["chat.message"]({ ...child, messageID: "msg_3" }, { message: { id: "msg_3" }, parts: [
  { type: "text", text: "A task of a subagent." }] })
await plugin["tool.execute.after"]({ ...child, tool: "bash", callID: "call_2" }, { title: "ls", output: "b.py" })
await plugin["experimental.text.complete"]({ ...child, messageID: "msg_4", partID: "prt_2" }, { text: "Found." })
await plugin["experimental.session.compacting"](child, { context: [] })
await plugin.event({ event: { type: "session.idle", properties: child } })
await plugin.event({ event: { type: "session.deleted", properties: { info: { id: "ses_2", parentID: "ses_1" } } } })
await plugin.event({ event: { type: "session.idle", properties: session } })
await plugin.event({ event: { type: "session.updated", properties: session } })
await plugin.event({ event: { type: "session.deleted", properties: { info: { id: "ses_1" } } } })
console.log(JSON.stringify([system.system, compacting.context]))
"""


def javascript(source: str) -> str:
    """The plugin without its types, which are few and simple."""
    typescript = Path(__file__).resolve().parents[2] / "frontend" / "node_modules" / "typescript"
    if not typescript.is_dir():
        pytest.skip("TypeScript is not installed.")
    script = (
        f"const ts = require({json.dumps(str(typescript))}); let text = '';"
        "process.stdin.on('data', (one) => (text += one)).on('end', () => process.stdout.write(ts.transpileModule(text,"
        "{ compilerOptions: { module: 'esnext', target: 'es2022' } }).outputText))"
    )
    assert NODE
    done = subprocess.run([NODE, "-e", script], input=source, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.skipif(NODE is None, reason="Node is not installed.")
def test_the_plugin_forwards_a_session_and_adds_what_is_known(paired: Machine, server: FakeServer) -> None:
    server.routes["POST /api/hooks/opencode"] = lambda body, headers: (200, _answered(server, body))
    command = json.dumps([sys.executable, "-m", "continuity_client"])
    source = PLUGIN.read_text().replace('["continuity"]', command)
    (paired.folder / "plugin.mjs").write_text(javascript(source))
    (paired.folder / "script.mjs").write_text(SCRIPT)

    assert NODE
    done = subprocess.run(
        [NODE, "script.mjs"],
        check=False,
        cwd=paired.folder,
        env=paired.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [["You are a coding agent.", "Known."], ["Known."]]
    assert eventually(lambda: len(server.events) == 8)
    events = {payload["hook_event_name"]: payload for payload in server.payloads}
    assert set(events) == {
        *("session.created", "chat.message", "experimental.session.compacting", "experimental.text.complete"),
        *("tool.execute.after", "session.idle", "session.deleted"),
    }
    assert all(re.match(r"\d{4}-\d\d-\d\dT", payload["timestamp"]) for payload in events.values())
    prompts = [one["output"]["parts"][0]["text"] for one in server.payloads if one["hook_event_name"] == "chat.message"]
    assert prompts == ["Fix the test.", "And the next one."]
    assert {payload["input"]["sessionID"] for payload in events.values()} == {"ses_1"}
    assert events["tool.execute.after"]["output"]["output"] == "a.py"


def _answered(server: FakeServer, payload: Any) -> dict[str, Any]:
    server.events.append({"id": "", "payload": payload})
    return {"context": ["Known."]}
