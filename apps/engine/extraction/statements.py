"""The statement of a memory: the quote without what only belongs to the talk around it."""

from __future__ import annotations

import re

from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.extraction.signal_phrases import ASKS_TO_REMEMBER
from apps.engine.language.similarity import normalized

_OPENING = re.compile(
    r"^(?:(?:and|but|so|ok|okay|yes|yeah|no(?=[,.:!])|well|also|btw|anyway|fyi|then|plus|oh|hi|hey|actually|sorry|right"
    r"|fine|hm+|because|since|y|pero"
    r"|und|aber|et|mais)\b[,.:!]?\s+)+",
    re.IGNORECASE,
)


_BESIDE = " \t\n,;:：，、-–—"


def opened(quote: str) -> str:
    """A quote without the words that only join it to the talk, or ask to remember it.

    >>> opened("and also we tag on Mondays")
    'we tag on Mondays'
    >>> opened("but no data may be lost"), opened("No, we tag on Mondays")
    ('no data may be lost', 'we tag on Mondays')
    """
    return _OPENING.sub("", _what_is_asked(quote))


def statement_of(utterance: Utterance, quote: str) -> str:
    """What the quote says, in one line, with the name of another author before it.

    >>> statement_of(Utterance("1", 0, Speaker.MEMBER, "", name="Bob"), "and also we tag\\non Mondays")
    'Bob: We tag on Mondays'
    >>> statement_of(Utterance("1", 0, Speaker.SELF, ""), "Remember that we tag on Mondays")
    'We tag on Mondays'
    """
    text = normalized(opened(quote)) or normalized(quote)
    text = text[:1].upper() + text[1:]
    return f"{utterance.name}: {text}" if utterance.speaker is Speaker.MEMBER and utterance.name else text


def _what_is_asked(quote: str) -> str:
    """The quote without the words before or after it by which a person asks to remember it."""
    asked = ASKS_TO_REMEMBER.search(quote.replace("’", "'"))
    if asked is None:
        return quote
    return quote[: asked.start()].rstrip(_BESIDE) or quote[asked.end() :].lstrip(_BESIDE)
