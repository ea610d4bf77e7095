"""Files of instructions and of memory that an agent has read in a session: their content need not be repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias, cast
from uuid import UUID

from django.conf import settings
from django.db.models import Max
from django.utils.module_loading import import_string

from apps.agents.models import AgentSession, Observation, ObservationKind
from apps.agents.records import INSTRUCTIONS
from apps.context.already_read import NOTHING_READ, AlreadyRead

_AT_EVERY_START = ("session_start", "include")
# Claude Code reads these again when it has compacted a session; a nested file only when it works in its folder again.
_AFTER_COMPACTION = (*_AT_EVERY_START, "compact")
_MOST_LOADED = 100
MemoriesOfFiles: TypeAlias = Callable[[UUID, Iterable[str]], Iterator[tuple[UUID, str]]]


@dataclass(frozen=True, slots=True)
class _Loaded:
    file: str
    reason: str
    sentences: frozenset[str]
    read_at: datetime


def already_read(session: AgentSession | None, *, is_compacted: bool = False) -> AlreadyRead:
    """Return what the agent has read in the session and still has; `is_compacted`: it has compacted it just now.

    Before it says so, its last session in the same directory counts, with the files that every session begins with.
    """
    if session is None:
        return NOTHING_READ
    loaded = _loaded(session)
    if loaded:
        loaded = list(_left_by_compaction(session, loaded, is_compacted))
    else:
        loaded = [one for one in _loaded(_last_before(session)) if one.reason in _AT_EVERY_START]
    # The newest version of a file is the one that counts.
    files = {one.file: one.sentences for one in loaded}
    return AlreadyRead(dict(_memories_of_files()(session.user_id, files)), files) if files else NOTHING_READ


def _loaded(session: AgentSession | None) -> list[_Loaded]:
    """What the session read, oldest first."""
    if session is None:
        return []
    rows = Observation.objects.filter(session=session, kind=ObservationKind.SETTING, details__has_key=INSTRUCTIONS)
    newest = rows.order_by("-occurred_at", "-id").values_list("details", "occurred_at")[:_MOST_LOADED]
    read = (_file_read(details[INSTRUCTIONS], read_at) for details, read_at in reversed(newest))
    return [one for one in read if one]


def _file_read(details: Any, read_at: datetime) -> _Loaded | None:
    """The file of an observation; None for details that an earlier import brought and no agent has sent."""
    match details:
        case {"file": str(file), "reason": str(reason), "lines": list(lines)}:
            return _Loaded(file, reason, frozenset(line for line in lines if isinstance(line, str)), read_at)
    return None


def _left_by_compaction(session: AgentSession, loaded: Iterable[_Loaded], is_compacted: bool) -> Iterator[_Loaded]:
    rows = Observation.objects.filter(session=session, kind=ObservationKind.COMPACTION)
    newest = rows.aggregate(newest=Max("occurred_at"))["newest"]
    for one in loaded:
        is_newer = not is_compacted and (newest is None or one.read_at > newest)
        if is_newer or one.reason in _AFTER_COMPACTION:
            yield one


def _last_before(session: AgentSession) -> AgentSession | None:
    rows = AgentSession.objects.filter(user_id=session.user_id, client=session.client, cwd=session.cwd)
    return rows.exclude(pk=session.pk).exclude(cwd="").order_by("-started_at").first()


def _memories_of_files() -> MemoriesOfFiles:
    """What finds the memories that a user imported from files; imports are above this app."""
    return cast(MemoriesOfFiles, import_string(settings.MEMORIES_OF_FILES))
