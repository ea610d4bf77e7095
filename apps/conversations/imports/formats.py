"""One way into files of any form."""

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
    """A file by its name (without a folder). An empty title stands for one made of the name or the speakers."""

    name: str
    format: Format = Format.AUTO
    title: str = ""


def read_items(file: BinaryIO, source: Source, begin: Place) -> Iterator[Item]:
    """Everything in the file from a place on, in order; the file must be able to seek."""
    form = format_of(file) if source.format is Format.AUTO else source.format
    if form is Format.LOCOMO:
        return locomo_items(file, name=source.name, title=source.title, begin=begin)
    title = source.title or source.name.rpartition(".")[0] or source.name
    return jsonl_items(file, name=source.name, title=title, begin=begin)


def format_of(file: BinaryIO) -> Format:
    """By how it begins: a list, or an object whose first field is one of LoCoMo's, is LoCoMo."""
    file.seek(0)
    head = file.read(_HEAD).removeprefix(b"\xef\xbb\xbf")
    return Format.LOCOMO if _SAMPLE.match(head) else Format.JSONL
