"""Add the reply to an event of VS Code, whose end of a turn names only the transcript that has it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from typing import Any

LONGEST_TAIL = 1_000_000
"""Bytes at the end of a transcript that are read."""


def with_reply(payload: dict[str, Any]) -> dict[str, Any]:
    """The event with the last words of its turn, if its transcript has some. VS Code writes it before it runs hooks."""
    path = transcript_of(payload)
    if not path or payload.get("last_assistant_message"):
        return payload
    try:
        reply = next(_replies(reversed(_last_lines(path))), "")
    except (OSError, ValueError):
        return payload
    return {**payload, "last_assistant_message": reply} if reply else payload


def transcript_of(payload: dict[str, Any]) -> str:
    """The path of an event's transcript, which older versions wrote as the parts of a URI; empty if there is none.

    >>> transcript_of({"transcript_path": {"$mid": 1, "fsPath": "/t/1.jsonl"}}), transcript_of({})
    ('/t/1.jsonl', '')
    """
    path = payload.get("transcript_path")
    if isinstance(path, dict):
        path = path.get("fsPath") or path.get("path")
    return path if isinstance(path, str) else ""


def _last_lines(path: str) -> list[bytes]:
    # Opening a pipe could wait for ever.
    if not stat.S_ISREG(os.stat(path).st_mode):
        return []
    with open(path, "rb") as file:
        start = max(0, file.seek(0, os.SEEK_END) - LONGEST_TAIL)
        file.seek(start)
        lines = file.read(LONGEST_TAIL).splitlines()
    return lines[1:] if start else lines


def _replies(lines: Iterator[bytes]) -> Iterator[str]:
    """The words of the assistant in the turn that ended, the last ones first."""
    for line in lines:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        kind = event.get("type") if isinstance(event, dict) else None
        if kind == "user.message":
            return
        data = event.get("data") if kind == "assistant.message" else None
        content = data.get("content") if isinstance(data, dict) else None
        if isinstance(content, str) and content.strip():
            yield content
