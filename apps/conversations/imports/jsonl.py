"""JSON Lines: one message a line, `{role, content, name?, created_at?, external_id?}`; a file is one conversation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

from apps.conversations.imports.json_stream import Piece, pieces_of
from apps.conversations.imports.line_reader import LONGEST_LINE, Line, lines_of
from apps.conversations.imports.parsed_items import (
    BadMessage,
    ConversationSeed,
    Item,
    Place,
    ReadMessage,
    Skipped,
    message_from,
)
from apps.conversations.limits import LONGEST_TITLE

_DIGITS = 32


def jsonl_items(file: BinaryIO, *, name: str, title: str, begin: Place) -> Iterator[Item]:
    """Everything in the file from a place on.

    **Identity.** The conversation is known by the file's name and its first message, a message by its `external_id`,
    else by its line, its place in that line, and its text as it stands there. So a file imported again adds nothing,
    and one that grew at its end adds what is new; a changed line is another message, and a line inserted further up
    makes all behind it others.
    """
    seed = _seed(file, name, title)
    for line in lines_of(file, begin):
        found = _found_in(line)
        for place, one in enumerate(found, start=1):
            # A line is done with its last item: one that is interrupted is read again whole.
            after = line.after if place == len(found) else Place(line.after.major - line.size, line.number - 1)
            yield Item(one, after, seed)


def _seed(file: BinaryIO, name: str, title: str) -> ConversationSeed | None:
    for line in lines_of(file, Place()):
        for found in _found_in(line):
            if isinstance(found, ReadMessage):
                first = digest(name, found.external_id or "", found.role, found.content)
                return ConversationSeed(first, title[:LONGEST_TITLE])
    return None


def _found_in(line: Line) -> list[ReadMessage | Skipped]:
    found = [_message(line, place, piece) for place, piece in enumerate(_pieces(line))]
    last = found[-1] if found else None
    if isinstance(last, Skipped) and last.code == "invalid_json" and not line.ended:
        found[-1] = Skipped(line.number, "truncated", "the file ends in the middle of it")
    return found


def _message(line: Line, place: int, piece: Piece) -> ReadMessage | Skipped:
    if piece.value is None:
        return Skipped(line.number, piece.code, piece.detail)
    try:
        message = message_from(piece.value)
    except BadMessage as bad:
        return Skipped(line.number, bad.code, bad.detail)
    external_id = message.external_id or digest(str(line.number), str(place), piece.text)
    return replace(message, external_id=external_id, number=line.number)


def digest(*parts: str) -> str:
    """A name that the same parts always get."""
    name = hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f"import:{name[:_DIGITS]}"


def _pieces(line: Line) -> Iterator[Piece]:
    if line.is_too_long:
        yield Piece("", None, "line_too_long", f"{line.size} bytes; a line holds at most {LONGEST_LINE}")
        return
    try:
        text = line.content.decode()
    except UnicodeDecodeError as error:
        yield Piece("", None, "not_utf8", f"byte {error.start} is not UTF-8")
        return
    if text.strip():
        yield from pieces_of(text)
