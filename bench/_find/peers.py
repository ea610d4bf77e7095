"""Those beside whom we are measured, on a database of their own in the same server: a program that runs apart."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.llm.embedding.wordllama import WordLlamaEmbedder
from apps.memory.models import MemNode
from bench._find.texts import question_text
from config.stack import bootstrap
from config.stack.postgres import SUPERUSER, Postgres
from config.stack.process import ROOT, clean_environment

PROGRAM = "bench._find.peer_program"
DATABASE = "peers"
QUESTIONS = 100
MOST_S = 100

Line = dict[str, Any]


def peers_lines(postgres: Postgres, people: Sequence[Actor], ours: Line) -> Iterator[Line]:
    """Their times on the memories that there are now."""
    if bootstrap.main(["--bench"]) != 0:
        yield {"bench": "find_peers", "skipped": "requirements-bench.txt could not be installed"}
        return
    postgres.execute(f"CREATE DATABASE {DATABASE};\n\\connect {DATABASE}\nCREATE EXTENSION IF NOT EXISTS vector;")
    with tempfile.TemporaryDirectory() as folder:
        _tell(Path(folder), people)
        yield from _asked(Path(folder), replace(postgres, database=DATABASE).url(SUPERUSER), ours)


def _tell(folder: Path, people: Sequence[Actor]) -> None:
    """The memories and questions with their owners, and a vector for each text."""
    with workspace(people[0].workspace_id):
        rows = list(MemNode.objects.filter(node_type="leaf").values_list("owner_id", "l2_content"))
    asked = [(str(people[(7 * number) % len(people)].user_id), question_text(number)) for number in range(QUESTIONS)]
    told = {"memories": [(str(owner), text) for owner, text in rows], "questions": asked}
    (folder / "told.json").write_text(json.dumps(told))
    texts = [text for _, text in (*told["memories"], *asked)]
    np.save(folder / "vectors.npy", np.array(WordLlamaEmbedder().embed(texts), dtype=np.float32))


def _asked(folder: Path, url: str, ours: Line) -> Iterator[Line]:
    argv = [bootstrap.python_of(bootstrap.BENCH_VENV), "-m", PROGRAM, str(folder), url]
    quiet = {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(folder), "OPENAI_API_KEY": "none", "HOME": str(folder)}
    try:
        done = subprocess.run(  # noqa: S603  # ours
            argv,
            cwd=ROOT,
            env={**clean_environment(), **quiet},
            capture_output=True,
            text=True,
            timeout=MOST_S,
            check=False,
        )
        said, problem = done.stdout, f"their program ended with code {done.returncode}: {done.stderr.strip()[-300:]}"
    except subprocess.TimeoutExpired as late:
        said, problem = (late.stdout or b"").decode(), f"their program took longer than {MOST_S} s"
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    for line in lines:
        yield {"bench": "find_peers", **line, "times_ours": round(line["p50_ms"] / ours["p50_ms"], 3)}
    if len(lines) < 2:
        yield {"bench": "find_peers", "skipped": problem}
