"""Supersession: a later statement about the same thing ends an earlier one that says something else of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from apps.engine.language.similarity import normalized_case, overlap, stems

_EXAMINED = 400
_OLD = r"([\w`'./+#-]+(?: [\w`'./+#-]+){0,3}?)"
_NEW = r"([\w`'./+#-]+(?: [\w`'./+#-]+){0,4}?)"
_STOP = r"(?=[,.;:!?)]|$| (?:because|since|for|so|as|in|on|to|and|due|after|from|at|when|with|by)\b)"
_LEAD = r"(?:^|: |, )"
# What is given up as a whole, whatever was said of it.
_GIVEN_UP = (
    re.compile(rf"{_LEAD}(?:so |but |and )?(?:the |our )?{_OLD} (?:is|are) (?:out|off|dead|gone|cancell?ed)\b(?! of)"),
    re.compile(
        rf"\b(?:drop|dropped|dropping|ditch|ditched|abandon|abandoned|scrap|scrapped|cancel|cancell?ed"
        rf"|forget(?: about)?|no longer (?:use|using|need|want)) (?:the |our |my )?{_OLD}{_STOP}"
    ),
    re.compile(rf"\bnot (?:the |a )?{_OLD} any ?(?:more|longer)\b"),
    re.compile(rf"{_LEAD}(?:the )?{_OLD} (?:was|is|were|are) too [^,.;]{{3,60}}[,;] (?:so|hence)\b"),
)
# One thing in the place of another.
_REPLACED = (
    re.compile(rf"(?:instead of|rather than|in place of) (?:using |the |a )?{_OLD}{_STOP}"),
    re.compile(
        rf"\b(?:switch|switched|switching|move|moved|moving|migrate|migrated|change|changed) from (?:the )?{_OLD}"
        rf" to {_NEW}{_STOP}"
    ),
    re.compile(rf"\breplac(?:e|ed|ing) (?:the )?{_OLD} (?:with|by) {_NEW}{_STOP}"),
    re.compile(
        r"\b(?:i|we) (?:wrote|said|told you|gave you|had|mentioned) ([\w.,:%-]+)(?: [\w-]+)?"
        r" (?:earlier|before|first|by mistake)\b"
    ),
    re.compile(rf", not (?:on )?(?:the |a )?{_OLD}{_STOP}"),
)
_SHORTEST_PREFIX = 4
_FEW_WORDS = 3
_SAME_SUBJECT = 0.75


@dataclass(frozen=True)
class Statement:
    """A sentence, compared with others about the same thing."""

    text: str

    @cached_property
    def topic(self) -> frozenset[str]:
        return stems(self.text)

    @cached_property
    def given_up(self) -> frozenset[str]:
        """The stems of what the sentence says is no longer so, whatever was said of it."""
        return self._first_of(_GIVEN_UP)

    @cached_property
    def replaced(self) -> frozenset[str]:
        """The stems of what the sentence retracts."""
        return self.given_up or self._first_of(_REPLACED)

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(stem for stem in self.topic if stem[0].isdigit())

    @cached_property
    def subject(self) -> frozenset[str]:
        """What the sentence is about, without its numbers."""
        return self.topic - self.numbers

    def _first_of(self, patterns: tuple[re.Pattern[str], ...]) -> frozenset[str]:
        low = normalized_case(self.text)[:_EXAMINED]
        found = next((match for pattern in patterns if (match := pattern.search(low))), None)
        return stems(found.group(1)) if found else frozenset()


def ends(later: Statement, earlier: Statement) -> bool:
    """Whether a later statement ends an earlier one.

    >>> store = Statement("We store events in TimescaleDB.")
    >>> ends(Statement("Timescale is out: events go to PostgreSQL."), store)
    True
    >>> ends(Statement("The pool holds 20 connections."), Statement("The pool holds 10 connections."))
    True
    >>> ends(Statement("Reads go to the replica."), store)
    False
    """
    return _retracts(later, earlier) or _gives_other_number(later, earlier)


def _retracts(later: Statement, earlier: Statement) -> bool:
    old, new = later.replaced, later.topic - later.replaced
    if not old or not _names(old, earlier.topic) or _names(old, earlier.replaced):
        return False
    if new and new <= earlier.topic:
        return False
    rest = earlier.topic - old
    is_only_number = all(word[0].isdigit() for word in old)
    return bool(later.given_up or rest & new) or (len(rest) <= _FEW_WORDS and not is_only_number)


def _gives_other_number(later: Statement, earlier: Statement) -> bool:
    """Whether both give a number for the same thing, and these differ; another word may name another thing."""
    if not later.numbers or not earlier.numbers or later.numbers & earlier.numbers:
        return False
    is_within = later.subject <= earlier.subject or later.subject >= earlier.subject
    return is_within and overlap(later.subject, earlier.subject) >= _SAME_SUBJECT


def _names(thing: frozenset[str], topic: frozenset[str]) -> bool:
    """Whether a topic has every word of a thing, or a longer or shorter form of it."""
    return bool(thing) and all(any(_is_form(word, other) for other in topic) for word in thing)


def _is_form(word: str, other: str) -> bool:
    if word == other:
        return True
    short, long = sorted((word, other), key=len)
    return len(short) >= _SHORTEST_PREFIX and long.startswith(short)
