"""Texts that an agent has read elsewhere, so that the context of its session does not repeat them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from apps.engine.language.shared_lines import is_contained
from apps.engine.language.similarity import normalized

_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class AlreadyRead:
    """Memories whose whole text is that of a file, and the digests of the sentences of files by their paths."""

    nodes: Mapping[UUID, str] = field(default_factory=dict)
    files: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def file_with(self, text: str, node_id: UUID | None = None) -> str:
        """The name of the file that has the text, or the memory with this id; empty if none has."""
        path = self.nodes.get(node_id) if node_id else None
        path = path or next((path for path, digests in self.files.items() if is_contained(text, digests)), "")
        return normalized(path.replace("\\", "/").rpartition("/")[2])[:_LONGEST_NAME]


NOTHING_READ = AlreadyRead()
