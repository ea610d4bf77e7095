"""Pairs of statements to train on: those that writers made, and others that lie in their messages.

Who compares statements in a long conversation mostly sees some that are alike and all hold: the facts of one message,
and those of one conversation but the few that overturn an earlier one.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from apps.engine.language.similarity import stems
from studies.reading.material import (
    MATERIAL,
    TALK,
    TALK_FACTS,
    Pair,
    Row,
    all_writers,
    content_of,
    file_of,
    lines,
    pairs,
    rows,
)
from studies.reading.parts import sentences

UNRELATED, OVERTURNED = "both", "replaces"
NEAREST = 2
"""How many earlier facts of a conversation each of its facts is compared with."""
SHORTEST = 3
"""Words of a statement that is compared."""


def training_pairs(left_out: Collection[str] = ()) -> list[Pair]:
    """All pairs of statements but those of some writers."""
    return [pair for writer in all_writers() if writer not in left_out for pair in pairs_of(writer)]


def pairs_of(writer: str, folder: Path = MATERIAL) -> list[Pair]:
    """What a writer's statements are to each other."""
    written = pairs(writer, folder)
    found = [*written, *unrelated(written)]
    if file_of(folder / writer, TALK):
        found += conversation_pairs(folder / writer)
    return found + [pair for row in rows(writer, folder) for pair in row_pairs(row)]


def unrelated(written: Sequence[Pair]) -> Iterator[Pair]:
    """Statements that were not written together, of every second pair."""
    for pair, other in [*pairwise(written)][::2]:
        if pair.language == other.language:
            yield Pair(f"{pair.id}+", pair.old, other.new, UNRELATED)


def row_pairs(row: Row) -> Iterator[Pair]:
    """The first two facts of a message about the same, which both hold."""
    told = [(fact.about, row.text[fact.span.start : fact.span.end]) for fact in row.facts if not fact.change]
    whole = [(about, quote) for about, quote in told if len(quote.split()) >= SHORTEST]
    alike = [(old, new) for (about, old), (another, new) in pairwise(whole) if about == another]
    yield from (Pair(f"{row.id}+", old, new, UNRELATED, row.language) for old, new in alike[:1])


def conversation_pairs(folder: Path) -> Iterator[Pair]:
    """The facts of a conversation: each after the earlier ones most like it, and after what it overturns."""
    messages = list(lines(folder, TALK))
    facts = sorted(json.loads(content_of(folder, TALK_FACTS)), key=lambda fact: fact["index"])
    for place, new in enumerate(facts):
        yield from overturned(new, messages)
        for old in nearest(new, facts[:place]):
            yield Pair(f"{old['id']}{new['id']}", old["fact"], new["fact"], UNRELATED)


def overturned(new: dict[str, Any], messages: Sequence[dict[str, Any]]) -> Iterator[Pair]:
    """The last earlier sentence of the user with each value that no longer holds."""
    earlier = [message["content"] for message in messages[: new["index"]] if message["role"] == "user"]
    for stale in new["stale"]:
        found = [said for text in earlier if stale in text for said in sentences_with(stale, text)]
        if found:
            yield Pair(f"{new['id']}-", found[-1], new["fact"], OVERTURNED)


def sentences_with(part: str, text: str) -> list[str]:
    told = (text[one.start : one.end] for one in sentences(text))
    return [one for one in told if part in one]


def nearest(new: dict[str, Any], earlier: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The facts with most words of the new one that it does not overturn, the later of two alike."""
    own = stems(new["fact"])
    others = [one for one in earlier if not any(stale in one["fact"] for stale in new["stale"])]
    return sorted(others[::-1], key=lambda one: -len(own & stems(one["fact"])))[:NEAREST]
