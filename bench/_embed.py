"""The program that `make bench ONLY=embed` starts; prints one line of JSON."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.conf import settings

from bench._encoder_floor import encoder_floor_ms
from bench._find.corpus import question_text
from bench._packs.percentiles import p50, took_ms
from config.native_libraries import embedding_threads, limit_native_threads
from config.stack.processes import memory_mb

QUESTIONS, THREADS, TURNS = 200, 8, 5
TEXTS, BATCH = 400, 100
_TEXT = "The deployment of the billing service failed on Friday, since the certificate of the gateway had expired"


def main(folder: str) -> None:
    limit_native_threads()
    settings.configure(ENCODER_ROOT=folder, PREPARED_ENCODERS=folder, EMBEDDING_THREADS=embedding_threads(0))
    before_mb = memory_mb([os.getpid()])
    embedder, convert_ms = _timed_start()
    questions = [question_text(number) for number in range(QUESTIONS)]
    texts = [f"{_TEXT}; that was case {number} of {TEXTS}." for number in range(TEXTS)]
    per_second = max(_per_second(embedder, questions) for _ in range(TURNS))
    text_ms = took_ms(lambda: _embed_all(embedder, texts)) / TEXTS
    added_mb = memory_mb([os.getpid()]) - before_mb
    # In turns, so that other load affects the floor too.
    times = [(_question_ms(embedder, questions), _floor_ms()) for _ in range(TURNS)]
    question_ms, floor_ms = (min(each) for each in zip(*times, strict=True))
    line = {
        "bench": "embed",
        "model": embedder.name,
        "question_p50_ms": round(question_ms, 2),
        "floor_ms": round(floor_ms, 2),
        "ratio_to_floor": round(question_ms / floor_ms, 2),
        "text_ms": round(text_ms, 2),
        "per_s_8": round(per_second),
        "floor_per_s": round(1_000 / floor_ms),
        "threads_of_model": settings.EMBEDDING_THREADS,
        "convert_and_load_ms": round(convert_ms),
        "load_ms": round(_load_ms()),
        "memory_mb": round(added_mb),
    }
    print(json.dumps(line))


def _timed_start() -> tuple[Any, float]:
    from apps.llm.embedding.model_ids import MINILM  # noqa: PLC0415  # its libraries are part of the time and memory
    from apps.llm.embedding.sentence_embedders import MINILM_SOURCE, SentenceEmbedder  # noqa: PLC0415  # as above

    embedder = SentenceEmbedder(MINILM, MINILM_SOURCE)
    return embedder, took_ms(lambda: embedder.embed_queries(["tea"]))


def _load_ms() -> float:
    """The time of a second start's first question, once the model has been converted."""
    from apps.llm.embedding.encoder import Encoder  # noqa: PLC0415  # as above
    from apps.llm.embedding.encoder_files import converted  # noqa: PLC0415  # as above
    from apps.llm.embedding.sentence_embedders import MINILM_SOURCE  # noqa: PLC0415  # as above

    return took_ms(lambda: Encoder(converted(MINILM_SOURCE), MINILM_SOURCE).embed(["tea"], 384))


def _question_ms(embedder: Any, questions: Sequence[str]) -> float:
    return p50([took_ms(lambda: embedder.embed_queries([question])) for question in questions])  # noqa: B023  # called at once


def _per_second(embedder: Any, questions: Sequence[str]) -> float:
    with ThreadPoolExecutor(THREADS) as threads:
        begun = time.perf_counter()
        list(threads.map(lambda question: embedder.embed_queries([question]), questions * 4))
        return 4 * len(questions) / (time.perf_counter() - begun)


def _embed_all(embedder: Any, texts: Sequence[str]) -> None:
    for begin in range(0, len(texts), BATCH):
        embedder.embed(texts[begin : begin + BATCH])


def _floor_ms() -> float:
    return encoder_floor_ms(len(question_text(0).split()) + 3, layers=6)


if __name__ == "__main__":
    main(sys.argv[1])
