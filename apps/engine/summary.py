"""The rolling summary: seven fields whose every line names the messages it came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any


class ReferenceType(StrEnum):
    FILE = "file"
    URL = "url"
    ID = "id"
    CODE = "code"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Line:
    """A goal, requirement, step of the plan or open question. `sources` are message ids, oldest first."""

    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice and, where one was given, its reason (empty otherwise)."""

    text: str
    reason: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    term: str
    text: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    type: ReferenceType
    value: str
    note: str
    sources: tuple[str, ...]


Entry = Line | Decision | Definition | Reference


@dataclass(frozen=True, slots=True)
class RollingSummary:
    """Each field runs from its oldest to its newest line."""

    goals: tuple[Line, ...] = ()
    decisions: tuple[Decision, ...] = ()
    requirements: tuple[Line, ...] = ()
    current_plan: tuple[Line, ...] = ()
    open_questions: tuple[Line, ...] = ()
    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()

    def __bool__(self) -> bool:
        return any(True for _ in self.entries())

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """Every line with the name of its field, field by field."""
        for field in fields(self):
            for entry in getattr(self, field.name):
                yield field.name, entry

    def sizes(self) -> dict[str, int]:
        return {field.name: len(getattr(self, field.name)) for field in fields(self)}


FIELDS = tuple(field.name for field in fields(RollingSummary))


def summary_to_json(summary: RollingSummary) -> dict[str, Any]:
    """The stored form: lists of objects, and definitions as an object by term, with their place.

    An object in the database keeps no order, and the order says which definition is the oldest.
    """
    stored: dict[str, Any] = {name: [_plain(entry) for entry in getattr(summary, name)] for name in FIELDS}
    stored["definitions"] = {
        item.term: {"text": item.text, "sources": list(item.sources), "place": place}
        for place, item in enumerate(summary.definitions)
    }
    return stored


def summary_from_json(stored: dict[str, Any]) -> RollingSummary:
    """The inverse of `summary_to_json`; an absent field is empty."""
    definitions = sorted(stored.get("definitions", {}).items(), key=lambda item: item[1].get("place", 0))
    return RollingSummary(
        goals=_lines(stored, "goals"),
        decisions=tuple(
            Decision(item["text"], item["reason"], tuple(item["sources"])) for item in stored.get("decisions", ())
        ),
        requirements=_lines(stored, "requirements"),
        current_plan=_lines(stored, "current_plan"),
        open_questions=_lines(stored, "open_questions"),
        definitions=tuple(Definition(term, item["text"], tuple(item["sources"])) for term, item in definitions),
        references=tuple(
            Reference(ReferenceType(item["type"]), item["value"], item["note"], tuple(item["sources"]))
            for item in stored.get("references", ())
        ),
    )


def without_sources(summary: RollingSummary, gone: frozenset[str]) -> RollingSummary:
    """The summary without the lines that only the messages `gone` support; other lines forget those messages.

    >>> summary = RollingSummary(goals=(Line("ship", ("a",)), Line("test", ("a", "b"))))
    >>> without_sources(summary, frozenset({"a"})).goals
    (Line(text='test', sources=('b',)),)
    """
    kept = {name: tuple(_forget(getattr(summary, name), gone)) for name in FIELDS}
    return RollingSummary(**kept)


def _forget(entries: tuple[Entry, ...], gone: frozenset[str]) -> Iterator[Any]:
    for entry in entries:
        sources = tuple(source for source in entry.sources if source not in gone)
        if sources:
            yield replace(entry, sources=sources)


def _lines(stored: dict[str, Any], name: str) -> tuple[Line, ...]:
    return tuple(Line(item["text"], tuple(item["sources"])) for item in stored.get(name, ()))


def _plain(entry: Entry) -> dict[str, Any]:
    plain: dict[str, Any] = {field.name: getattr(entry, field.name) for field in fields(entry)}
    plain["sources"] = list(entry.sources)
    return plain
