"""Make text from a model storable: PostgreSQL's text type takes neither NUL nor lone surrogates."""

from __future__ import annotations

import re

from apps.engine.language.similarity import normalized
from apps.engine.text.normal_form import cleaned

_UNSTORABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def clean(text: str) -> str:
    """The text on one line, without unstorable and hidden characters."""
    return _UNSTORABLE.sub("", normalized(cleaned(text)))


def storable(text: str) -> str:
    """The text with its line breaks, without unstorable and hidden characters."""
    return "\n".join(_UNSTORABLE.sub("", line) for line in cleaned(text).splitlines())
