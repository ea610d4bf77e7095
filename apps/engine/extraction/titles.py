"""Titles of conversations, which a client takes from the first message."""

from __future__ import annotations

import re

from apps.engine.extraction.own_words import without_private
from apps.engine.language.similarity import normalized

# What formatting and cutting leave of a private part's tags in a title.
_BROKEN_TAG = re.compile(r"<\s{0,5}/?\s{0,5}private", re.IGNORECASE)


def public_title(title: str) -> str:
    """The title without private parts.

    >>> public_title("Plan <private>my divorce</private> in May"), public_title("Plan <PRIVATEmy divorce</priv")
    ('Plan in May', 'Plan')
    """
    text = without_private(title, " ")
    found = _BROKEN_TAG.search(text)
    return normalized(text[: found.start()] if found else text)


def is_title_of(title: str, content: str) -> bool:
    """Whether the title is the beginning of a message, apart from white space, formatting and its ellipsis.

    Titles omit the private parts of a message; older ones do not.

    >>> is_title_of("Plan the move…", "Plan <private>with Kim</private> the **move** to Porto")
    True
    """
    beginning = _letters(title)
    texts = (content, without_private(content))
    return bool(beginning) and any(_letters(text).startswith(beginning) for text in texts)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
