"""The hooks in agents' settings: what is written is exact, can be taken out, and touches nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity_client.hook.events import CLIENTS
from continuity_client.install.dialects import DIALECTS, groups
from continuity_client.install.plans import install_plan, is_our_plugin
from continuity_client.install.settings import parse, render, with_hooks, without_hooks
from continuity_client.terminal import CommandError
from tests.client.fake_server import FakeServer
from tests.client.machine import Machine

PLUGINS = Path(__file__).resolve().parents[2] / "client" / "plugins"
FOREIGN = {
    "model": "opus",
    "permissions": {"allow": ["Bash(ls:*)"]},
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done", "timeout": 3}]}],
        "PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "prettier"}]}],
    },
    "größe": 1.50,
}
FILES = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini-cli": ".gemini/settings.json",
    "cursor": ".cursor/hooks.json",
    "vscode": ".copilot/hooks/continuity.json",
    "opencode": ".config/opencode/plugins/continuity.ts",
}


@pytest.fixture
def computer(machine: Machine) -> Machine:
    """A machine where the command is on the PATH."""
    folder = machine.folder / "bin"
    folder.mkdir()
    (folder / "continuity").write_text("#!/bin/sh\n")
    (folder / "continuity").chmod(0o755)
    return machine


def run(machine: Machine, *arguments: str) -> Any:
    return machine.run(*arguments)


def written(machine: Machine, client: str) -> Path:
    return machine.folder / FILES[client]


@pytest.mark.parametrize("client", CLIENTS)
def test_installing_twice_changes_nothing_the_second_time(computer: Machine, client: str) -> None:
    first = computer.run("install", "--client", client, "--yes")
    assert first.returncode == 0, first.stderr
    content = written(computer, client).read_text()
    second = computer.run("install", "--client", client, "--yes")

    assert b"already" in second.stdout
    assert written(computer, client).read_text() == content
    assert str(computer.folder / "bin" / "continuity") in content


@pytest.mark.parametrize("client", ["claude-code", "codex", "gemini-cli", "cursor"])
@pytest.mark.parametrize("indent", [2, 4, "\t"])
def test_uninstalling_gives_the_file_back_byte_for_byte(computer: Machine, client: str, indent: int | str) -> None:
    file = written(computer, client)
    file.parent.mkdir(parents=True)
    head = {"version": 1} if client == "cursor" else {}
    before = json.dumps({**head, **FOREIGN}, indent=indent, ensure_ascii=False)
    file.write_text(before)
    assert computer.run("install", "--client", client, "--yes").returncode == 0
    installed = json.loads(file.read_text())
    assert computer.run("uninstall", "--client", client, "--yes").returncode == 0

    assert file.read_text() == before
    assert installed["permissions"] == FOREIGN["permissions"]
    assert installed["hooks"]["Stop"][0] == FOREIGN["hooks"]["Stop"][0]
    assert len(list(file.parent.glob("*.backup-*"))) >= 1


def test_a_dry_run_prints_the_exact_difference_and_writes_nothing(computer: Machine) -> None:
    file = written(computer, "claude-code")
    file.parent.mkdir()
    file.write_text('{\n  "model": "opus"\n}\n')

    done = computer.run("install", "--dry-run")

    lines = done.stdout.decode().splitlines()
    assert lines[:2] == [f"--- {file}", f"+++ {file}"]
    assert [line for line in lines[2:] if line.startswith("-")] == ['-  "model": "opus"']
    added = "\n".join(line[1:] for line in lines[2:] if line[:1] in "+ ")
    assert json.loads(added) == {
        "model": "opus",
        "hooks": {
            name: [entry] for name, entry in groups("claude-code", str(computer.folder / "bin/continuity")).items()
        },
    }
    assert file.read_text() == '{\n  "model": "opus"\n}\n'


def test_nobody_is_asked_without_a_terminal(computer: Machine) -> None:
    done = computer.run("install")

    assert done.returncode == 1
    assert b"--yes" in done.stderr
    assert not written(computer, "claude-code").exists()


@pytest.mark.parametrize(
    "content", ["// comment\n{}", '{"a": 1, "a": 2}', "[]", '{"hooks": []}', '{"hooks": {"Stop": 1}}']
)
def test_a_file_that_would_be_damaged_is_not_changed(computer: Machine, content: str) -> None:
    file = written(computer, "claude-code")
    file.parent.mkdir()
    file.write_text(content)

    done = computer.run("install", "--yes")

    assert done.returncode == 1
    assert b"not changed" in done.stderr
    assert file.read_text() == content


def test_a_linked_file_stays_a_link(computer: Machine) -> None:
    real = computer.folder / "dotfiles.json"
    real.write_text("{}\n")
    file = written(computer, "claude-code")
    file.parent.mkdir()
    file.symlink_to(real)

    computer.run("install", "--yes")

    assert file.is_symlink()
    assert "SessionStart" in real.read_text()


def test_an_older_version_of_our_hooks_is_replaced_in_its_place() -> None:
    old = {"hooks": [{"type": "command", "command": "/old/continuity hook stop", "timeout": 1}]}
    mixed = {"hooks": [*old["hooks"], {"type": "command", "command": "say done"}]}
    document = {
        "hooks": {"Stop": [old, {"hooks": [{"type": "command", "command": "say done"}]}], "SessionEnd": [mixed]}
    }

    hooks = with_hooks(document, groups("claude-code", "continuity"))["hooks"]

    assert hooks["Stop"] == [groups("claude-code", "continuity")["Stop"], document["hooks"]["Stop"][1]]
    assert hooks["SessionEnd"][0] == {"hooks": [{"type": "command", "command": "say done"}]}


def test_timeouts_are_in_the_unit_of_the_client() -> None:
    def timeouts(client: str) -> set[Any]:
        entries = groups(client, "continuity").values()
        return {handler.get("timeout") for entry in entries for handler in entry.get("hooks", [entry])}

    assert timeouts("claude-code") == timeouts("codex") == timeouts("vscode") == {5, 10}
    assert timeouts("gemini-cli") == {5_000, 10_000}
    assert timeouts("cursor") == {None}


_ENTRIES = st.lists(st.dictionaries(st.sampled_from(["matcher", "hooks", "command"]), st.text() | st.lists(st.text())))
_DOCUMENTS = st.dictionaries(st.text(), st.integers() | st.text() | st.none(), max_size=4).flatmap(
    lambda rest: st.dictionaries(st.sampled_from(["Stop", "SessionStart", "Other"]), _ENTRIES).map(
        lambda hooks: {**rest, "hooks": hooks}
    )
)


@given(_DOCUMENTS)
def test_no_foreign_entry_is_ever_touched(document: dict[str, Any]) -> None:
    installed = with_hooks(document, groups("claude-code", "continuity"))
    again = with_hooks(installed, groups("claude-code", "continuity"))
    removed = without_hooks(installed)

    assert installed == again
    left = {name: entries for name, entries in document["hooks"].items() if entries}
    assert removed == {
        **{name: value for name, value in document.items() if name != "hooks"},
        **({"hooks": left} if left else {}),
    }


@given(st.dictionaries(st.text(), st.floats(allow_nan=False, allow_infinity=False) | st.text() | st.integers()))
def test_a_document_is_written_as_it_was_read(document: dict[str, Any]) -> None:
    text = json.dumps(document, indent=2, ensure_ascii=False)

    assert render(parse(text, "file"), text) == text


def test_numbers_stay_as_they_were_written() -> None:
    text = '{\n  "a": 1.50,\n  "b": 1e5,\n  "c": -0.0\n}'

    assert render(parse(text, "file"), text) == text


def test_a_document_that_is_no_object_is_refused() -> None:
    with pytest.raises(CommandError):
        parse("3", "file")


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_the_plugin_has_the_hooks_that_the_installer_writes(client: str) -> None:
    hooks = json.loads((PLUGINS / client / "hooks" / "hooks.json").read_text())["hooks"]

    assert hooks == {name: [entry] for name, entry in groups(client, "continuity").items()}


def test_both_plugins_have_the_same_skill() -> None:
    skill = Path("skills", "continuity-memory", "SKILL.md")

    assert (PLUGINS / "claude-code" / skill).read_text() == (PLUGINS / "codex" / skill).read_text()


def test_the_settings_without_an_installation_post_every_event_but_the_start() -> None:
    hooks = json.loads((PLUGINS / "http" / "settings.json").read_text())["hooks"]

    assert hooks.keys() == groups("claude-code", "continuity").keys()
    kinds = {name: handler["type"] for name, (entry,) in hooks.items() for handler in entry["hooks"]}
    # Claude Code accepts no HTTP hook at the start.
    assert {name for name, kind in kinds.items() if kind != "http"} == {"SessionStart"}


def test_every_client_is_known() -> None:
    assert {*DIALECTS, "opencode"} == set(CLIENTS)


def test_a_foreign_hook_in_the_file_for_vs_code_stays(computer: Machine) -> None:
    file = written(computer, "vscode")
    file.parent.mkdir(parents=True)
    foreign = {"hooks": {"Stop": [{"type": "command", "command": "say done"}]}}
    file.write_text(json.dumps(foreign, indent=2) + "\n")
    before = file.read_text()

    assert b"no hooks of ours" in run(computer, "uninstall", "--client", "vscode", "--yes").stdout
    assert file.read_text() == before
    run(computer, "install", "--client", "vscode", "--yes")
    assert json.loads(file.read_text())["hooks"]["Stop"][0] == foreign["hooks"]["Stop"][0]
    run(computer, "uninstall", "--client", "vscode", "--yes")
    assert file.read_text() == before


@pytest.mark.parametrize("client", ["vscode", "opencode"])
def test_a_file_of_ours_alone_is_deleted(computer: Machine, client: str) -> None:
    run(computer, "install", "--client", client, "--yes")

    assert run(computer, "uninstall", "--client", client, "--yes").returncode == 0

    assert not written(computer, client).exists()
    assert run(computer, "uninstall", "--client", client, "--yes").returncode == 0


def test_a_plugin_of_another_version_is_removed_and_kept_as_a_backup(computer: Machine) -> None:
    run(computer, "install", "--client", "opencode", "--yes")
    file = written(computer, "opencode")
    other = file.read_text().replace("6_000", "4_000") + "// mine\n"
    file.write_text(other)

    done = run(computer, "uninstall", "--client", "opencode", "--yes")

    assert done.returncode == 0, done.stderr
    assert b"-// mine" in done.stdout
    assert not file.exists()
    assert [backup.read_text() for backup in file.parent.glob("*.backup-*")] == [other]


def test_installing_upgrades_a_plugin_of_another_version(computer: Machine) -> None:
    run(computer, "install", "--client", "opencode", "--yes")
    file = written(computer, "opencode")
    present = file.read_text()
    other = present.replace("6_000", "4_000")
    file.write_text(other)

    done = run(computer, "install", "--client", "opencode", "--yes")

    assert b"4_000" in done.stdout and b"6_000" in done.stdout
    assert file.read_text() == present
    assert [backup.read_text() for backup in file.parent.glob("*.backup-*")] == [other]


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_file_that_is_no_plugin_of_ours_is_left_as_it_is(computer: Machine, command: str) -> None:
    file = written(computer, "opencode")
    file.parent.mkdir(parents=True)
    file.write_text("export const Mine = async () => ({})\n")

    done = run(computer, command, "--client", "opencode", "--yes")

    assert done.returncode == 1 and b"not a plugin of ours" in done.stderr
    assert file.read_text() == "export const Mine = async () => ({})\n"


def test_the_plugin_has_the_line_by_which_it_is_recognized() -> None:
    assert is_our_plugin((PLUGINS / "opencode" / "continuity.ts").read_text())


def test_every_change_has_a_backup_of_its_own(computer: Machine) -> None:
    file = written(computer, "claude-code")
    file.parent.mkdir()
    file.write_text("{}\n")
    versions = {"{}\n"}

    for command in ("install", "uninstall", "install", "uninstall"):
        run(computer, command, "--yes")
        versions.add(file.read_text())

    backups = list(file.parent.glob("*.backup-*"))
    assert len(backups) == 4
    assert {backup.read_text() for backup in backups} == versions


def test_a_change_that_a_person_made_in_the_meantime_is_not_lost(
    computer: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(computer.folder))
    monkeypatch.setenv("PATH", computer.environment["PATH"])
    file = written(computer, "claude-code")
    file.parent.mkdir()
    file.write_text("{}\n")
    plan = install_plan("claude-code", "user")
    file.write_text('{"model": "opus"}\n')

    with pytest.raises(CommandError, match="changed in the meantime"):
        plan.write()

    assert file.read_text() == '{"model": "opus"}\n'
    file.unlink()
    with pytest.raises(CommandError, match="changed in the meantime"):
        plan.write()


def test_the_curl_at_the_start_prints_no_page_of_a_proxy(tmp_path: Path) -> None:
    (entry,) = json.loads((PLUGINS / "http" / "settings.json").read_text())["hooks"]["SessionStart"]
    server = FakeServer()
    server.mode = "error"
    command = entry["hooks"][0]["command"].replace("http://127.0.0.1:37777", server.url)

    shell = shutil.which("sh") or "/bin/sh"
    done = subprocess.run([shell, "-c", command], input=b"{}", capture_output=True, check=False, timeout=20)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert server.paths() == ["/api/hooks/claude-code"]
    server.stop()
