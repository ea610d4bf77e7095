"""When Python looks for garbage: not in what a process has loaded, and where requests are served less often."""

from __future__ import annotations

import gc


def keep_what_is_loaded() -> None:
    """What is loaded stays: to look for garbage in it again and again would hold up every stream for a tenth of a
    second and more, and write to what processes share.
    """
    gc.collect()
    gc.freeze()


def look_less_often() -> None:
    """Each statement makes hundreds of objects that are gone by reference a moment later."""
    gc.set_threshold(10_000, 20, 20)
