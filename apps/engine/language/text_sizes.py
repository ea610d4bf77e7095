"""Bytes of texts where they are sent."""

from __future__ import annotations

import json


def utf8_size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def json_size(text: str) -> int:
    """Bytes of a text within JSON, where quotes and line breaks are escaped.

    >>> json_size('"no"\\n'), json_size("дом")
    (8, 6)
    """
    return utf8_size(json.dumps(text, ensure_ascii=False)) - 2
