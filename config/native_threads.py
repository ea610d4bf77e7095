"""Threads of the numerical libraries: one in each process, unless the environment sets another number.

Requests have threads of their own, which would compete with these for the same processors.
"""

from __future__ import annotations

import os

# OpenMP (CTranslate2), OpenBLAS (numpy), and the tokenizers, which would also warn about every fork.
_DEFAULTS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
# As many as there are threads of requests.
_MOST_EMBEDDING_THREADS = 16


def limit_native_threads() -> None:
    """Set the defaults; the libraries read them when they are imported."""
    for name, value in _DEFAULTS.items():
        os.environ.setdefault(name, value)


def embedding_threads(chosen: int) -> int:
    """The number of texts that a server embeds at the same time: the chosen one, or 0 for the number of processors."""
    return chosen or min(_processors(), _MOST_EMBEDDING_THREADS)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
