"""The rolling summary: seven fields; every line names its source messages, or that a person wrote it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
    """A goal, requirement, step of the plan or open question. `sources` are message ids, oldest first.

    `corrected` means that a person wrote the line; without sources, it comes from no message. `reported` means that
    only an assistant or a tool said it.
    """

    text: str
    sources: tuple[str, ...]
    corrected: bool = False
    reported: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """A choice and, where one was given, its reason (empty otherwise)."""

    text: str
    reason: str
    sources: tuple[str, ...]
    corrected: bool = False
    reported: bool = False


@dataclass(frozen=True, slots=True)
class Definition:
    term: str
    text: str
    sources: tuple[str, ...]
    corrected: bool = False
    reported: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    type: ReferenceType
    value: str
    note: str
    sources: tuple[str, ...]
    corrected: bool = False
    reported: bool = False


Entry = Line | Decision | Definition | Reference


@dataclass(frozen=True, slots=True)
class RollingSummary:
    """Each field runs from its oldest to its newest line. `dismissed` are texts that a person removed or replaced."""

    goals: tuple[Line, ...] = ()
    decisions: tuple[Decision, ...] = ()
    requirements: tuple[Line, ...] = ()
    current_plan: tuple[Line, ...] = ()
    open_questions: tuple[Line, ...] = ()
    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()
    dismissed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(True for _ in self.entries())

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """Every line with the name of its field, field by field."""
        for name in FIELDS:
            for entry in getattr(self, name):
                yield name, entry

    def sizes(self) -> dict[str, int]:
        return {name: len(getattr(self, name)) for name in FIELDS}


FIELDS = tuple(field.name for field in fields(RollingSummary) if field.name != "dismissed")


def summary_to_json(summary: RollingSummary) -> dict[str, Any]:
    """The stored form: lists of objects, and definitions as an object by term, with their place.

    A JSON object in the database has no order, and the order tells which definition is the oldest.
    """
    stored: dict[str, Any] = {name: [_plain(entry) for entry in getattr(summary, name)] for name in FIELDS}
    stored["definitions"] = {
        item.term: {name: value for name, value in _plain(item).items() if name != "term"} | {"place": place}
        for place, item in enumerate(summary.definitions)
    }
    return stored | {"dismissed": list(summary.dismissed)}


def summary_from_json(stored: dict[str, Any]) -> RollingSummary:
    """The inverse of `summary_to_json`; an absent field is empty."""
    definitions = sorted(stored.get("definitions", {}).items(), key=lambda item: item[1].get("place", 0))
    return RollingSummary(
        goals=_lines(stored, "goals"),
        decisions=tuple(Decision(item["text"], item["reason"], *_origin(item)) for item in stored.get("decisions", ())),
        requirements=_lines(stored, "requirements"),
        current_plan=_lines(stored, "current_plan"),
        open_questions=_lines(stored, "open_questions"),
        definitions=tuple(Definition(term, item["text"], *_origin(item)) for term, item in definitions),
        references=tuple(
            Reference(ReferenceType(item["type"]), item["value"], item["note"], *_origin(item))
            for item in stored.get("references", ())
        ),
        dismissed=tuple(stored.get("dismissed", ())),
    )


def without_sources(summary: RollingSummary, removed: frozenset[str]) -> RollingSummary:
    """Remove lines that only the `removed` messages support, and these messages from the sources of other lines.

    Lines that a person added have no sources and remain.

    >>> summary = RollingSummary(goals=(Line("ship", ("a",)), Line("test", ("a", "b"))))
    >>> without_sources(summary, frozenset({"a"})).goals
    (Line(text='test', sources=('b',), corrected=False, reported=False),)
    """
    kept: dict[str, Any] = {name: tuple(_forget(getattr(summary, name), removed)) for name in FIELDS}
    return replace(summary, **kept)


def with_sources(summary: RollingSummary, names: Mapping[str, str]) -> RollingSummary:
    """Rename the sources of every line; a source without a new name is dropped.

    >>> with_sources(RollingSummary(goals=(Line("ship", ("a", "b")),)), {"a": "x"}).goals
    (Line(text='ship', sources=('x',), corrected=False, reported=False),)
    """

    def renamed(entry: Entry) -> Entry:
        return replace(entry, sources=tuple(names[source] for source in entry.sources if source in names))

    return with_entries(summary, renamed)


def with_entries(summary: RollingSummary, change: Callable[[Entry], Entry]) -> RollingSummary:
    """The summary with each line changed."""
    changed: dict[str, Any] = {field: tuple(map(change, getattr(summary, field))) for field in FIELDS}
    return replace(summary, **changed)


def lines_only_from(summary: RollingSummary, removed: frozenset[str]) -> list[tuple[str, Entry]]:
    """Return the lines that `without_sources` removes, with their fields."""
    return [(name, entry) for name, entry in summary.entries() if not _stays(entry, removed)]


def _forget(entries: tuple[Entry, ...], removed: frozenset[str]) -> Iterator[Any]:
    for entry in entries:
        if _stays(entry, removed):
            yield replace(entry, sources=tuple(source for source in entry.sources if source not in removed))


def _stays(entry: Entry, removed: frozenset[str]) -> bool:
    return not removed.issuperset(entry.sources) or (entry.corrected and not entry.sources)


def _lines(stored: dict[str, Any], name: str) -> tuple[Line, ...]:
    return tuple(Line(item["text"], *_origin(item)) for item in stored.get(name, ()))


def _origin(item: dict[str, Any]) -> tuple[tuple[str, ...], bool, bool]:
    """Sources, whether a person wrote it, and whether only an assistant or a tool said it."""
    return tuple(item["sources"]), item.get("corrected", False), item.get("reported", False)


def _plain(entry: Entry) -> dict[str, Any]:
    plain: dict[str, Any] = {field.name: getattr(entry, field.name) for field in fields(entry)}
    plain["sources"] = list(entry.sources)
    return plain
