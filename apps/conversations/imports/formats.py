"""Format detection and parsing of conversation files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import BinaryIO

from apps.conversations.imports.jsonl import jsonl_items
from apps.conversations.imports.locomo_samples import locomo_items
from apps.conversations.imports.parsed_items import Item, Place

_HEAD = 4096
_SAMPLE = re.compile(rb'\s*(?:\[|\{\s*"(?:sample_id|conversation|qa|event_summary|observation|session_summary)"\s*:)')


class Format(StrEnum):
    AUTO = "auto"
    JSONL = "jsonl"
    LOCOMO = "locomo"


@dataclass(frozen=True, slots=True)
class Source:
    """A file's name without its folder, and a title; an empty title is derived from the name or the speakers."""

    name: str
    format: Format = Format.AUTO
    title: str = ""


def read_items(file: BinaryIO, source: Source, begin: Place) -> Iterator[Item]:
    """Yield the file's items from a position on, in order; the file must be seekable."""
    form = format_of(file) if source.format is Format.AUTO else source.format
    if form is Format.LOCOMO:
        return locomo_items(file, name=source.name, title=source.title, begin=begin)
    title = source.title or source.name.rpartition(".")[0] or source.name
    return jsonl_items(file, name=source.name, title=title, begin=begin)


def format_of(file: BinaryIO) -> Format:
    """Detect the format by the beginning: a list, or an object whose first field is one of LoCoMo's, is LoCoMo."""
    file.seek(0)
    head = file.read(_HEAD).removeprefix(b"\xef\xbb\xbf")
    return Format.LOCOMO if _SAMPLE.match(head) else Format.JSONL
