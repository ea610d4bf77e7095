"""LoCoMo's conversation format: two speakers, dated sessions, and pictures described by a caption."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from apps.conversations.field_checks import BadMessage, optional_text, required_text, shown
from apps.conversations.imports.parsed_items import ReadMessage, Skipped, message_from
from apps.conversations.limits import LONGEST_EXTERNAL_ID, LONGEST_NAME
from apps.engine.json_input.clean_json import clean_json
from apps.engine.messages.message import Role
from apps.engine.text.normal_form import cleaned

_SESSION = re.compile(r"session_(\d{1,9})")
_DATE = "%I:%M %p on %d %B, %Y"


def sample_messages(conversation: Mapping[str, Any], sample_id: str) -> Iterator[ReadMessage | Skipped]:
    """Yield the messages in the order of their sessions: speaker A as the user, B as the assistant, with their names.

    The number of a skipped message counts all messages of the sample, from 1.
    """
    roles = {_speaker(conversation, "a"): Role.USER, _speaker(conversation, "b"): Role.ASSISTANT}
    number = 0
    for session in _sessions(conversation):
        dated = conversation.get(f"{session}_date_time")
        for place, fields in enumerate(_listed(conversation[session]), start=1):
            number += 1
            clean = clean_json(fields)
            dia_id = clean.value.get("dia_id") if isinstance(clean.value, dict) else None
            where = f"{sample_id}:{dia_id}" if isinstance(dia_id, str) else f"{sample_id}:{session}:{place}"
            try:
                yield replace(_message(clean.value, roles, dated, where), number=number, changes=clean.kinds)
            except BadMessage as bad:
                yield Skipped(number, bad.code, f"{shown(where)}: {bad.detail}")


def sample_title(conversation: Mapping[str, Any]) -> str:
    return f"{_speaker(conversation, 'a')} and {_speaker(conversation, 'b')}"


def session_time(text: object) -> datetime:
    """Parse the date of a session in LoCoMo's format.

    >>> session_time("1:56 pm on 8 May, 2023").isoformat()
    '2023-05-08T13:56:00+00:00'
    """
    if not isinstance(text, str):
        raise BadMessage("wrong_type", "the session's date must be a string")
    try:
        return datetime.strptime(text.strip(), _DATE).replace(tzinfo=UTC)
    except ValueError:
        raise BadMessage("bad_date", f"the session's date is {shown(text)}") from None


def _sessions(conversation: Mapping[str, Any]) -> list[str]:
    numbered = [(int(match[1]), name) for name in conversation if (match := _SESSION.fullmatch(name))]
    return [name for _, name in sorted(numbered)]


def _listed(session: object) -> list[Any]:
    """Return the session's messages; a session that is not a list counts as one unreadable message."""
    return session if isinstance(session, list) else [session]


def _speaker(conversation: Mapping[str, Any], letter: str) -> str:
    name = conversation.get(f"speaker_{letter}")
    return (cleaned(name).strip() if isinstance(name, str) else "") or f"Speaker {letter.upper()}"


def _message(fields: object, roles: Mapping[str, Role], dated: object, where: str) -> ReadMessage:
    if not isinstance(fields, dict):
        raise BadMessage("not_an_object", "a message must be an object")
    speaker = (optional_text(fields, "speaker", LONGEST_NAME) or "").strip()
    if speaker not in roles:
        raise BadMessage("unknown_speaker", f"{shown(speaker)} is neither speaker A nor speaker B")
    told = {"role": roles[speaker].value, "content": _content(fields), "name": speaker, "external_id": where}
    if len(where) > LONGEST_EXTERNAL_ID:
        raise BadMessage("too_long", f"sample_id and dia_id have more than {LONGEST_EXTERNAL_ID} characters")
    if dated is not None:
        told["created_at"] = session_time(dated).isoformat()
    return message_from(told)


def _content(fields: Mapping[str, Any]) -> str:
    """Return the text, followed by the caption of its picture in brackets."""
    caption = optional_text(fields, "blip_caption", 10_000) or ""
    text = required_text(fields, "text") if "text" in fields or not caption else ""
    return f"{text} [{caption}]".lstrip() if caption.strip() else text
