"""The output of a hook: the server's text in the form that the client's dialect knows, or nothing."""

from __future__ import annotations

import json
import re
from typing import Any

from continuity_client.hook.events import SUBMIT

LONGEST_OUTPUT = 9_500
_LONGEST_END = 100
# The end of the element that the server puts around injected memory; its name ends with a word that differs.
_MEMORY_END = re.compile(r"\n</continuity-memory[\w-]*>\Z")
# These clients take no text from a hook on a prompt.
_SILENT_ON_SUBMIT = ("cursor", "vscode")


def output(client: str, event: str, name: str, answer: Any) -> bytes:
    """The output for an answer of the server; empty if there is nothing to say.

    >>> output("cursor", "start", "sessionStart", {"additional_context": "Facts."})
    b'{"additional_context":"Facts."}'
    """
    text = text_of(answer)
    if not text or (event == SUBMIT and client in _SILENT_ON_SUBMIT):
        return b""
    return _fitted(client, name, text)


def text_of(answer: Any) -> str:
    """The text for the model in an answer of the server."""
    if not isinstance(answer, dict):
        return ""
    specific, context = answer.get("hookSpecificOutput"), answer.get("context")
    text = specific.get("additionalContext") if isinstance(specific, dict) else answer.get("additional_context")
    if isinstance(context, list):
        text = "\n\n".join(one for one in context if isinstance(one, str))
    return text if isinstance(text, str) else ""


def _fitted(client: str, name: str, text: str) -> bytes:
    """The output in at most 9,500 bytes. A longer text ends with a line or a character, inside its element."""
    whole = _encoded(client, name, text)
    if len(whole) <= LONGEST_OUTPUT:
        return whole
    found = _MEMORY_END.search(text, max(0, len(text) - _LONGEST_END))
    end = found.group() if found else ""
    text = text[: len(text) - len(end)]
    # An escaped character has several bytes, so the longest beginning that fits is searched.
    fits, too_long = 0, len(text)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        is_short = len(_encoded(client, name, text[:middle] + end)) <= LONGEST_OUTPUT
        fits, too_long = (middle, too_long) if is_short else (fits, middle)
    line_end = text.rfind("\n", 0, fits)
    return _encoded(client, name, text[: line_end if line_end > fits // 2 else fits] + end)


def _encoded(client: str, name: str, text: str) -> bytes:
    own: dict[str, Any] = {"cursor": {"additional_context": text}, "opencode": {"context": [text]}}
    specific = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
    document = own.get(client, specific)
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
