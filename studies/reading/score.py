"""The score of candidates against the labels, by the rules of material/CARD.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise

from apps.engine.language.similarity import nfkc, stems
from apps.engine.reading.spans import is_spaceless
from studies.reading.examples import naming
from studies.reading.material import Fact, Row, Span
from studies.reading.parts import sentences


@dataclass(frozen=True)
class Candidate:
    """What a reader would keep of a message, and what it takes it for."""

    span: Span
    chance: float
    about: str = ""
    """`user`, or a name or noun; empty if the reader does not say."""
    category: str = ""
    attribute: str = ""
    change: str = ""


@dataclass(frozen=True)
class Reading:
    """What a reader says of a message."""

    candidates: tuple[Candidate, ...]
    command: str = ""
    commanded: str = ""


@dataclass
class Score:
    """Counts over rows; they add up."""

    rows: int = 0
    facts: int = 0
    traps: int = 0
    right: int = 0
    wrong: int = 0
    unlabeled: int = 0
    found: int = 0
    taken: int = 0
    subject_right: int = 0
    category_right: int = 0
    attribute_right: int = 0
    changes: int = 0
    change_right: int = 0
    commands_right: int = 0
    commands_predicted: int = 0
    commands: int = 0
    mistakes: list[str] = field(default_factory=list)

    def __iadd__(self, other: Score) -> Score:
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))
        return self

    def numbers(self) -> dict[str, float]:
        said = self.commands_predicted + self.commands
        return {
            "precision": share(self.right, self.right + self.wrong),
            "recall": share(self.found, self.facts),
            "traps_taken": share(self.taken, self.traps),
            "subject_right": share(self.subject_right, self.found),
            "category_right": share(self.category_right, self.found),
            "attribute_right": share(self.attribute_right, self.found),
            "command_right": share(2 * self.commands_right, said),
            "change_right": share(self.change_right, self.changes),
        }


def share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0


def score_of(row: Row, reading: Reading, least: float) -> Score:
    """Count the candidates of a row that have at least a chance; the surest are matched first."""
    score = Score(rows=1, facts=len(row.facts), traps=len(row.traps))
    kept = sorted((one for one in reading.candidates if one.chance >= least), key=lambda one: -one.chance)
    score.taken = sum(any(one.span.shared(trap.span) for one in kept) for trap in row.traps)
    matched: set[int] = set()
    for candidate in kept:
        _count(score, row, candidate, matched)
    _count_command(score, row, reading)
    return score


def _count(score: Score, row: Row, candidate: Candidate, matched: set[int]) -> None:
    """Count a candidate. One that repeats a fact and touches no trap is neither right nor wrong."""
    fitting = [index for index, fact in enumerate(row.facts) if _fits(row.text, candidate.span, fact.span)]
    new = [index for index in fitting if index not in matched]
    is_trap = any(candidate.span.shared(trap.span) for trap in row.traps)
    if fitting and not new and not is_trap:
        return
    if new:
        matched.add(new[0])
        score.found += 1
        _count_labels(score, candidate, row.facts[new[0]])
    if new and not is_trap:
        score.right += 1
    elif is_trap or not row.facts:
        score.wrong += 1
        score.mistakes.append(f"{row.id}: {row.text[candidate.span.start : candidate.span.end]!r} in {row.text!r}")
    else:
        score.unlabeled += 1


def _fits(text: str, span: Span, quote: Span) -> bool:
    """At least half of the quote, and no more than the sentences that it stands in."""
    around = sum(sentence.length for sentence in sentences(text) if sentence.shared(quote))
    return span.shared(quote) >= quote.length / 2 and span.length <= around


def _count_labels(score: Score, candidate: Candidate, fact: Fact) -> None:
    score.subject_right += _is_same(candidate.about, fact.about)
    score.category_right += candidate.category == fact.category
    score.attribute_right += candidate.attribute == fact.attribute
    score.changes += bool(fact.change)
    score.change_right += bool(fact.change) and candidate.change == fact.change


def _is_same(said: str, meant: str) -> bool:
    """Whether two names have a word in common, in any form, or mean the same relative; the user is only the user."""
    if "user" in (said, meant):
        return said == meant
    return bool(naming(meant, said)) or _share_a_word(said, meant)


def _count_command(score: Score, row: Row, reading: Reading) -> None:
    score.commands += bool(row.command)
    score.commands_predicted += bool(reading.command)
    is_kind = bool(row.command) and reading.command == row.command
    score.commands_right += is_kind and (not row.commanded or _share_a_word(reading.commanded, row.commanded))


def _share_a_word(one: str, other: str) -> bool:
    """Whether two texts share a word of meaning; in scripts without spaces, two characters in a row."""
    return bool(_words(one) & _words(other)) or any(
        len(short) == 1 and is_spaceless(short) and short in long for short, long in ((one, other), (other, one))
    )


def _words(text: str) -> set[str]:
    pairs = {"".join(pair) for pair in pairwise(text) if all(map(is_spaceless, pair))}
    return pairs | set(stems(" ".join(re.findall(r"\w+", nfkc(text).casefold()))))


def total(rows: Sequence[Row], readings: Sequence[Reading], least: float) -> Score:
    """Count all rows."""
    score = Score()
    for row, reading in zip(rows, readings, strict=True):
        score += score_of(row, reading, least)
    return score
