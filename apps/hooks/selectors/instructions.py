"""Files of instructions and of memory that an agent has read in a session: it need not be told their content again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

from apps.context.already_read import NOTHING_READ, AlreadyRead
from apps.hooks.imports.items import ImportSource
from apps.hooks.models import AgentSession, ImportedItem, Observation, ObservationKind
from apps.hooks.records import INSTRUCTIONS
from apps.memory.models import MemNode

_AT_EVERY_START = ("session_start", "include")
_MOST_LOADED = 100


@dataclass(frozen=True, slots=True)
class _Loaded:
    file: str
    reason: str
    sentences: frozenset[str]


def already_read(session: AgentSession | None) -> AlreadyRead:
    """Return what the agent has read in the session.

    Before it says so, its last session in the same directory counts, with the files that every session begins with.
    """
    if session is None:
        return NOTHING_READ
    loaded = _loaded(session) or [one for one in _loaded(_last_before(session)) if one.reason in _AT_EVERY_START]
    # The newest version of a file is the one that counts.
    files = {one.file: one.sentences for one in loaded}
    return AlreadyRead(dict(_imported_from(session.user_id, files)), files) if files else NOTHING_READ


def memory_file_key(file: str) -> str:
    """The key of the item that the import of a memory file creates: its project's folder and its name.

    >>> memory_file_key("/home/ann/.claude/projects/-shop/memory/tabs.md")[:12]
    'memory:f64a7'
    """
    parts = file.replace("\\", "/").split("/")
    name = "/".join((*parts[-3:-2], parts[-1]))
    return f"memory:{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:32]}"


def _loaded(session: AgentSession | None) -> list[_Loaded]:
    """What the session read, oldest first."""
    if session is None:
        return []
    rows = Observation.objects.filter(session=session, kind=ObservationKind.SETTING, details__has_key=INSTRUCTIONS)
    newest = rows.order_by("-occurred_at", "-id").values_list("details", flat=True)[:_MOST_LOADED]
    loaded = [details[INSTRUCTIONS] for details in reversed(newest)]
    return [_Loaded(one["file"], one["reason"], frozenset(one["lines"])) for one in loaded]


def _last_before(session: AgentSession) -> AgentSession | None:
    rows = AgentSession.objects.filter(user_id=session.user_id, client=session.client, cwd=session.cwd)
    return rows.exclude(pk=session.pk).exclude(cwd="").order_by("-started_at").first()


def _imported_from(user_id: UUID, files: Iterable[str]) -> Iterator[tuple[UUID, str]]:
    """The memories that were imported from these files and not changed since."""
    by_key = {memory_file_key(file): file for file in files}
    rows = ImportedItem.objects.filter(user_id=user_id, source=ImportSource.CLAUDE_MEMORY.value, key__in=by_key)
    nodes = {node: by_key[key] for key, node in rows.values_list("key", "node") if node}
    for node_id in MemNode.objects.filter(pk__in=nodes, version=1).values_list("pk", flat=True):
        yield node_id, nodes[node_id]
