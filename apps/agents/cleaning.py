"""Removal of what must not be stored from texts of agents: injected text, private parts, secrets, and what no database
stores."""

from __future__ import annotations

from typing import Any

from apps.common.secrets.redaction import redacted
from apps.engine.extraction.own_words import without_private
from apps.engine.messages.agent_text import without_injected
from apps.engine.messages.tool_digest import input_digest
from apps.engine.text import normal_form

_HEAD, _TAIL = 40_000, 20_000
"""Characters of a tool's text that are read: of the rest a digest has next to nothing."""
_DEEPEST = 40
_TEXT_NAMES = ("text", "content")
"""Of the text in a block."""
# Before each text of a list while they are read as one.
_BETWEEN = "\n\x00"


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
    if isinstance(value, list):
        return [cleaned_value(item, depth + 1) for item in _without_shared_parts(value)]
    if isinstance(value, dict):
        return {cleaned_excerpt(name): cleaned_value(item, depth + 1) for name, item in value.items()}
    return value


def cleaned_input(value: Any) -> str:
    """A tool's input, cleaned before, as short JSON: a name and its value together may show a secret."""
    return redacted(input_digest(value))


def _without_shared_parts(items: list[Any]) -> list[Any]:
    """The items without private parts that go over several of them, as in lines of a patch or blocks of a text."""
    texts = [normal_form.cleaned(text) for text in map(_text_in, items) if text is not None]
    if len(texts) < 2 or not any("<" in text for text in texts):
        return items
    whole = "".join(f"{_BETWEEN}{text}" for text in texts)
    if all(isinstance(item, str) for item in items):
        whole = without_injected(whole, _BETWEEN)
    left = iter(without_private(whole, kept=_BETWEEN).split(_BETWEEN)[1:])
    return [item if _text_in(item) is None else _with_text(item, next(left)) for item in items]


def _text_in(item: Any) -> str | None:
    """The text that an item of a list is, or that the block has which it is."""
    if isinstance(item, dict):
        return next((item[name] for name in _TEXT_NAMES if isinstance(item.get(name), str)), None)
    return item if isinstance(item, str) else None


def _with_text(item: Any, text: str) -> Any:
    if isinstance(item, str):
        return text
    return {**item, next(name for name in _TEXT_NAMES if isinstance(item.get(name), str)): text}


def _without_parts(text: str) -> str:
    return without_private(without_injected(normal_form.cleaned(text)))


def _ends(text: str) -> str:
    if len(text) <= _HEAD + _TAIL:
        return text
    head, tail = text[:_HEAD].rsplit(maxsplit=1)[0], text[-_TAIL:].split(maxsplit=1)[-1]
    return f"{head}\n[… {len(text) - len(head) - len(tail)} characters not read …]\n{tail}"
