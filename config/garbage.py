"""When Python looks for garbage: not in what a process has loaded, and less often than by default."""

from __future__ import annotations

import gc


def keep_what_is_loaded() -> None:
    """What is loaded stays: to look for garbage in it again and again would hold up every stream for a tenth of a
    second and more. Each statement makes hundreds of objects that are gone by reference a moment later.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
