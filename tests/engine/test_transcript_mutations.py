"""Damaged transcripts: no file raises an exception, and every intact line is an entry.

Each mutation is made from a number, so that a failure can be repeated: `MUTATED_TRANSCRIPTS=n` sets how many are made.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable

import pytest

from apps.engine.transcripts.condense import compactions_of, condensed
from apps.engine.transcripts.transcript import transcript_of, usage_of
from tests.engine.agent_transcripts import SAMPLE, boundary, lines, user

COUNT = int(os.environ.get("MUTATED_TRANSCRIPTS", "500"))
SHARES = 10

LINES = lines(
    [
        *SAMPLE,
        boundary("b1", "a7", preservedMessages={"anchorUuid": "s9", "uuids": ["u2", "a7"]}),
        user("s9", "b1", "The summary.", isCompactSummary=True),
        user("u9", "a7", "And now?"),
    ]
).splitlines()
# Lines as a file may contain them, and those that must be read as one entry each.
Damage = Callable[[random.Random, list[bytes], set[int]], None]


def cut(chance: random.Random, rows: list[bytes], intact: set[int]) -> None:
    place = chance.randrange(len(rows))
    rows[place] = rows[place][: chance.randrange(len(rows[place]))]
    intact.discard(place)


def nul_run(chance: random.Random, rows: list[bytes], intact: set[int]) -> None:
    place = chance.randrange(len(rows))
    at = chance.randrange(len(rows[place]) + 1)
    rows[place] = rows[place][:at] + b"\x00" * chance.choice([1, 7, 4096]) + rows[place][at:]
    intact.discard(place)


def changed_bytes(chance: random.Random, rows: list[bytes], intact: set[int]) -> None:
    place = chance.randrange(len(rows))
    row = bytearray(rows[place])
    for _ in range(chance.randint(1, 8)):
        if row:
            row[chance.randrange(len(row))] = chance.choice([*range(11, 256), 0x22, 0x7B, 0x7D, 0x5C])
    rows[place] = bytes(row)
    intact.discard(place)


def swapped_types(chance: random.Random, rows: list[bytes], intact: set[int]) -> None:
    """Another type in a field: the line is intact, its meaning is not."""
    place = chance.randrange(len(rows))
    try:
        value = json.loads(rows[place])
    except ValueError:
        return
    if isinstance(value, dict) and value:
        name = chance.choice(list(value))
        value[name] = chance.choice(
            [None, 0, -1, True, [], {}, "x", [{}], {"content": [None, {"type": "text"}]}, 1e308]
        )
        rows[place] = json.dumps(value).encode()


def twisted_parents(chance: random.Random, rows: list[bytes], intact: set[int]) -> None:
    place, other = chance.randrange(len(SAMPLE)), chance.randrange(len(SAMPLE))
    if place in intact:
        value = json.loads(rows[place])
        if isinstance(value, dict):
            value["parentUuid"] = SAMPLE[other].get("uuid")
            rows[place] = json.dumps(value).encode()


def lone_surrogate(chance: random.Random, rows: list[bytes], intact: set[int]) -> None:
    place = chance.randrange(len(rows))
    rows[place] = rows[place].replace(b'"uuid": "', b'"odd": "\\ud83d\\u0000", "uuid": "', 1)


def foreign_line(chance: random.Random, rows: list[bytes], intact: set[int]) -> None:
    odd = chance.choice([b"null", b"[[[[", b'"\\', b"\xff\xfe", b"{}", b'{"type": 1}', b"{" * 3_000, b"9" * 5_000])
    rows.append(odd)


DAMAGES: list[Damage] = [
    cut,
    nul_run,
    changed_bytes,
    swapped_types,
    twisted_parents,
    lone_surrogate,
    foreign_line,
]


def spliced(chance: random.Random, rows: list[bytes], intact: set[int]) -> bytes:
    """The file, in which an intact line may follow another intact one without a line break."""
    breaks = [chance.choice([b"\n", b"\n", b"\r\n", b"\n\n"]) for _ in rows]
    for place in chance.sample(range(len(rows) - 1), chance.randint(0, 3)):
        if {place, place + 1} <= intact:
            breaks[place] = b""
    content = b"".join(row + end for row, end in zip(rows, breaks, strict=True))
    return chance.choice([b"", b"\xef\xbb\xbf"]) + content


def _uuid(row: bytes) -> str:
    uuid = json.loads(row).get("uuid")
    return uuid if isinstance(uuid, str) else ""


@pytest.mark.parametrize("share", range(SHARES))
def test_mutated_transcripts_lose_no_intact_line(share: int) -> None:
    for number in range(share, COUNT, SHARES):
        chance = random.Random(number)
        rows, intact = list(LINES), set(range(len(LINES)))
        for damage in chance.choices(DAMAGES, k=chance.randint(1, 6)):
            damage(chance, rows, intact)
        transcript = transcript_of(spliced(chance, rows, intact))
        expected = Counter(_uuid(rows[place]) for place in intact)
        assert not expected - Counter(entry.uuid for entry in transcript.entries), number
        messages = condensed(transcript.history)
        assert len({one.message.id for one in messages}) == len(messages), number
        assert all(one.message.content or one.message.parts for one in messages), number
        assert all(one.uuid for one in compactions_of(transcript.history)), number
        assert usage_of(transcript.entries).output_tokens >= 0, number
        json.dumps([one.message.content for one in messages], ensure_ascii=False).encode()
