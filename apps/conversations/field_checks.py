"""Checks of single fields of a message from elsewhere, with the reason for a refusal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_SHOWN = 60


class BadMessage(Exception):
    """The reason why a message cannot be stored: `code` is for programs, `detail` for people."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code, detail)
        self.code = code
        self.detail = detail


def required_text(fields: Mapping[str, Any], name: str) -> str:
    if name not in fields:
        raise BadMessage("missing_field", f"{name} is missing")
    return _text(name, fields[name])


def optional_text(fields: Mapping[str, Any], name: str, longest: int) -> str | None:
    value = fields.get(name)
    if value is None:
        return None
    if len(text := _text(name, value)) > longest:
        raise BadMessage("too_long", f"{name} has {len(text)} characters; the limit is {longest}")
    return text


def listed(fields: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a list; none if it is absent."""
    items = fields.get(name)
    if items is None:
        return
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise BadMessage("wrong_type", f"{name} must be a list of objects")
    yield from items


def shown(value: object) -> str:
    """Format a value for a report: short, and in printable ASCII."""
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise BadMessage("wrong_type", f"{name} must be a string, not {kind_of(value)}")
    return value


def kind_of(value: object) -> str:
    kinds = {dict: "an object", list: "a list", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")
