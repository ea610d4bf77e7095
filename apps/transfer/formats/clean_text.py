"""Texts from other stores without private parts and secrets."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.common.secrets.redaction import REDACTED, redacted
from apps.engine.extraction.own_words import without_private
from apps.engine.messages.message import DATA, Part

PRIVATE = "[private]"
_REMOVED = re.compile(rf"{re.escape(PRIVATE)}|{re.escape(REDACTED)}[\w-]*\]?")


def clean(text: str) -> str:
    """The text with `[private]` and the kind of each secret in their places.

    >>> clean("Use postgres://app:s3cret@db <private>or so</private>")
    'Use postgres://app:[redacted:url-password]@db [private]'
    """
    return redacted(without_private(text, PRIVATE))


def without_placeholders(text: str) -> str:
    """A cleaned text without what shows that something was removed, for names.

    >>> without_placeholders("Card [redacted:card-number] of [private]")
    'Card  of '
    """
    return _REMOVED.sub("", text)


def clean_part(part: Part) -> Part:
    url = part.url if part.url.startswith(DATA) else clean(part.url)
    return replace(part, text=clean(part.text), summary=clean(part.summary), name=clean(part.name), url=url)
