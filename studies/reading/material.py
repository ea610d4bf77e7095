"""The labeled material: messages by many writers, one folder each.

A folder is a writer. Its `sentences.jsonl`, packed or not, has a message a line; CARD.md beside the folders says how
they were written and what the labels mean.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

MATERIAL = Path(__file__).with_name("material")
SENTENCES = "sentences.jsonl"


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
    """`lasting`, or `until` it ends by itself."""
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


def writers(folder: Path = MATERIAL) -> list[str]:
    """The writers of a folder who wrote sentences."""
    return sorted(path.name for path in folder.iterdir() if path.is_dir() and file_of(path, SENTENCES))


def rows(writer: str, folder: Path = MATERIAL) -> list[Row]:
    return [row_of(writer, line) for line in lines(folder / writer, SENTENCES)]


def lines(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """The objects of a file, which may be packed; none if there is no such file."""
    if file := file_of(folder, name):
        content = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        yield from (json.loads(line) for line in content.splitlines() if line.strip())


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


def digest(folder: Path = MATERIAL) -> str:
    """Of all that a training reads."""
    found = sha256()
    for file in sorted(path for path in folder.rglob("*") if path.suffix in (".gz", ".jsonl", ".json")):
        found.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    return found.hexdigest()[:16]
