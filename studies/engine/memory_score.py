"""Scoring of the way from conversation to pack: which packs hold an answer, and which show what no longer holds."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from apps.engine.pack.retrieved import RetrievedItem, excerpts
from studies.engine.abstention import Abstention
from studies.engine.coverage import is_present
from studies.engine.extraction_score import Label, Labeled, Question

PACKS = ("new", "same")
"""A pack of a new conversation, which knows only what is remembered, and one of the conversation itself."""
_SHORTEST_VALUE = 6


@dataclass(frozen=True, slots=True)
class PackView:
    """A rendered pack, its tokens, and its retrieved items with their corrections."""

    text: str
    tokens: int
    items: Sequence[RetrievedItem] = ()

    def has(self, label: Label) -> bool:
        """Whether the pack has a memory's words, or its value."""
        return states(self.text, label)

    def shows_unmarked(self, stale: Label, current: Label) -> bool:
        """Whether words that no longer hold are shown without what replaced them beside them.

        A retrieved memory must name it itself, a retrieved message or a later one of the same excerpt. Elsewhere the
        later message follows.
        """
        quoted = (is_unmarked(together, stale, current) for together in excerpts(self.items))
        return any(quoted) or self.shows_alone(stale, current)

    def shows_alone(self, stale: Label, current: Label) -> bool:
        """Whether words that no longer hold are shown, and what replaced them nowhere in the pack."""
        return _says(self.text, stale.quote) and not self.has(current)


@dataclass(slots=True)
class MemoryScore:
    """Counts by group: `all`, a language, or a kind of conversation."""

    counts_by: dict[str, Counter[str]] = field(default_factory=dict)
    searches_by: defaultdict[str, Abstention] = field(default_factory=lambda: defaultdict(Abstention))
    problems: list[str] = field(default_factory=list)

    def note_pack(self, labeled: Labeled, question: Question, which: str, pack: PackView) -> None:
        """Add the pack for a question, of the new or of the same conversation."""
        labels = {label.id: label for label in labeled.labels}
        answer = labels[question.answer]
        is_answered = pack.has(answer)
        is_unmarked = any(pack.shows_unmarked(labels[one], answer) for one in question.stale)
        is_alone = any(pack.shows_alone(labels[one], answer) for one in question.stale)
        for group in _groups(labeled):
            counts = self.counts_by.setdefault(group, Counter())
            counts.update({f"packs_{which}": 1, f"answers_{which}": is_answered, "tokens": pack.tokens})
            counts.update(stale_questions=bool(question.stale), unmarked=is_unmarked, alone=is_alone)
        if not is_answered:
            self.problems.append(f"{labeled.id} not in the {which} pack: {question.question} ({answer.quote})")
        if is_unmarked:
            self.problems.append(f"{labeled.id} stale in the {which} pack: {question.question} {question.stale}")

    def note_search(self, labeled: Labeled, question: str, *, is_answerable: bool, is_found: bool) -> None:
        """Add a search for a question that the conversation answers, or that only another one does."""
        for group in _groups(labeled):
            self.searches_by[group].note(is_answerable=is_answerable, is_found=is_found)
        if is_answerable and not is_found:
            self.problems.append(f"{labeled.id} abstained: {question}")

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Rows of the table, with a header."""
        yield ("conversations", "questions", "new pack", "same pack", "stale", "tokens", "answered", "abstained")
        for group, counts in self.counts_by.items():
            values = {**_numbers(counts), **self.searches_by[group].numbers()}
            names = ("answer_in_new_pack_4k", "answer_in_same_pack_4k", "stale_unmarked")
            shares = [f"{100 * values[name]:.1f}" for name in names]
            searches = [f"{100 * values[name]:.1f}" if name in values else "–" for name in ("answered", "abstained")]
            yield (group, str(counts["packs_same"]), *shares, f"{values['tokens']:,.0f}", *searches)

    def numbers(self) -> dict[str, float]:
        return {**_numbers(self.counts_by.get("all", Counter())), **self.searches_by["all"].numbers()}


def is_unmarked(together: Sequence[RetrievedItem], stale: Label, current: Label) -> bool:
    """Whether an excerpt has words that no longer hold without a correction, and not what replaced them after them.

    >>> label = [Label("m", "events", 0, words, "accepted") for words in ("we use Redis", "now Valkey")]
    >>> old, new = RetrievedItem("1", "Ann", "we use Redis", 1), RetrievedItem("2", "Ann", "now Valkey", 2)
    >>> is_unmarked([old, new], *label), is_unmarked([old], *label), is_unmarked([new, old], *label)
    (False, True, True)
    """
    for place, one in enumerate(together):
        follows = any(states(other.text, current) for other in together[place:])
        if _says(one.text, stale.quote) and not one.correction and not follows:
            return True
    return False


def _groups(labeled: Labeled) -> tuple[str, ...]:
    return ("all", labeled.language, labeled.kind)


def states(text: str, label: Label) -> bool:
    """Whether a text has a memory's words, or its value as words of their own, unless it is too short to tell.

    >>> label = Label("m1", "entities", 0, "we moved to MySQL 8", "accepted", value="MySQL 8")
    >>> states("They use mysql  8 now.", label), states("They use MySQL 5.", label)
    (True, False)
    """
    if _says(text, label.quote):
        return True
    value = re.escape(_plain(label.value))
    return len(label.value) >= _SHORTEST_VALUE and bool(re.search(rf"(?<!\w){value}(?!\w)", _plain(text)))


def _says(text: str, words: str) -> bool:
    return is_present(_plain(words), _plain(text))


def _plain(text: str) -> str:
    """In one line, in lower case, without the marks of quoted lines."""
    return " ".join(text.replace("\n> ", " ").lower().split())


def _numbers(counts: Counter[str]) -> dict[str, float]:
    packs = sum(counts[f"packs_{which}"] for which in PACKS)
    answers = sum(counts[f"answers_{which}"] for which in PACKS)
    return {
        "answer_in_pack_4k": _share(answers, packs),
        **{
            f"answer_in_{which}_pack_4k": _share(counts[f"answers_{which}"], counts[f"packs_{which}"])
            for which in PACKS
        },
        "stale_unmarked": _share(counts["unmarked"], counts["stale_questions"]),
        "stale_alone": _share(counts["alone"], counts["stale_questions"]),
        "tokens": round(counts["tokens"] / packs) if packs else 0,
    }


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0
