"""Threads and memory of the numerical libraries, unless the environment says something else.

Each process has one thread of theirs: requests have threads of their own, which would compete for the same processors.
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


def reserve_no_packed_weights() -> None:
    """Let CTranslate2 keep weights as they are; to be called before it is loaded.

    Packed ones make a single text a fifth quicker. On processors with AMX, 560 MB are reserved for those of each
    encoder, of which a tenth is used.
    """
    os.environ.setdefault("CT2_PACKED_GEMM", "0")


def embedding_threads(chosen: int) -> int:
    """The number of texts that a server embeds at the same time: the chosen one, or 0 for the number of processors."""
    return chosen or min(_processors(), _MOST_EMBEDDING_THREADS)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
