"""Memories in use that a new one would only repeat: the same text at its address or, under any name, in its folder."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.engine.memory.addresses import Address
from apps.engine.memory.same_text import same_text_hash
from apps.engine.memory.trust import Trust, is_low
from apps.memory.models import MemNode
from apps.memory.selectors.nodes import current_leaves

_Text = tuple[str, str]
"""The address of a folder, and the hash of a text."""


class RepeatedMemories:
    """The memories of one tree with one of several texts."""

    def __init__(self, owner_id: UUID | None, texts: Sequence[str]) -> None:
        rows = _with_texts(owner_id, {same_text_hash(text) for text in texts} - {""})
        self._at = {row.uri: row for row in rows}
        self._in: dict[_Text, MemNode] = {}
        for row in rows:
            self._in.setdefault((_folder(row.uri), row.same_text_hash), row)

    def of(self, address: Address, text: str, *, any_name: bool) -> MemNode | None:
        """The memory with the text at the address or, with `any_name`, the first in its folder."""
        hashed, row = same_text_hash(text), self._at.get(address.text)
        if row is not None and row.same_text_hash == hashed:
            return row
        return self._in.get((_folder(address.text), hashed)) if any_name else None


def _with_texts(owner_id: UUID | None, hashes: set[str]) -> list[MemNode]:
    """Memories that are accepted, in use and hold now; one of low trust is none that a person's own words repeat."""
    if not hashes:
        return []
    rows = current_leaves(owner_id).filter(same_text_hash__in=hashes).order_by("created_at", "id")
    return [row for row in rows if not is_low(Trust(row.trust))]


def _folder(uri: str) -> str:
    return uri.rpartition("/")[0]
