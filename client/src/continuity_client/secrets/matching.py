"""The secrets in a text by the rules."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

from continuity_client.secrets.checks import compiled, is_confirmed
from continuity_client.secrets.plain_text import plain
from continuity_client.secrets.rules import Label, Rule, all_keywords, all_labels, all_rules
from continuity_client.secrets.tables import values_below

REDACTED = "[redacted:"
_NO_LETTER_BEFORE = "(?<![A-Za-z])"
"""Where a pattern begins so, a keyword inside a word is no reason to compile it."""
NEARBY = 60
"""Characters from a keyword of a label in which its pattern `nearby` must match."""
ANNOUNCED = 400
"""Characters from a match to a keyword of its rule, where the pattern does not begin at one."""
LONGEST_WORD = 64
"""Most characters by which a search around a label is extended to the ends of the words there."""


class Secret(NamedTuple):
    """A secret and its place in a text."""

    start: int
    end: int
    kind: str


def secrets_in(text: str, by_keyword_only: bool = False) -> list[Secret]:
    """The secrets of a text, in order and without overlaps; those that no keyword announces on request not.

    >>> text = "The password is Hunter2!x, and the key AKIAIOSFODNN7EXAMPLE."
    >>> [(one.kind, text[one.start:one.end]) for one in secrets_in(text)]
    [('password', 'Hunter2!x'), ('aws-key', 'AKIAIOSFODNN7EXAMPLE')]
    """
    return disjoint(every_match(text, by_keyword_only))


def every_match(text: str, by_keyword_only: bool = False) -> Iterator[Secret]:
    """What each rule finds, in their order; places may overlap."""
    whole = plain(text)
    finder = _Finder(whole.text)
    for rule in all_rules():
        if finder.announces(rule) if rule.announced_by else not by_keyword_only:
            for start, end in finder.values_of(rule):
                yield Secret(whole.start(start), whole.end(end), rule.kind)
    for start, end, kind in values_below(whole.text, finder.places_of(all_labels()["password"].keywords)):
        yield Secret(whole.start(start), whole.end(end), kind)


def replaced(text: str, found: Sequence[Secret]) -> str:
    """The text with the kind of each secret in its place.

    >>> replaced("PIN: 4711", [Secret(5, 9, "pin")])
    'PIN: [redacted:pin]'
    """
    parts, place = [], 0
    for one in found:
        parts += [text[place : one.start], f"{REDACTED}{one.kind}]"]
        place = one.end
    return "".join((*parts, text[place:]))


def disjoint(found: Iterable[Secret]) -> list[Secret]:
    """Join overlapping secrets, or places where they are searched for.

    The kind of the first remains, of the longer one where two begin together.
    """
    joined: list[Secret] = []
    for one in sorted(found, key=lambda secret: (secret.start, -secret.end)):
        if joined and one.start < joined[-1].end:
            last = joined.pop()
            joined.append(Secret(last.start, max(last.end, one.end), last.kind))
        else:
            joined.append(one)
    return joined


class _Finder:
    """Runs rules on one plain text, and remembers where the keywords and labels are."""

    def __init__(self, text: str) -> None:
        self.text, self.lowered = text, text.lower()
        # Most texts have few of the keywords, and are done after this line.
        self._places = {word: [*_occurrences(self.lowered, word)] for word in all_keywords() if word in self.lowered}
        self._ends: dict[str, list[int]] = {}

    def announces(self, rule: Rule) -> bool:
        return not rule.announced_by.isdisjoint(self._places)

    def values_of(self, rule: Rule) -> Iterator[tuple[int, int]]:
        for match in self._matches(rule):
            start, end = match.span(next((group for group in range(1, match.re.groups + 1) if match[group]), 0))
            value = self.text[start:end]
            if value and not value.startswith(REDACTED) and all(is_confirmed(value, name) for name in rule.checks):
                yield start, end

    def _matches(self, rule: Rule) -> Iterator[re.Match[str]]:
        if rule.labels:
            ends = sorted(end for label in rule.labels for end in self._ends_of(label))
            if rule.around:
                return self._matches_around(rule, ends)
            return _matches_at(self.text, ends, rule.pattern, rule.flags)
        if rule.anchored and rule.keywords:
            return _matches_at(self.text, self._places_of_rule(rule), rule.pattern, rule.flags)
        matches = compiled(rule.pattern, rule.flags).finditer(self.text)
        return filter(self._is_announced(rule), matches) if rule.keywords else matches

    def _is_announced(self, rule: Rule) -> Callable[[re.Match[str]], bool]:
        """Return a test whether a match has one of the rule's keywords near it, in the same of the texts."""
        places = self.places_of(rule.keywords)

        def is_announced(match: re.Match[str]) -> bool:
            first, last = match.start() - ANNOUNCED, match.end() + ANNOUNCED
            first = max(first, self.text.rfind("\0", max(0, first), match.start()))
            nearest = bisect_left(places, first)
            return (
                nearest < len(places)
                and places[nearest] < last
                and "\0" not in self.text[match.end() : places[nearest]]
            )

        return is_announced

    def _matches_around(self, rule: Rule, ends: Sequence[int]) -> Iterator[re.Match[str]]:
        """The matches near places, each in its line, unless it looks like code; no match is yielded twice."""
        lines = (self._line_around(place, rule.around) for place in ends)
        for start, end, _ in disjoint(Secret(*line, rule.kind) for line in lines if not self._has_code(*line)):
            yield from compiled(rule.pattern, rule.flags).finditer(self.text, start, end)

    def _line_around(self, place: int, within: int) -> tuple[int, int]:
        """So much of a place's line on both sides, and the rest of the words at its ends."""
        first, last = max(0, place - within), place + within
        before = max(0, first - LONGEST_WORD)
        start = max(self.text.rfind("\n", before, place), self.text.rfind(" ", before, first), before - 1) + 1
        ends = (self.text.find("\n", place, last + LONGEST_WORD), self.text.find(" ", last, last + LONGEST_WORD))
        return start, min((end for end in ends if end >= 0), default=last + LONGEST_WORD)

    def _has_code(self, start: int, end: int) -> bool:
        following = bisect_left(self._code_signs, start)
        return following < len(self._code_signs) and self._code_signs[following] < end

    def _ends_of(self, name: str) -> list[int]:
        if name not in self._ends:
            label = all_labels()[name]
            matches = _matches_at(self.lowered, self._places_of_label(label), label.pattern)
            self._ends[name] = sorted({match.end() for match in matches})
        return self._ends[name]

    def _places_of_label(self, label: Label) -> list[int]:
        places = self._beginnings(self.places_of(label.keywords, label.digits_within), label.pattern)
        if not label.nearby:
            return places
        nearby = compiled(label.nearby, 0)
        return [place for place in places if nearby.search(self.lowered, place, place + NEARBY)]

    def _places_of_rule(self, rule: Rule) -> list[int]:
        return self._beginnings(self.places_of(rule.keywords, rule.digits_within), rule.pattern)

    def _beginnings(self, places: list[int], pattern: str) -> list[int]:
        """The places at which a pattern may match."""
        if not pattern.startswith(_NO_LETTER_BEFORE):
            return places
        return [place for place in places if not _is_letter(self.lowered[place - 1 : place])]

    def places_of(self, keywords: Sequence[str], digits_within: int = 0) -> list[int]:
        places = sorted({place for keyword in keywords for place in self._places.get(keyword, ())})
        return [place for place in places if self._has_digit(place, digits_within)] if digits_within else places

    def _has_digit(self, place: int, within: int) -> bool:
        following = bisect_left(self._digits, place)
        return following < len(self._digits) and self._digits[following] < place + within

    @cached_property
    def _code_signs(self) -> list[int]:
        return [match.start() for match in compiled("%CODE_SIGNS%", 0).finditer(self.text)]

    @cached_property
    def _digits(self) -> list[int]:
        return [match.start() for match in compiled("[0-9]", 0).finditer(self.text)]


def _is_letter(character: str) -> bool:
    return "a" <= character <= "z"


def _matches_at(text: str, places: Sequence[int], pattern: str, flags: int = 0) -> Iterator[re.Match[str]]:
    """The matches that begin at places; a pattern that has none is not compiled."""
    return filter(None, map(compiled(pattern, flags).match, repeat(text), places)) if places else iter(())


def _occurrences(text: str, word: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)
