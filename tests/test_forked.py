"""A forked program is like one that `python` has started."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from config.stack.process import PYTHON, Program
from tests.forked import Forked
from tests.processes import eventually, fork_servers
from tests.stack import TestServers

SCRIPT = """
import json, os, sys, time
from django.conf import settings
state = [sys.argv, dict(os.environ), os.getsid(0), os.getppid(), settings.configured, __name__]
print(json.dumps(state), flush=True)
time.sleep(0 if sys.argv[1:] == ["now"] else 60)
sys.exit(3)
"""


def start(folder: Path, *arguments: str) -> tuple[Forked, Program]:
    script = folder / "script.py"
    script.write_text(SCRIPT)
    program = Program("script", [PYTHON, str(script), *arguments], folder / "log", {"OWN": "1"})
    return fork_servers.start(program), program


def test_a_forked_program_has_its_own_arguments_environment_session_and_no_settings(
    tmp_path: Path, stack: TestServers
) -> None:
    child, program = start(tmp_path, "now")
    assert child.wait() == 3
    state = json.loads(program.log.read_text())
    assert state == [program.argv[1:], {"OWN": "1"}, child.pid, os.getpid(), False, "__main__"]


def test_a_forked_program_can_be_killed(tmp_path: Path, stack: TestServers) -> None:
    child, program = start(tmp_path)
    assert eventually(lambda: program.log.exists() and program.log.read_text().endswith("\n"))
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
