"""`continuity doctor`: what works, what does not, and the next step for each."""

from __future__ import annotations

import json
import shutil
import sys

from tests.client.fake_server import OTHER_ID, FakeServer
from tests.client.machine import Machine
from tests.client.test_commands import ME


def install(paired: Machine) -> None:
    (paired.folder / "bin").mkdir()
    (paired.folder / "bin" / "continuity").write_text("#!/bin/sh\n")
    (paired.folder / "bin" / "continuity").chmod(0o755)
    paired.run("install", "--yes")


def test_the_doctor_finds_nothing_wrong(paired: Machine, server: FakeServer) -> None:
    server.routes["GET /api/me"] = lambda *_: (200, ME)
    shutil.copy(sys.executable, paired.folder)
    install(paired)

    checks = {check["name"]: check for check in paired.said("doctor")["checks"]}

    assert {check["state"] for check in checks.values()} == {"ok"}
    assert set(checks) == {"server", "key", "clock", "spool", "hooks", "log"}
    assert "claude-code (user, 10 events)" in checks["hooks"]["detail"]


def test_the_doctor_says_how_to_renew_hooks_that_an_earlier_version_installed(
    paired: Machine, server: FakeServer
) -> None:
    """In the background `claude -p` ends them before they have stored anything."""
    server.routes["GET /api/me"] = lambda *_: (200, ME)
    install(paired)
    settings = paired.folder / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace('"timeout": 5', '"timeout": 5, "async": true'))

    (hooks,) = (check for check in paired.said("doctor")["checks"] if check["name"] == "hooks")

    assert hooks["state"] == "warning"
    assert "continuity install --client claude-code --scope user" in hooks["step"]
    paired.run("install", "--yes")
    assert "async" not in settings.read_text()


def test_the_doctor_names_every_problem(paired: Machine, server: FakeServer) -> None:
    (paired.home / "spool").mkdir()
    (paired.home / "spool" / "00000000000000000001-2-x.json").write_text("{}")
    (paired.home / "refused").mkdir()
    (paired.home / "refused" / "one.json").write_text("{}")
    (paired.home / "spool-full").write_text("...")
    (paired.home / "client.log").write_text("2026-11-20 sender: something\n")
    (paired.folder / ".claude").mkdir()
    (paired.folder / ".claude" / "settings.json").write_text("{broken")
    server.server_id = OTHER_ID

    done = paired.run("doctor", "--json")

    found = {check["name"]: check["state"] for check in json.loads(done.stdout)["checks"]}
    assert found == {
        "server": "problem",
        "spool": "warning",
        "refused": "warning",
        "full": "problem",
        "hooks": "warning",
        "log": "warning",
    }
    assert done.returncode == 1
    assert b"3 events not stored" in done.stdout


def test_the_doctor_without_a_server_names_the_next_step(machine: Machine) -> None:
    done = machine.run("doctor")

    assert done.returncode == 1
    assert b"continuity login" in done.stdout and b"continuity install" in done.stdout


def test_the_doctor_is_content_with_hooks_that_another_environment_installed(
    paired: Machine, server: FakeServer
) -> None:
    server.routes["GET /api/me"] = lambda *_: (200, ME)
    install(paired)
    settings = paired.folder / ".claude" / "settings.json"
    settings.write_text(settings.read_text().replace(str(paired.folder / "bin"), "/opt/other/bin"))

    (hooks,) = (check for check in paired.said("doctor")["checks"] if check["name"] == "hooks")

    assert hooks["state"] == "ok"
