"""Importance of a message, used to select key messages when not all fit.

The part that does not depend on the message's position is stored with it; the position adds the rest. Seed 003.
"""

from __future__ import annotations

import re
from math import log2

from apps.engine.messages.message import Role

_BLANKS = re.compile(r"\s+")
_DECISION = re.compile(
    r"\b(decided|decision|let's go with|we'll use|agreed|final|conclusion|solution|answer|resolved)\b", re.IGNORECASE
)
_PROBLEM = re.compile(
    r"\b(error|bug|issue|problem|failed|broken|fix|crash|exception|TypeError|undefined)\b", re.IGNORECASE
)
_MOST_FOR_LENGTH = 25.0
_MOST_FOR_QUESTIONS = 15
_MOST_FOR_PROBLEMS = 15


def importance(text: str, role: Role) -> float:
    """The position-free part of a message's importance.

    Length up to 25, 15 for each pair of code fences, 5 for a question (15 at most), 10 for each word of decision, 5 for
    each word of trouble (15 at most), 5 for the user's.

    >>> round(importance("We decided: fix the error.", Role.USER), 2)
    37.92
    >>> importance("", Role.ASSISTANT)
    5.0
    """
    words = len(_BLANKS.split(text))
    return (
        min(_MOST_FOR_LENGTH, log2(words + 1) * 5)
        + text.count("```") / 2 * 15
        + min(_MOST_FOR_QUESTIONS, text.count("?") * 5)
        + len(_DECISION.findall(text)) * 10
        + min(_MOST_FOR_PROBLEMS, len(_PROBLEM.findall(text)) * 5)
        + (5 if role is Role.USER else 0)
    )


def importance_of_place(place: int, count: int) -> float:
    """What the place among `count` messages adds: up to 20 towards the end, 15 for the first and the last.

    >>> importance_of_place(0, 10), importance_of_place(5, 10), importance_of_place(9, 10)
    (15.0, 10.0, 33.0)
    """
    return place / count * 20 + (15.0 if place in (0, count - 1) else 0.0)
