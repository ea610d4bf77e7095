"""Queries as long as a message: the part of one that is searched for."""

from __future__ import annotations

from apps.engine.language.excerpt import shortened
from apps.engine.memory.ranking_features import LONGEST_QUESTION

_CUT = "…"


def searched_part(text: str) -> str:
    """A query of up to `LONGEST_QUESTION` characters; of a longer one its ends, and lines with code and names.

    >>> searched_part("Which tea?")
    'Which tea?'
    >>> part = searched_part("Look: " + "a log line\\n" * 10_000 + "Why does parse_date fail?")
    >>> len(part) <= LONGEST_QUESTION, part[:5], part[-25:]
    (True, 'Look:', 'Why does parse_date fail?')
    """
    return shortened(text, _CUT, LONGEST_QUESTION)
