"""Named points at which a test may stop or kill the process; in production they cost one check of a setting."""

from __future__ import annotations

import os
import signal

from django.conf import settings


def fault_point(name: str) -> None:
    """Kill the process here, like a power failure, if the test suite armed this point with a file."""
    if settings.TEST_FAULTS:
        _die_if_armed(name)


def _die_if_armed(name: str) -> None:
    """Kill this process, or its process group if the file contains the word `group`."""
    armed = settings.CONTINUITY_HOME / "faults" / name
    try:
        who = armed.read_text()
        armed.unlink()
    except FileNotFoundError:
        return
    if who == "group":
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
