"""Processor time of a function, and how it grows with what the function is given."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any, TypeVar

LARGER = 4
"""Times the smaller input is the larger one."""
MOST_GROWTH = 2.5**2
"""Of the time, for an input that is four times as large; a quadratic function takes sixteen times as long."""
FLOOR_S = 0.03
"""Less than this is noise, and no input is slow by it."""
_OFTEN = 3
Given = TypeVar("Given")


def seconds_of(function: Callable[[Given], Any], given: Given) -> float:
    """The processor time of this thread for one call, without collecting the garbage of the whole process."""
    gc.disable()
    try:
        begin = time.thread_time()
        function(given)
        return time.thread_time() - begin
    finally:
        gc.enable()


def is_linear(function: Callable[[Given], Any], smaller: Given, larger: Given, took: float | None = None) -> bool:
    """Whether an input that is four times as large takes about four times as long, in the best of several tries.

    `took` is the time in seconds of a first call with the larger one, where it is known.
    """
    seconds = seconds_of(function, larger) if took is None else took
    for _ in range(_OFTEN):
        if seconds <= FLOOR_S or seconds <= MOST_GROWTH * _least(function, smaller) + FLOOR_S:
            return True
        seconds = min(seconds, _least(function, larger))
    return False


def _least(function: Callable[[Given], Any], given: Given) -> float:
    return min(seconds_of(function, given) for _ in range(2))
