"""Pairs of statements to train on: those that writers made, and others that lie in their messages.

Who compares a message with what is known mostly sees statements that all hold: the facts of one message, those of one
conversation but the few that overturn an earlier one, and memories that only share some words with the message. A bank
has what somebody made known of one thing, which all holds, and later messages with what each of them ends.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from apps.engine.language.similarity import stems
from studies.reading.material import (
    BANKS,
    MATERIAL,
    TALK,
    TALK_FACTS,
    Fact,
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

UNRELATED, OVERTURNED, USER = "both", "replaces", "user"
NEAREST = 2
"""How many earlier facts of a conversation each of its facts is compared with."""
NEAREST_IN_BANK, NEAREST_TO_MESSAGE = 2, 3
"""How many statements of a bank each of them, and each later message, is compared with beside what it ends."""
SHORTEST = 3
"""Words of a statement that is compared."""
EVERY = 6
"""Of so many messages with a fact, one is compared with another statement of its writer."""
OF_A_PERSON = frozenset(
    ["age", "birthday", "lives_in", "address", "employer", "partner", "faith", "commute", "rent", "income"]
)
"""Attributes of which a person has one value, whatever else the sentence says."""


def training_pairs(left_out: Collection[str] = ()) -> list[Pair]:
    """All pairs of statements but those of some writers."""
    return [pair for writer in all_writers() if writer not in left_out for pair in pairs_of(writer)]


def pairs_of(writer: str, folder: Path = MATERIAL) -> list[Pair]:
    """What a writer's statements are to each other."""
    found = [*written_pairs(writer, folder), *unrelated(pairs(writer, folder))]
    if file_of(folder / writer, TALK):
        found += conversation_pairs(folder / writer)
    told = rows(writer, folder)
    found += [pair for row in told[::2] for pair in row_pairs(row)]
    return [*found, *slot_pairs(told), *message_pairs(told)]


def written_pairs(writer: str, folder: Path = MATERIAL) -> list[Pair]:
    """The pairs that a writer made, and those of the writer's banks."""
    banks = lines(folder / writer, BANKS)
    return [*pairs(writer, folder), *(pair for bank in banks for pair in bank_pairs(bank))]


def unrelated(written: Sequence[Pair]) -> Iterator[Pair]:
    """Statements of one language that were not written together."""
    by_language = sorted(written, key=lambda pair: pair.language)
    for pair, other in pairwise(by_language):
        if pair.language == other.language:
            yield Pair(f"{pair.id}+", pair.old, other.new, UNRELATED, pair.language)


def slot_pairs(told: Sequence[Row]) -> Iterator[Pair]:
    """Two values of what a person has one of, as if the same person had said both."""
    last: dict[tuple[str, str], Fact] = {}
    for row in told:
        for fact in row.facts:
            slot = row.language, fact.attribute
            if fact.about != USER or fact.attribute not in OF_A_PERSON:
                continue
            if slot in last and last[slot].value.casefold() != fact.value.casefold():
                yield Pair(f"{row.id}-", last[slot].statement, row.text, OVERTURNED, row.language)
            last[slot] = fact


def message_pairs(told: Sequence[Row]) -> Iterator[Pair]:
    """Messages after a memory on something else: in turn one that shares most words with it, and any."""
    known = [(row, fact) for row in told for fact in row.facts]
    for number, row in enumerate([one for one in told if one.facts][::EVERY]):
        subjects = {(fact.about, fact.attribute) for fact in row.facts}
        others = [
            fact.statement
            for other, fact in known
            if other.language == row.language and other is not row and (fact.about, fact.attribute) not in subjects
        ]
        if others:
            own = stems(row.text)
            old = max(others, key=lambda one: len(own & stems(one))) if number % 2 else others[number % len(others)]
            yield Pair(f"{row.id}*", old, row.text, UNRELATED, row.language)


def bank_pairs(bank: dict[str, Any]) -> Iterator[Pair]:
    """The statements of a bank after those most like them, and its later messages after those and what they end."""
    known, language = bank["memories"], bank["lang"]
    for place, new in enumerate(known):
        for old in likest(new, known[:place], NEAREST_IN_BANK):
            yield Pair(f"{bank['id']}+{place}-{known.index(old)}", old, new, UNRELATED, language)
    for place, message in enumerate(bank["messages"]):
        ended, text = [known[number] for number in message["ends"]], message["text"]
        still = likest(text, [one for one in known if one not in ended], NEAREST_TO_MESSAGE)
        for old in (*ended, *still):
            relation = OVERTURNED if old in ended else UNRELATED
            yield Pair(f"{bank['id']}-{place}-{known.index(old)}", old, text, relation, language)


def likest(new: str, known: Sequence[str], most: int) -> list[str]:
    """The known statements that share most words with a new one, for their length."""
    own = stems(new)
    return sorted(known, key=lambda one: -len(own & stems(one)) / (1 + len(stems(one))))[:most]


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
