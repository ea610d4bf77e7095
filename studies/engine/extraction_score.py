"""Scoring of extraction against labeled conversations: candidates, and which memory superseded which.

A candidate is right if its quote covers half of a memory's quote and is no longer than the sentences that this stands
in; wrong if it overlaps a trap; a second candidate for a memory is repeated; the others are unlabeled. Superseding one
memory by another is right if the labels say so.
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
    """A memory that a person would make, with its exact words; `value` is one wording of what it says."""

    id: str
    category: str
    message: int
    quote: str
    expected: str
    supersedes: str | None = None
    value: str = ""

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
    kind: str = ""

    @classmethod
    def parse(cls, raw: Mapping[str, Any]) -> Labeled:
        return cls(
            raw["id"],
            raw["language"],
            raw["messages"],
            [_label(memory) for memory in raw["memories"]],
            [Trap(t["message"], t["quote"], t["why"]) for t in raw["traps"]],
            [Question(q["question"], q["answer"], tuple(q["stale"])) for q in raw["questions"]],
            raw.get("kind", ""),
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


@dataclass(frozen=True, slots=True)
class Links:
    """Pairs of positions of stored memories, the later first: what superseded what, and what may have."""

    superseded: Sequence[tuple[int, int]] = ()
    disputed: Sequence[tuple[int, int]] = ()


@dataclass(slots=True)
class ExtractionScore:
    """Counts over all conversations."""

    counts: Counter[str] = field(default_factory=Counter)
    counts_by: dict[str, Counter[str]] = field(default_factory=dict)
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
            for group in (one.category, labeled.language):
                self._group(group)[kind] += 1
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
                counts = self._group(group)
                counts["labels"] += 1
                counts["found"] += label.id in found

    def note_links(self, labeled: Labeled, stored: Sequence[Stored], labels: Mapping[int, str], links: Links) -> None:
        """Count which memories were superseded; `labels` are those of the stored memories, by position."""
        expected = {(label.id, label.supersedes) for label in labeled.labels if label.supersedes}
        found = set(labels.values())
        self.counts["pairs"] += len(expected)
        self.counts["pairs_found"] += sum(later in found and earlier in found for later, earlier in expected)
        ended = {earlier for _, earlier in expected}
        self.counts["current"] += sum(labels.get(position) not in ended for position in range(len(stored)))
        for kind, pairs in (("superseded", links.superseded), ("disputed", links.disputed)):
            for later, earlier in pairs:
                is_right = (labels.get(later), labels.get(earlier)) in expected
                self.counts[kind] += 1
                self.counts[f"{kind}_right"] += is_right
                if not is_right:
                    texts = [labeled.text(one.message)[one.start : one.end] for one in (stored[later], stored[earlier])]
                    self.problems.append(f"{labeled.id} wrongly {kind}: {texts[1]} -> {texts[0]}")
        self.counts["collateral"] += sum(labels.get(earlier) not in ended for _, earlier in links.superseded)

    def _group(self, name: str) -> Counter[str]:
        return self.counts_by.setdefault(name, Counter())

    def recall(self, group: str) -> float:
        counts = self.counts_by.get(group, Counter())
        return _share(counts["found"], counts["labels"])

    def precision(self, group: str) -> float:
        counts = self.counts_by.get(group, Counter())
        return _share(counts["right"], counts["right"] + counts["wrong"])

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
            "supersede_precision": _share(counts["superseded_right"], counts["superseded"]),
            "supersede_recall": _share(counts["superseded_right"], counts["pairs"]),
            "supersede_recall_found": _share(counts["superseded_right"], counts["pairs_found"]),
            "disputed": counts["disputed"],
            "disputed_right": counts["disputed_right"],
            "stale_answers": _share(counts["stale_answers"], counts["stale_questions"]),
            "stale_disputed": _share(counts["stale_disputed"], counts["stale_questions"]),
            "collateral": _share(counts["collateral"], counts["current"]),
        }

    def note_answer(self, *, is_stale: bool, is_disputed: bool = False) -> None:
        """Count the answer to a question about what no longer holds; disputed if it names the later memory too."""
        self.counts["stale_questions"] += 1
        self.counts["stale_answers"] += is_stale
        self.counts["stale_disputed"] += is_disputed and not is_stale


def _label(raw: Mapping[str, Any]) -> Label:
    return Label(
        raw["id"],
        raw["category"],
        raw["message"],
        raw["quote"],
        raw["expected"],
        raw.get("supersedes") or None,
        raw.get("value", ""),
    )


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
