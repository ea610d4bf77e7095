"""The labeled material: messages by many writers, one folder each.

A folder is a writer. Its `sentences.jsonl`, packed or not, has a message a line; CARD.md beside the folders says how
they were written and what the labels mean.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

AFTER_ANYTHING = 0.55
"""The share of the messages without one that get an unrelated message before them."""
MATERIAL = Path(__file__).with_name("material")
SENTENCES, PAIRS, BANKS = "sentences.jsonl", "pairs.jsonl", "banks.jsonl"
TALK, TALK_FACTS = "talk.jsonl", "talk.facts.json"


@dataclass(frozen=True)
class Span:
    """A part of a message: its first character, and the one after its last."""

    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start

    def shared(self, other: Span) -> int:
        """How many characters both have."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))


@dataclass(frozen=True)
class Fact:
    """What is worth remembering for months."""

    span: Span
    statement: str
    about: str
    category: str
    attribute: str
    value: str
    duration: str
    """`lasting`, or `until` it ends by itself; empty if it is not labeled."""
    change: str
    """`changed`, `ended`, `corrected`, or empty."""
    ended: str
    """What held before the change, where the text names it."""


@dataclass(frozen=True)
class Trap:
    """What a careless system would keep."""

    span: Span
    why: str


@dataclass(frozen=True)
class Row:
    """A message with its labels."""

    writer: str
    id: str
    language: str
    register: str
    before: str
    text: str
    facts: tuple[Fact, ...]
    traps: tuple[Trap, ...]
    command: str
    """`remember`, `forget`, `do_not_remember`, or empty."""
    commanded: str
    """What is to be remembered or forgotten."""
    is_of_conversation: bool = False
    """Whether only the spans of its facts are labeled."""


@dataclass(frozen=True)
class Pair:
    """Two statements, some days apart, and what the later one is to the earlier one: one of `labels.RELATIONS`."""

    id: str
    old: str
    new: str
    relation: str
    language: str = ""


def writers(folder: Path = MATERIAL) -> list[str]:
    """The writers of a folder who wrote sentences."""
    return sorted(path.name for path in folder.iterdir() if path.is_dir() and file_of(path, SENTENCES))


def rows(writer: str, folder: Path = MATERIAL) -> list[Row]:
    return [row_of(writer, line) for line in lines(folder / writer, SENTENCES)]


def training_rows(left_out: Collection[str] = ()) -> list[Row]:
    """All messages but those of some writers, with those of conversations; before some that answer nothing stands an
    unrelated one."""
    written = [row for writer in writers() if writer not in left_out for row in rows(writer)]
    talks = [row for row in conversation_rows() if row.writer not in left_out]
    return after_anything(written, [row.before for row in (*written, *talks) if row.before]) + talks


def after_anything(written: Sequence[Row], befores: Sequence[str]) -> list[Row]:
    """Put one of these messages before some of the rows that have none: in a chat something was always said before."""
    draw = random.Random(0)  # noqa: S311  # no secret
    return [
        replace(row, before=draw.choice(befores)) if not row.before and draw.random() < AFTER_ANYTHING else row
        for row in written
    ]


def all_writers(folder: Path = MATERIAL) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_dir())


def pairs(writer: str, folder: Path = MATERIAL) -> list[Pair]:
    return [
        Pair(raw["id"], raw["old"], raw["new"], raw["relation"], raw["lang"]) for raw in lines(folder / writer, PAIRS)
    ]


def conversation_rows(folder: Path = MATERIAL) -> list[Row]:
    """The user's messages of the long conversations."""
    return [row for path in sorted(folder.iterdir()) if file_of(path, TALK) for row in _of_conversation(path)]


def _of_conversation(folder: Path) -> Iterator[Row]:
    facts, before = json.loads(content_of(folder, TALK_FACTS)), ""
    for index, message in enumerate(lines(folder, TALK)):
        text = message["content"]
        if message["role"] == "user":
            spans = [span_of(text, fact["fact"]) for fact in facts if fact["index"] == index]
            yield conversation_row(folder.name, index, before, text, spans)
        before = text


def conversation_row(writer: str, index: int, before: str, text: str, spans: Iterable[Span]) -> Row:
    facts = tuple(Fact(span, "", "", "", "", "", "", "", "") for span in spans)
    return Row(writer, f"{writer}-talk-{index}", "", "talk", before, text, facts, (), "", "", is_of_conversation=True)


def lines(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """The objects of a file with one a line; none if there is no such file."""
    yield from (json.loads(line) for line in content_of(folder, name).splitlines() if line.strip())


def content_of(folder: Path, name: str) -> bytes:
    """The content of a file, which may be packed; nothing if there is no such file."""
    file = file_of(folder, name)
    if not file:
        return b""
    return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()


def file_of(folder: Path, name: str) -> Path | None:
    return next((file for file in (folder / name, folder / f"{name}.gz") if file.is_file()), None)


def row_of(writer: str, raw: Mapping[str, Any]) -> Row:
    text, command = raw["text"], raw["command"] or {}
    return Row(
        writer,
        raw["id"],
        raw["lang"],
        raw["register"],
        raw["before"],
        text,
        tuple(fact_of(text, fact) for fact in raw["facts"]),
        tuple(Trap(span_of(text, trap["quote"]), trap["why"]) for trap in raw["not"]),
        command.get("kind", ""),
        command.get("what", ""),
    )


def fact_of(text: str, raw: Mapping[str, Any]) -> Fact:
    change = raw.get("change") or {}
    return Fact(
        span_of(text, raw["quote"]),
        raw["statement"],
        raw["about"],
        raw["category"],
        attribute_of(raw["attribute"]),
        raw["value"],
        raw["holds"],
        change.get("kind", ""),
        change.get("old") or "",
    )


def span_of(text: str, quote: str) -> Span:
    """The place of a quote; raises ValueError if it is not in the text."""
    start = text.index(quote)
    return Span(start, start + len(quote))


def attribute_of(word: str) -> str:
    """The attribute that a writer's word stands for; the word itself if it is none."""
    return _synonyms().get(word, word)


@cache
def attributes() -> Mapping[str, Mapping[str, Any]]:
    """The attributes with their meaning (`of`), whether one or many hold at a time (`holds`), and synonyms (`also`)."""
    known: Mapping[str, Mapping[str, Any]] = json.loads((MATERIAL / "attributes.json").read_text(encoding="utf-8"))
    return known


@cache
def _synonyms() -> Mapping[str, str]:
    return {word: name for name, said in attributes().items() for word in (name, *said["also"])}


def digest(left_out: Collection[str] = (), folder: Path = MATERIAL) -> str:
    """Of all that a training without some writers reads."""
    found = sha256()
    files = (path for path in folder.rglob("*") if path.suffix in (".gz", ".jsonl", ".json"))
    for file in sorted(path for path in files if path.parent.name not in left_out):
        found.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    return found.hexdigest()[:16]
