"""The statement of a memory: the quote without what only belongs to the talk around it."""

from __future__ import annotations

import re

from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.language.similarity import normalized

_OPENING = re.compile(
    r"^(?:(?:and|but|so|ok|okay|yes|yeah|no|well|also|btw|anyway|fyi|then|plus|oh|hi|hey|actually|sorry|right"
    r"|fine|hm+|because|since|y|pero"
    r"|und|aber|et|mais)\b[,.:!]?\s+)+",
    re.IGNORECASE,
)


def statement_of(utterance: Utterance, quote: str) -> str:
    """What the quote says, in one line, with the name of another author before it.

    >>> statement_of(Utterance("1", 0, Speaker.MEMBER, "", name="Bob"), "and also we tag\\non Mondays")
    'Bob: We tag on Mondays'
    """
    text = normalized(_OPENING.sub("", quote)) or normalized(quote)
    text = text[:1].upper() + text[1:]
    return f"{utterance.name}: {text}" if utterance.speaker is Speaker.MEMBER and utterance.name else text
