"""Garbage collector tuning: exclude what is loaded at start-up, and collect less often in the web process."""

from __future__ import annotations

import gc


def freeze_loaded_objects() -> None:
    """Exclude all present objects from collection.

    Traversing them would pause every stream for 0.1 s or more, and write to pages that forked workers share.
    """
    gc.collect()
    gc.freeze()


def collect_less_often() -> None:
    """Raise the thresholds: each statement creates hundreds of objects that reference counting frees soon."""
    gc.set_threshold(10_000, 20, 20)
