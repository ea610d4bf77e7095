"""The program that `make bench ONLY=reading` starts; prints one line of JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from statistics import median
from typing import Any

from django.conf import settings

from bench._encoder_floor import encoder_floor_ms
from bench._packs.percentiles import p50, took_ms
from config.native_libraries import limit_native_threads
from config.stack.processes import memory_mb
from studies.reading.material import rows

WRITER = "w21"
"""Whose messages are read: 300 of people at work, of 5 to 60 words."""
BATCH, TURNS = 50, 3
_LAYERS = 12


def main(folder: str) -> None:
    limit_native_threads()
    settings.configure(ENCODER_ROOT=folder, PREPARED_ENCODERS=folder, EMBEDDING_THREADS=1)
    before_mb = memory_mb([os.getpid()])
    reader, messages, load_ms = _timed_start()
    added_mb = memory_mb([os.getpid()]) - before_mb
    # In turns, so that other load affects the floor too.
    times = [(_message_ms(reader, messages), _floor_ms(reader, messages)) for _ in range(TURNS)]
    message_ms, floor_ms = (min(each) for each in zip(*times, strict=True))
    batched_ms = min(took_ms(lambda: _read_all(reader, messages)) for _ in range(TURNS)) / len(messages)
    line = {
        "bench": "reading",
        "message_p50_ms": round(message_ms, 2),
        "floor_ms": round(floor_ms, 2),
        "ratio_to_floor": round(message_ms / floor_ms, 2),
        "batched_ms": round(batched_ms, 2),
        "messages_per_min": round(60_000 / batched_ms),
        "load_ms": round(load_ms),
        "memory_mb": round(added_mb),
    }
    print(json.dumps(line))


def _timed_start() -> tuple[Any, Sequence[Any], float]:
    from apps.engine.reading.chances import MessageInput  # noqa: PLC0415  # its libraries are part of the time and memory
    from apps.llm.reading.installed import installed_reader  # noqa: PLC0415  # as above

    messages = [MessageInput(row.text, row.before) for row in rows(WRITER)]
    load_ms = took_ms(lambda: installed_reader().read(messages[:1]))
    return installed_reader(), messages, load_ms


def _message_ms(reader: Any, messages: Sequence[Any]) -> float:
    return p50([took_ms(lambda: reader.read([message])) for message in messages])  # noqa: B023  # called at once


def _read_all(reader: Any, messages: Sequence[Any]) -> None:
    for begin in range(0, len(messages), BATCH):
        reader.read(messages[begin : begin + BATCH])


def _floor_ms(reader: Any, messages: Sequence[Any]) -> float:
    """The floor of a message of middle length."""
    return encoder_floor_ms(int(median(reader.tokens(message) for message in messages)), _LAYERS)


if __name__ == "__main__":
    main(sys.argv[1])
