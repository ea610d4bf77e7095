"""Salience of a line, which decides the one that is dropped when a field is full.

It depends on the line alone, so that a line has the same score after the messages it came from are compacted.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from apps.engine.language.cue_classifier import field_cues
from apps.engine.language.factuality import factuality
from apps.engine.language.similarity import normalized_case, speaker_of, stems
from apps.engine.summary.open_questions import question_salience
from apps.engine.summary.rolling_summary import Decision, Definition, Entry, Reference, ReferenceType

_VAGUE = re.compile(
    r"^(?:it|this|that|these|those|they|he|she|there|something)\b|\b(?:it|this|that|them)[.!…]?$"
    r"|\b(?:make|do|try|did|made|visiting|see|doing) (?:it|this|that|them)\b"
)
_EMPTY_PRAISE = re.compile(
    r"\b(?:amazing|awesome|great|wonderful|incredible|lovely|fantastic|so (?:much|happy|excited|proud)|blessed"
    r"|thrilled|inspiring|means a lot)\b|!\s*$"
)
_PLATITUDE = re.compile(
    r"\b(?:mak(?:e|ing) (?:a|the) (?:\w+ )?(?:difference|impact)|(?:positive|big|real) (?:impact|difference)"
    r"|give back|inspire others|pursue (?:my|our) dreams"
    r"|(?:chas|follow|reach)(?:e|ing)? (?:my|our|for new) (?:dreams?|goals?)|support (?:each other|network"
    r"|system)|help others|positivity|staying motivated|never give up"
    r"|true to (?:my|your)self|better place|each other)\b"
)
_TYPE_WORTH = {
    ReferenceType.URL: 3.0,
    ReferenceType.ID: 2.8,
    ReferenceType.FILE: 2.6,
    ReferenceType.CODE: 1.8,
    ReferenceType.OTHER: 1.6,
}
_PER_CUE = 0.6
_PER_CHANCE, _USUAL_CHANCE = 12.0, 0.5
_PER_NOTE = 1.5
_PER_DOUBLED_SOURCES = 0.4


def entry_text(entry: Entry) -> str:
    """The words of a line, whatever its kind.

    >>> entry_text(Definition("pack", "what the model sees", ("m1",)))
    'pack: what the model sees'
    """
    if isinstance(entry, Definition):
        return f"{entry.term}: {entry.text}"
    if isinstance(entry, Reference):
        return f"{entry.value} {entry.note}".strip()
    if isinstance(entry, Decision):
        return f"{entry.text} {entry.reason}".strip()
    return entry.text


def body_text(entry: Entry) -> str:
    """The text of a line without its term, reason or note."""
    return entry.value if isinstance(entry, Reference) else entry.text


def salience(field: str, entry: Entry, chance: float | None = None) -> float:
    """The worth of a line of a field, about 0 to 8; `chance` is the reader's that it is worth keeping, if it was read.

    >>> from apps.engine.summary.rolling_summary import Line
    >>> salience("goals", Line("Our goal is 99.9 % by May", ("a",))) > salience("goals", Line("I want that", ("a",)))
    True
    """
    repeated = _PER_DOUBLED_SOURCES * math.log2(max(1, len(entry.sources)))
    if isinstance(entry, Reference):
        return _TYPE_WORTH[entry.type] + repeated + _PER_NOTE * bool(entry.note) + 0.1 * min(5, len(entry.value) // 8)
    reasoned = 1.0 if isinstance(entry, Decision) and entry.reason else 0.0
    read = 0.0 if chance is None else _PER_CHANCE * (chance - _USUAL_CHANCE)
    return _worth(field, entry_text(entry)) + reasoned + repeated + read


@lru_cache(maxsize=20_000)
def _worth(field: str, text: str) -> float:
    body = text[len(speaker_of(text)) :].lstrip(": ")
    if field == "open_questions":
        return question_salience(body)
    cue = field_cues(body).get(field, 1.0)
    low = normalized_case(body[:400])
    told = factuality(text) - 0.6 * bool(_VAGUE.search(low)) - 0.4 * bool(_EMPTY_PRAISE.search(low))
    told -= 1.0 * bool(_PLATITUDE.search(low))
    return max(0.0, _PER_CUE * cue + told + _length_worth(len(stems(body))))


def _length_worth(content_words: int) -> float:
    if content_words < 3:
        return -1.0
    if content_words < 5:
        return 0.0
    return 0.5 if content_words <= 22 else -0.2
