"""JSON Lines: one message a line, `{role, content, name?, created_at?, external_id?}`; a file is one conversation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO

from apps.conversations.field_checks import BadMessage
from apps.conversations.imports.line_reader import LONGEST_LINE, Line, lines_of
from apps.conversations.imports.parsed_items import ConversationSeed, Item, Place, ReadMessage, Skipped, message_from
from apps.conversations.limits import LONGEST_TITLE
from apps.engine.json_input.clean_json import clean_json
from apps.engine.json_input.pieces import Piece, pieces_of

_DIGITS = 32


def jsonl_items(file: BinaryIO, *, name: str, title: str, begin: Place) -> Iterator[Item]:
    """Yield the file's items from a position on.

    **Identity.** A conversation is identified by the file's name and its first message, a message by its
    `external_id`, or else by its line, its position in the line, and its text. So importing a file again adds nothing,
    and a file that grew at its end adds the new messages; a changed line is a new message, and after an inserted line
    all messages are new.
    """
    seed = _seed(file, name, title)
    for line in lines_of(file, begin):
        found = _found_in(line)
        for place, one in enumerate(found, start=1):
            # A line is finished with its last item: an interrupted one is read again from its beginning.
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
    clean = clean_json(piece.value)
    try:
        message = message_from(clean.value)
    except BadMessage as bad:
        return Skipped(line.number, bad.code, bad.detail)
    external_id = message.external_id or digest(str(line.number), str(place), piece.text)
    return replace(message, external_id=external_id, number=line.number, changes=clean.kinds)


def digest(*parts: str) -> str:
    """Return a deterministic id of the parts."""
    name = hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f"import:{name[:_DIGITS]}"


def _pieces(line: Line) -> Iterator[Piece]:
    if line.is_too_long:
        yield Piece("", None, "line_too_long", f"{line.size} bytes; a line can have at most {LONGEST_LINE}")
        return
    try:
        text = line.content.decode()
    except UnicodeDecodeError as error:
        yield Piece("", None, "not_utf8", f"byte {error.start} is not UTF-8")
        return
    if text.strip():
        yield from pieces_of(text, _is_message)


def _is_message(value: dict[str, Any]) -> bool:
    return {"role", "content"} <= value.keys()
