"""Scripted newcomers, and the checks of what became of their sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

KINDS = ("memory", "absent", "superseded", "inbox", "pack", "pack_clean")
_KIND_OF_STATE = {
    "current": "memory",
    "proposed": "memory",
    "absent": "absent",
    "superseded": "superseded",
    "not_current": "superseded",
}


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory after all was said: its statement, its state, and what replaced it."""

    id: str
    statement: str
    state: str
    """`current`, `superseded` or `proposed`."""
    replaced_by: str = ""


@dataclass(frozen=True, slots=True)
class Sent:
    """What a new chat is sent for a question: lasting memories, and those that are sent for the question."""

    lasting: Sequence[str]
    retrieved: Sequence[str]

    @property
    def text(self) -> str:
        return "\n".join((*self.lasting, *self.retrieved))


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A person's steps, and what is expected afterwards."""

    name: str
    steps: Sequence[Mapping[str, Any]]
    memories: Sequence[Mapping[str, Any]]
    inbox: Mapping[str, int]
    questions: Sequence[Mapping[str, Any]]

    @classmethod
    def parse(cls, raw: Mapping[str, Any]) -> Newcomer:
        return cls(raw["name"], raw["steps"], raw["memories"], raw.get("inbox", {}), raw.get("new_chat", ()))


@dataclass
class Checks:
    """Counts of checks by kind, and what did not come out right."""

    right: Counter[str] = field(default_factory=Counter)
    all: Counter[str] = field(default_factory=Counter)
    failed: list[str] = field(default_factory=list)

    def note(self, kind: str, is_right: bool, said: str) -> None:
        self.all[kind] += 1
        self.right[kind] += is_right
        if not is_right:
            self.failed.append(f"{kind}: {said}")

    def note_memories(self, person: Newcomer, memories: Sequence[Remembered]) -> None:
        """Check each expected memory; a memory that another one replaced is found by that one's words."""
        by_id = {one["id"]: one for one in person.memories if "id" in one}
        for expected in person.memories:
            state = expected["state"]
            is_right = _IS_RIGHT[state](expected, memories, by_id)
            self.note(_KIND_OF_STATE[state], is_right, f"{state} {expected['has']} lacks {expected.get('lacks', [])}")

    def note_inbox(self, person: Newcomer, items: int, contradictions: int) -> None:
        most, pairs = person.inbox.get("max"), person.inbox.get("contradictions_max")
        if most is not None:
            self.note("inbox", items <= most, f"{items} items")
        if pairs is not None:
            self.note("inbox", contradictions <= pairs, f"{contradictions} contradictions")

    def note_sent(self, question: Mapping[str, Any], sent: Sent) -> None:
        text, asked = sent.text.casefold(), question["ask"]
        for word in question.get("has", ()):
            self.note("pack", word.casefold() in text, f"{asked} has no {word!r}")
        for word in question.get("lacks", ()):
            self.note("pack_clean", word.casefold() not in text, f"{asked} has {word!r}")
        if "sent_max" in question:
            count = len(sent.retrieved)
            self.note("pack_clean", count <= question["sent_max"], f"{asked} is sent {count}: {list(sent.retrieved)}")


def matching(expected: Mapping[str, Any], memories: Sequence[Remembered], *states: str) -> list[Remembered]:
    """The memories in one of the states whose statement has the words, and lacks the others."""
    return [one for one in memories if one.state in states and _says(one.statement, expected)]


def _says(statement: str, expected: Mapping[str, Any]) -> bool:
    text = statement.casefold()
    return all(word.casefold() in text for word in expected["has"]) and not any(
        word.casefold() in text for word in expected.get("lacks", ())
    )


def _is_superseded(expected: Mapping[str, Any], memories: Sequence[Remembered], by_id: Mapping[str, Any]) -> bool:
    """Whether it is history, by the expected successor, and nothing like it is current."""
    history = matching(expected, memories, "superseded")
    successor = by_id.get(expected.get("by", ""))
    successors = {one.id for one in matching(successor, memories, "current")} if successor else None
    is_replaced = any(successors is None or one.replaced_by in successors for one in history)
    return is_replaced and not matching(expected, memories, "current")


_IS_RIGHT = {
    "current": lambda expected, memories, _: bool(matching(expected, memories, "current")),
    "proposed": lambda expected, memories, _: bool(matching(expected, memories, "proposed")),
    "absent": lambda expected, memories, _: not matching(expected, memories, "current", "proposed"),
    "not_current": lambda expected, memories, _: not matching(expected, memories, "current"),
    "superseded": _is_superseded,
}
