"""Comparison with other libraries, in a separate program and a separate database on the same server.

Both sides run the same questions in turns, so that other load affects both.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.llm.embedding.wordllama import WordLlamaEmbedder
from apps.memory.models import MemNode
from bench._find.corpus import question_text
from bench._find.queries import ask, asker_of
from bench._packs.percentiles import p50, took_ms
from config.stack import packages
from config.stack.postgres import SUPERUSER, Postgres
from config.stack.process import ROOT, clean_environment

PROGRAM = "bench._find.competitor_runner"
DATABASE = "peers"
PEERS = 2
QUESTIONS, TURN = 100, 10
TIMEOUT_S = 100

Line = dict[str, Any]


def peers_lines(postgres: Postgres, people: Sequence[Actor]) -> Iterator[Line]:
    """Yield their times and ours on the present memories."""
    if packages.main(["bench"]) != 0:
        yield {"bench": "find_peers", "skipped": "their packages could not be installed"}
        return
    postgres.execute(f"CREATE DATABASE {DATABASE};\n\\connect {DATABASE}\nCREATE EXTENSION IF NOT EXISTS vector;")
    with tempfile.TemporaryDirectory() as folder:
        _write_task(Path(folder), people)
        with _program(Path(folder), replace(postgres, database=DATABASE).url(SUPERUSER)) as program:
            try:
                for _ in range(PEERS):
                    yield {"bench": "find_peers", **_in_turns(program, people)}
            except OSError:
                errors = (Path(folder) / "errors").read_text().strip()[-300:]
                problem = f"their program ended, or took longer than {TIMEOUT_S} s: {errors}"
                yield {"bench": "find_peers", "skipped": problem}


def _write_task(folder: Path, people: Sequence[Actor]) -> None:
    """Write memories and questions with their owners, and an embedding for each text."""
    with workspace(people[0].workspace_id):
        rows = list(MemNode.objects.filter(node_type="leaf").values_list("owner_id", "l2_content"))
    questions = [(str(asker_of(people, number).user_id), question_text(number)) for number in range(QUESTIONS)]
    task = {"memories": [(str(owner), text) for owner, text in rows], "questions": questions}
    (folder / "task.json").write_text(json.dumps(task))
    texts = [text for _, text in (*task["memories"], *questions)]
    np.save(folder / "vectors.npy", np.array(WordLlamaEmbedder().embed(texts), dtype=np.float32))


@contextmanager
def _program(folder: Path, url: str) -> Iterator[subprocess.Popen[str]]:
    """Run their program; kill it after a timeout."""
    argv = [packages.python_of(packages.folder_of("bench")), "-m", PROGRAM, str(folder), url]
    quiet = {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder), "OPENAI_API_KEY": "none", "HOME": str(folder)}
    with (
        (folder / "errors").open("w") as errors,
        subprocess.Popen(  # noqa: S603  # ours
            argv,
            cwd=ROOT,
            env={**clean_environment(), **quiet},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        late = Timer(TIMEOUT_S, process.kill)
        late.start()
        try:
            yield process
        finally:
            late.cancel()
            process.kill()


def _in_turns(program: subprocess.Popen[str], people: Sequence[Actor]) -> Line:
    """Return the result of one library, with our own times."""
    ours: list[float] = []
    _read_line(program, "ready")
    for begin in range(0, QUESTIONS, TURN):
        _write_line(program, TURN)
        _read_line(program, "asked")
        ours += [_our_ms(people, number) for number in range(begin, begin + TURN)]
    result = json.loads(_read_line(program, "{"))
    return {**result, "ours_p50_ms": p50(ours), "times_ours": round(result["p50_ms"] / p50(ours), 3)}


def _our_ms(people: Sequence[Actor], number: int) -> float:
    return took_ms(lambda: ask(asker_of(people, number), number))


def _write_line(program: subprocess.Popen[str], count: int) -> None:
    assert program.stdin is not None  # noqa: S101  # it was asked for
    program.stdin.write(f"{count}\n")
    program.stdin.flush()


def _read_line(program: subprocess.Popen[str], beginning: str) -> str:
    """Read until a line with this beginning. Raises `OSError` if the program has ended, as writing to it does."""
    assert program.stdout is not None  # noqa: S101  # it was asked for
    for line in program.stdout:
        if line.startswith(beginning):
            return line
    raise BrokenPipeError
