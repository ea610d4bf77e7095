"""Frames of an error for the log. An error's text is never logged: it might contain what a person wrote."""

from __future__ import annotations

import traceback
from pathlib import Path

_FRAMES = 6


def frames_of(error: BaseException) -> list[str]:
    """The innermost frames, each as file, line and function."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
