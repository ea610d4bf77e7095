"""What the client does differently on Windows, with the platform switched in the modules and Windows' calls faked."""

from __future__ import annotations

import fcntl
import io
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from continuity_client import sender, terminal
from continuity_client.hook import detached
from continuity_client.install import plans
from tests.client.events import spool_only, tool
from tests.client.fake_server import FakeServer
from tests.client.machine import Machine

DETACHED_PROCESS, CREATE_NEW_PROCESS_GROUP = 0x8, 0x200
LK_UNLCK, LK_NBLCK = 0, 2
DEADLINE = """
import time
from continuity_client.hook import command
command.WINDOWS = True
command._end_after(0.3)
time.sleep(20)
"""


def locking(descriptor: int, mode: int, size: int) -> None:
    """`msvcrt.locking`, which locks from the descriptor's position on and refuses a region that another one locked."""
    assert (os.lseek(descriptor, 0, os.SEEK_CUR), size) == (0, 1)
    fcntl.flock(descriptor, fcntl.LOCK_UN if mode == LK_UNLCK else fcntl.LOCK_EX | fcntl.LOCK_NB)
    CALLS.append(mode)


CALLS: list[int] = []


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for module in (detached, plans, terminal):
        monkeypatch.setattr(module, "WINDOWS", True)
    fake = SimpleNamespace(locking=locking, LK_UNLCK=LK_UNLCK, LK_NBLCK=LK_NBLCK)
    monkeypatch.setitem(sys.modules, "msvcrt", fake)
    CALLS.clear()
    yield


def test_the_sender_is_a_process_without_a_console_and_in_a_group_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[list[str], dict[str, Any]]] = []

    def popen(command: list[str], **options: Any) -> SimpleNamespace:
        started.append((command, options))
        return SimpleNamespace(poll=lambda: 0)

    monkeypatch.setattr(subprocess, "DETACHED_PROCESS", DETACHED_PROCESS, raising=False)
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", CREATE_NEW_PROCESS_GROUP, raising=False)
    monkeypatch.setattr(subprocess, "Popen", popen)
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("Windows has no fork."))

    detached.start_sender(str(tmp_path))

    ((command, options),) = started
    assert command[0] == sys.executable
    assert command[-1] == str(tmp_path)
    assert options["creationflags"] == DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP
    assert options["start_new_session"] is False
    assert {options[name] for name in ("stdin", "stdout", "stderr")} == {subprocess.DEVNULL}


def test_one_sender_has_the_lock_until_it_unlocks_the_region(tmp_path: Path) -> None:
    lock = detached.take_lock(str(tmp_path))
    assert lock is not None
    assert detached.take_lock(str(tmp_path)) is None

    detached.release_lock(lock)

    again = detached.take_lock(str(tmp_path))
    assert again is not None
    detached.release_lock(again)
    assert CALLS == [LK_NBLCK, LK_UNLCK, LK_NBLCK, LK_UNLCK]


def test_the_spool_is_delivered_under_that_lock(
    paired: Machine, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool_only(paired, tool(1))
    for name, value in paired.environment.items():
        monkeypatch.setenv(name, value)

    assert sender.send_all(str(paired.home)).delivered == 1

    assert CALLS.count(LK_NBLCK) == CALLS.count(LK_UNLCK) >= 1


def test_a_hook_ends_at_its_deadline_without_signals(paired: Machine) -> None:
    begin = time.monotonic()
    done = subprocess.run([sys.executable, "-c", DEADLINE], env=paired.environment, check=False)

    assert done.returncode == 0
    assert time.monotonic() - begin < 10
    assert (paired.home / "lost").stat().st_size == 1
    assert "before the deadline" in paired.log


def test_the_installed_command_is_the_launcher_with_its_suffix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    launcher = tmp_path / "continuity.exe"
    launcher.touch(mode=0o755)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "continuity")])

    assert plans.command_path() == str(launcher)
    assert plans.quote_path(r"C:\Program Files\continuity.exe") == r'"C:\Program Files\continuity.exe"'


@pytest.mark.parametrize(("variable", "shown"), [("WT_SESSION", True), ("OTHER", False)])
def test_colors_are_shown_by_terminals_that_know_them(
    monkeypatch: pytest.MonkeyPatch, variable: str, shown: bool
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for name in ("NO_COLOR", "TERM", "TERM_PROGRAM", "ANSICON", "WT_SESSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, "1")

    assert terminal.has_colors(Terminal()) is shown
