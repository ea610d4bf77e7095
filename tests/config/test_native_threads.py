"""Threads of the numerical libraries: one a process unless set, and as many embeddings at once as processors."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from config.env import BASE_DIR
from config.native_threads import embedding_threads

PROGRAM = "import os, config; print(os.environ['OMP_NUM_THREADS'], os.environ['OPENBLAS_NUM_THREADS'])"


@pytest.mark.parametrize(("chosen", "expected"), [({}, "1 1"), ({"OPENBLAS_NUM_THREADS": "4"}, "1 4")])
def test_a_library_has_one_thread_unless_the_environment_says_otherwise(chosen: dict[str, str], expected: str) -> None:
    others = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    printed = subprocess.check_output([sys.executable, "-c", PROGRAM], env=others | chosen, cwd=BASE_DIR, text=True)
    assert printed.strip() == expected


@pytest.mark.parametrize(("chosen", "processors", "expected"), [(0, 2, 2), (0, 64, 16), (3, 64, 3)])
def test_the_web_server_embeds_as_many_texts_at_once_as_it_has_processors(
    chosen: int, processors: int, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(processors)))
    assert embedding_threads(chosen) == expected
