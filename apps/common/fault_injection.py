"""Named points at which a test may stop or kill the process; in production they cost one look at a setting."""

from __future__ import annotations

import os
import signal

from django.conf import settings


def fault_point(name: str) -> None:
    """Dies here, as a power cut would, when the test suite armed this point through a file that says so."""
    if settings.TEST_FAULTS:
        _die_if_armed(name)


def _die_if_armed(name: str) -> None:
    """The file that arms a point says who dies: this process, or with the word `group` all of its group."""
    armed = settings.CONTINUITY_HOME / "faults" / name
    try:
        who = armed.read_text()
        armed.unlink()
    except FileNotFoundError:
        return
    if who == "group":
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
