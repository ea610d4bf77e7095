"""Statistics of repeated timings."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from math import ceil


def took_ms(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return 1_000 * (time.perf_counter() - began)


def p50(times: Sequence[float]) -> float:
    return round(statistics.median(times), 3)


def p95(times: Sequence[float]) -> float:
    """Return the 95th percentile by nearest rank; the maximum of few times."""
    return round(sorted(times)[ceil(0.95 * len(times)) - 1], 3)


def ratio(above: float, below: float) -> float:
    return round(above / below, 3)
