"""Children of the stack: restarted with back-off, stopped with their descendants, ended with their parent."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config.stack.errors import StackError, StopRequested
from config.stack.process import ROOT, STOP, Program, launch, poll, run_once, stop_all, wait_until
from config.stack.processes import descendants, identify, is_alive, memory_mb, naming
from config.stack.supervisor import LONGEST_PAUSE, Child, last_json_line


def shell(folder: Path, script: str) -> Program:
    return Program("shell", ["/bin/sh", "-c", script], folder / "shell.log", {"PATH": "/usr/bin:/bin"})


def test_a_program_that_fails_shows_the_end_of_its_log(tmp_path: Path) -> None:
    with pytest.raises(StackError, match=r"exit code 3.*\nshell \| no luck"):
        run_once(shell(tmp_path, "echo no luck; exit 3"))


def test_standard_output_can_be_separated_from_the_log(tmp_path: Path) -> None:
    run_once(shell(tmp_path, "echo result; echo note >&2"), tmp_path / "out")
    assert (tmp_path / "out").read_text() == "result\n"
    assert (tmp_path / "shell.log").read_text() == "note\n"


def test_a_crashing_child_is_restarted_with_back_off(tmp_path: Path) -> None:
    child = Child(shell(tmp_path, "exit 1"), launch(shell(tmp_path, "exit 1")))
    pauses = []
    for _ in range(8):
        child.process.wait()
        assert child.has_died()
        child.schedule_restart()
        assert child.restart_at is not None
        pauses.append(round(child.restart_at - child.since, 1))
        assert not child.restart_when_due()
        child.restart_at = 0
        assert child.restart_when_due()
    assert pauses == sorted(pauses)
    assert pauses[0] < 1 < LONGEST_PAUSE <= pauses[-1]
    child.process.wait()


def test_stopping_a_child_ends_its_descendants(tmp_path: Path) -> None:
    child = launch(shell(tmp_path, "sleep 61 & trap '' TERM; echo up; sleep 62"))
    assert poll(lambda: len(descendants(child.pid)) == 2, 5)
    family = [found for pid in [child.pid, *descendants(child.pid)] if (found := identify(pid))]
    assert memory_mb([child.pid]) > 0
    stop_all([(child, signal.SIGTERM)], 0.2)
    assert poll(lambda: not any(map(is_alive, family)), 2)


LAUNCH_AND_WAIT = """
import sys, time
from pathlib import Path
from config.stack.process import Program, launch
launch(Program("child", ["/bin/sleep", "63"], Path(sys.argv[1]), {"MARK": sys.argv[1]}))
print("ready", flush=True)
time.sleep(60)
"""


def test_children_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", LAUNCH_AND_WAIT, str(tmp_path / "log")]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        assert len(naming(str(tmp_path))) == 2
        parent.send_signal(signal.SIGKILL)
    assert poll(lambda: not naming(str(tmp_path)), 5)


def test_a_stop_request_ends_every_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(STOP, "requested", True)
    with pytest.raises(StopRequested):
        wait_until(lambda: False, 60)


def test_the_last_line_of_a_programs_output_is_its_result(tmp_path: Path) -> None:
    (tmp_path / "out").write_text('chatter\n{"email": "a@b"}\n')
    assert last_json_line(tmp_path / "out") == {"email": "a@b"}
    (tmp_path / "out").write_text("chatter\n")
    with pytest.raises(StackError, match="no login"):
        last_json_line(tmp_path / "out")
