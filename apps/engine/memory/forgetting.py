"""Memories that a person asks to forget: which one is meant, and whether that is sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_OFFERED = 5
"""Memories of which a person is asked which one they mean."""
_LIKELY, _LIKELY_BY_WORDS, _POSSIBLE = 0.5, 0.3, 0.2
"""The least chances that a memory is meant: surely, surely where it shares words with the request, and possibly."""
_CLEAR = 0.5
"""A memory is the one that is meant if the next one has at most this share of its chance."""
SURE_COMMAND = 0.9
"""The least chance of a request that is obeyed without asking."""


@dataclass(frozen=True, slots=True)
class ForgetMatch:
    """A memory that a request to forget may mean: the chance that it is relevant to the request's words.

    `is_judged` if that was judged, rather than counted by shared words.
    """

    id: str
    chance: float
    shares_words: bool
    is_judged: bool = True

    @property
    def is_likely(self) -> bool:
        """Whether it may be forgotten without asking, if no other one is meant."""
        return self.is_judged and self.chance >= (_LIKELY_BY_WORDS if self.shares_words else _LIKELY)


def forget_matches(found: Sequence[ForgetMatch]) -> tuple[ForgetMatch, ...]:
    """Return what a request means: one memory if that is clear, else those of which the person chooses, best first.

    >>> passport, ticket = ForgetMatch("passport", 0.7, True), ForgetMatch("ticket", 0.6, False)
    >>> [one.id for one in forget_matches([passport, ForgetMatch("knee", 0.1, True)])]
    ['passport']
    >>> [one.id for one in forget_matches([ticket, passport])]
    ['passport', 'ticket']
    """
    fitting = [one for one in found if one.chance >= (_POSSIBLE if one.shares_words else _LIKELY)]
    best = sorted(fitting, key=lambda one: -one.chance)[:MOST_OFFERED]
    is_clear = len(best) > 1 and best[1].chance <= _CLEAR * best[0].chance
    return tuple(best[:1] if is_clear else best)


def surely_meant(found: Sequence[ForgetMatch]) -> list[ForgetMatch]:
    """Return what is forgotten of facts that are not stored yet, of which nobody can choose.

    That is the one that a request clearly means, and each that is likely whatever its words.

    >>> allergy, stall = ForgetMatch("allergy", 0.7, True), ForgetMatch("stall", 0.36, True)
    >>> [one.id for one in surely_meant([allergy, stall])], surely_meant([stall, stall])
    (['allergy'], [])
    """
    meant = forget_matches(found)
    is_one = len(meant) == 1 and meant[0].is_likely
    return [one for one in meant if is_one or (one.is_judged and one.chance >= _LIKELY)]
