"""Scoring of extraction against labeled conversations: right, wrong, repeated and unlabeled candidates.

A candidate is right if its quote covers half of a memory's quote and is no longer than the sentences that this stands
in; wrong if it overlaps a trap; a second candidate for a memory is repeated; the others are unlabeled.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_SENTENCE_END = re.compile(r"[.!?。！？…](?=\s|$)|\n|(?<=[。！？])")
_NEGATION = re.compile(
    r"\b(?:not|never|no|nobody|nothing|none|nor|nope|nah|nie|nicht|kein\w*|nunca|jamás|nada|pas|jamais|cannot)\b|n't|nowhere"
    r"|ない|ません|じゃな|al revés|en mi vida",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"\b(?:i prefer|i like|i love|i want|i'd like|i always|i never|always|never|remember|note that|please|pls"
    r"|from now on"
    r"|we(?:'ve)? decided|decided (?:to|on|against)|we agreed|my name is|i'm called|it's called|i work as|i use|we use"
    r"|bitte|ich mag|ich möchte|ab jetzt|prefiero|quiero|siempre|se llama|recuerda|je préfère|je veux|s'appelle"
    r"|désormais)\b|お願い|好き",
    re.IGNORECASE,
)
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Label:
    """A memory that a person would make, with its exact words."""

    id: str
    category: str
    message: int
    quote: str
    expected: str

    @property
    def has_cue(self) -> bool:
        return bool(_CUE.search(self.quote))


@dataclass(frozen=True, slots=True)
class Trap:
    """Words that look like a memory and are none."""

    message: int
    quote: str
    why: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question about memories; `stale` are the ids of those that no longer hold."""

    question: str
    answer: str
    stale: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Labeled:
    """A conversation with its labels."""

    id: str
    language: str
    messages: Sequence[Mapping[str, Any]]
    labels: Sequence[Label]
    traps: Sequence[Trap]
    questions: Sequence[Question]

    @classmethod
    def parse(cls, raw: Mapping[str, Any]) -> Labeled:
        return cls(
            raw["id"],
            raw["language"],
            raw["messages"],
            [Label(m["id"], m["category"], m["message"], m["quote"], m["expected"]) for m in raw["memories"]],
            [Trap(t["message"], t["quote"], t["why"]) for t in raw["traps"]],
            [Question(q["question"], q["answer"], tuple(q["stale"])) for q in raw["questions"]],
        )

    def text(self, index: int) -> str:
        return str(self.messages[index]["content"])


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored memory: the place of its quote, its category, and whether it is accepted or proposed."""

    message: int
    start: int
    end: int
    category: str
    state: str


@dataclass(slots=True)
class ExtractionScore:
    """Counts over all conversations."""

    counts: Counter[str] = field(default_factory=Counter)
    recall_by: dict[str, Counter[str]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def note(self, labeled: Labeled, stored: Iterable[Stored]) -> dict[int, str]:
        """Count a conversation's memories; return the label that each of them matches, by position."""
        matched: dict[int, str] = {}
        taken: set[Trap] = set()
        for position, one in enumerate(stored):
            self.counts["candidates"] += 1
            traps = [trap for trap in labeled.traps if _takes(one, trap, labeled)]
            label = next((label for label in labeled.labels if _covers(one, label, labeled)), None)
            taken.update(traps)
            kind = "wrong" if traps else _kind(label, matched)
            self.counts[kind] += 1
            if kind != "right":
                self.problems.append(f"{labeled.id} {kind}: {labeled.text(one.message)[one.start : one.end]}")
            elif label is not None:
                self.counts["category_right"] += one.category == label.category
                self.counts["state_right"] += one.state == label.expected
            if label is not None:
                matched[position] = label.id
        self.counts["traps"] += len(labeled.traps)
        self.counts["traps_taken"] += len(taken)
        self._note_recall(labeled, set(matched.values()))
        return matched

    def _note_recall(self, labeled: Labeled, found: set[str]) -> None:
        for label in labeled.labels:
            groups = ("all", label.category, labeled.language, "with cue" if label.has_cue else "without cue")
            for group in groups:
                counts = self.recall_by.setdefault(group, Counter())
                counts["labels"] += 1
                counts["found"] += label.id in found

    def recall(self, group: str) -> float:
        counts = self.recall_by.get(group, Counter())
        return _share(counts["found"], counts["labels"])

    def numbers(self) -> dict[str, float]:
        counts = self.counts
        return {
            "precision": _share(counts["right"], counts["right"] + counts["wrong"]),
            "recall": self.recall("all"),
            "recall_with_cue": self.recall("with cue"),
            "recall_without_cue": self.recall("without cue"),
            "unlabelled_share": _share(counts["unlabeled"], counts["candidates"]),
            "traps_taken": _share(counts["traps_taken"], counts["traps"]),
            "repeated": counts["repeated"],
            "category_right": _share(counts["category_right"], counts["right"]),
            "state_right": _share(counts["state_right"], counts["right"]),
            "stale_answers": _share(counts["stale_answers"], counts["stale_questions"]),
        }

    def note_answer(self, *, is_stale: bool) -> None:
        """Count the answer to a question about a memory that no longer holds."""
        self.counts["stale_questions"] += 1
        self.counts["stale_answers"] += is_stale


def _kind(label: Label | None, matched: Mapping[int, str]) -> str:
    if label is None:
        return "unlabeled"
    return "repeated" if label.id in matched.values() else "right"


def _covers(one: Stored, label: Label, labeled: Labeled) -> bool:
    if label.message != one.message:
        return False
    text = labeled.text(label.message)
    start = text.index(label.quote)
    shared = _overlap(one, start, start + len(label.quote))
    longest = max(_sentences_length(text, start, start + len(label.quote)), len(label.quote))
    return shared >= _HALF * len(label.quote) and one.end - one.start <= longest


def _takes(one: Stored, trap: Trap, labeled: Labeled) -> bool:
    """Whether a memory takes a trap's words; a negated claim only if the memory omits the negation."""
    text = labeled.text(trap.message)
    start = text.find(trap.quote)
    if trap.message != one.message or _overlap(one, start, start + len(trap.quote)) <= 0:
        return False
    return trap.why != "negated" or not _NEGATION.search(text[one.start : one.end])


def _overlap(one: Stored, start: int, end: int) -> int:
    return min(one.end, end) - max(one.start, start)


def _sentences_length(text: str, start: int, end: int) -> int:
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    return min(place for place in ends if place >= end) - max(place for place in ends if place <= start)


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0
