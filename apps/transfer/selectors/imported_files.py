"""The memories that were imported from files which an agent reads itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from uuid import UUID

from apps.memory.models import MemNode
from apps.transfer.formats.items import ImportSource
from apps.transfer.models import ImportedItem


def memory_file_key(file: str) -> str:
    """The key of the item that the import of a memory file creates: its project's folder and its name.

    >>> memory_file_key("/home/ann/.claude/projects/-shop/memory/tabs.md")[:12]
    'memory:f64a7'
    """
    parts = file.replace("\\", "/").split("/")
    name = "/".join((*parts[-3:-2], parts[-1]))
    return f"memory:{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:32]}"


def memories_of_files(user_id: UUID, files: Iterable[str]) -> Iterator[tuple[UUID, str]]:
    """The memories that were imported from these files and not changed since."""
    by_key = {memory_file_key(file): file for file in files}
    rows = ImportedItem.objects.filter(user_id=user_id, source=ImportSource.CLAUDE_MEMORY.value, key__in=by_key)
    nodes = {node: by_key[key] for key, node in rows.values_list("key", "node") if node}
    for node_id in MemNode.objects.filter(pk__in=nodes, version=1).values_list("pk", flat=True):
        yield node_id, nodes[node_id]
