"""Threads and memory of the numerical libraries."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from config.env import BASE_DIR
from config.native_libraries import embedding_threads

PROGRAM = "import os, config; print(os.environ['OMP_NUM_THREADS'], os.environ['OPENBLAS_NUM_THREADS'])"


@pytest.mark.parametrize(("chosen", "expected"), [({}, "1 1"), ({"OPENBLAS_NUM_THREADS": "4"}, "1 4")])
def test_a_library_has_one_thread_unless_the_environment_says_otherwise(chosen: dict[str, str], expected: str) -> None:
    others = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    printed = subprocess.check_output([sys.executable, "-c", PROGRAM], env=others | chosen, cwd=BASE_DIR, text=True)
    assert printed.strip() == expected


CHILD = """
import os, config.celery
from celery.signals import worker_process_init
worker_process_init.send(None)
print(os.environ["CT2_PACKED_GEMM"])
"""


@pytest.mark.parametrize(("chosen", "expected"), [({}, "0"), ({"CT2_PACKED_GEMM": "1"}, "1")])
def test_a_child_of_a_worker_reserves_no_packed_weights_unless_told(chosen: dict[str, str], expected: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "CT2_PACKED_GEMM"} | chosen
    printed = subprocess.check_output([sys.executable, "-c", CHILD], env=environment, cwd=BASE_DIR, text=True)
    assert printed.strip() == expected


@pytest.mark.parametrize(("chosen", "processors", "expected"), [(0, 2, 2), (0, 64, 16), (3, 64, 3)])
def test_the_web_server_embeds_as_many_texts_at_once_as_it_has_processors(
    chosen: int, processors: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(processors)))
    assert embedding_threads(chosen) == expected
