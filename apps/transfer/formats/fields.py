"""Fields of items that a client sent: each is checked for its type and cut or refused."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from apps.conversations.field_checks import BadMessage, kind_of, optional_text, required_text, shown
from apps.conversations.limits import LONGEST_CONTENT, LONGEST_TITLE
from apps.engine.extraction.titles import public_title
from apps.transfer.formats.clean_text import clean

Fields = Mapping[str, Any]
MOST_LISTED = 200
_LONGEST_NAME = 200
_LONGEST_SESSION_ID = 190
_LARGEST = 2**31 - 1


def session_id_of(fields: Fields) -> str:
    session_id = required_text(fields, "session_id").strip()
    if not session_id or len(session_id) > _LONGEST_SESSION_ID:
        raise BadMessage("bad_id", f"session_id must have 1 to {_LONGEST_SESSION_ID} characters")
    return session_id


def text_of(fields: Fields, name: str, longest: int = LONGEST_CONTENT) -> str:
    return (optional_text(fields, name, longest) or "").strip()


def short_of(fields: Fields, name: str, longest: int = _LONGEST_NAME) -> str:
    """A text that is cut where it is long, because it only labels something."""
    return text_of(fields, name)[:longest]


def clean_text_of(fields: Fields, name: str) -> str:
    """A text of another program without secrets and private parts, before anything is derived from it."""
    return clean(text_of(fields, name)).strip()


def clean_short_of(fields: Fields, name: str, longest: int = _LONGEST_NAME) -> str:
    """A label of another program, cleaned before it is cut, so that no secret is halved."""
    return clean_text_of(fields, name)[:longest]


def clean_title_of(fields: Fields) -> str:
    """The title of a conversation, without a trace of private parts."""
    return clean(public_title(text_of(fields, "title")))[:LONGEST_TITLE]


def clean_texts_of(fields: Fields, name: str) -> tuple[str, ...]:
    return tuple(text for one in texts_of(fields, name) if (text := clean(one).strip()))


def required_short(fields: Fields, name: str) -> str:
    """A short text that must be there."""
    if not (text := short_of(fields, name)):
        raise BadMessage("missing_field", f"{name} is missing")
    return text


def content_of(fields: Fields, name: str) -> str:
    required_text(fields, name)
    if not (text := text_of(fields, name)):
        raise BadMessage("empty_content", f"{name} is empty")
    return text


def verbatim_of(fields: Fields, name: str) -> str:
    """A text as it stands, with the spaces around it."""
    return optional_text(fields, name, LONGEST_CONTENT) or ""


def texts_of(fields: Fields, name: str) -> tuple[str, ...]:
    listed = fields.get(name) or []
    if not isinstance(listed, list):
        raise BadMessage("wrong_type", f"{name} must be a list, not {kind_of(listed)}")
    texts = [text_of({name: one}, name) for one in listed[:MOST_LISTED] if one is not None]
    return tuple(text for text in texts if text)


def objects_of(fields: Fields, name: str, most: int) -> tuple[Fields, ...]:
    """A list of objects that may be absent, no longer than `most`."""
    listed = fields.get(name) or []
    if not isinstance(listed, list) or len(listed) > most or not all(isinstance(one, dict) for one in listed):
        raise BadMessage("wrong_type", f"{name} must be a list of at most {most} objects")
    return tuple(listed)


def object_of(fields: Fields, name: str) -> Fields:
    """An object that may be absent."""
    value = fields.get(name) or {}
    if not isinstance(value, dict):
        raise BadMessage("wrong_type", f"{name} must be an object, not {kind_of(value)}")
    return value


def number_of(fields: Fields, name: str = "number") -> int:
    number = fields.get(name)
    return number if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < 2**31 else 0


def count_of(fields: Fields, name: str, *, least: int = 0, most: int = _LARGEST) -> int:
    """A whole number that must be there."""
    value = fields.get(name)
    if type(value) is not int or not least <= value <= most:
        raise BadMessage("wrong_type", f"{name} must be a whole number from {least} to {most:,}")
    return value


def date_of(fields: Fields, name: str) -> datetime | None:
    """An ISO 8601 date, or milliseconds since 1970."""
    value = fields.get(name)
    if value is None:
        return None
    try:
        if isinstance(value, str):
            date = datetime.fromisoformat(value)
            date = (date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC)
        elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            date = datetime.fromtimestamp(value / 1_000, UTC)
        else:
            raise ValueError
    except (ValueError, OverflowError, OSError):
        raise BadMessage("bad_date", f"{name} is {shown(value)}, which is no date") from None
    return date


def required_date(fields: Fields, name: str) -> datetime:
    if (date := date_of(fields, name)) is None:
        raise BadMessage("missing_field", f"{name} is missing")
    return date
