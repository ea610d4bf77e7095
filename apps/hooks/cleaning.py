"""Removal of what must not be stored from texts of agents: injected text, private parts, secrets, and what no database
stores."""

from __future__ import annotations

from typing import Any

from apps.engine.extraction.own_words import without_private
from apps.engine.messages.agent_text import storable, without_injected
from apps.engine.messages.tool_digest import input_digest
from apps.extraction.secrets import redacted

_HEAD, _TAIL = 40_000, 20_000
"""Characters of a tool's text that are read: of the rest a digest has next to nothing."""
_DEEPEST = 40


def cleaned(text: str) -> str:
    """The text as it may be stored."""
    return redacted(_without_parts(text)).strip()


def cleaned_excerpt(text: str) -> str:
    """Head and tail of a very long text as they may be stored, cut between words so that no secret is halved.

    Private parts are removed before, since their tags may be in what is cut.
    """
    return redacted(_ends(_without_parts(text))).strip()


def cleaned_value(value: Any, depth: int = 0) -> Any:
    """Any JSON with its texts as they may be stored."""
    if isinstance(value, str):
        return cleaned_excerpt(value)
    if depth > _DEEPEST:
        return None
    if _is_text_in_lines(value):
        return cleaned_excerpt("\n".join(value)).split("\n")
    if isinstance(value, list):
        return [cleaned_value(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {cleaned(name): cleaned_value(item, depth + 1) for name, item in value.items()}
    return value


def cleaned_input(value: Any) -> str:
    """A tool's input, cleaned before, as short JSON: a name and its value together may show a secret."""
    return redacted(input_digest(value))


def _is_text_in_lines(value: Any) -> bool:
    """Whether it is a list of texts with a private part that goes over several of them."""
    if not (isinstance(value, list) and value and all(isinstance(item, str) for item in value)):
        return False
    return _without_parts("\n".join(value)) != "\n".join(map(_without_parts, value))


def _without_parts(text: str) -> str:
    return without_private(without_injected(storable(text)))


def _ends(text: str) -> str:
    if len(text) <= _HEAD + _TAIL:
        return text
    head, tail = text[:_HEAD].rsplit(maxsplit=1)[0], text[-_TAIL:].split(maxsplit=1)[-1]
    return f"{head}\n[… {len(text) - len(head) - len(tail)} characters not read …]\n{tail}"
