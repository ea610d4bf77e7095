"""The job that reads what a person has just said in a chat, so that it is remembered within seconds.

It uses the reader alone and leaves the position where it is: the run after a pause reads the messages again, with a
model if there is one, and does not store twice what the reader found.
"""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import structlog

from apps.common.tenancy import workspace
from apps.conversations.selectors.access import conversation_lock
from apps.engine.extraction.candidate import Extraction, Speaker
from apps.extraction.selectors.unread import still_unread
from apps.extraction.services.already_read import without_read
from apps.extraction.services.comparing.similar import Similar, similar_to
from apps.extraction.services.events import memories_announce
from apps.extraction.services.plan import found_by_reader
from apps.extraction.services.run_records import Run, SwitchedOff, run_at_once, run_check
from apps.extraction.services.snapshot import Snapshot, newest_snapshot_take
from apps.extraction.services.store import candidates_store
from apps.jobs.services import Lease, job_complete, lease_fence
from apps.llm.errors import ModelError

_log = structlog.get_logger("continuity.extraction")


def read_at_once(lease: Lease) -> None:
    """Read the newest messages of a conversation that no run has read, and store what its owner says in them."""
    with workspace(lease.workspace_id):
        run = run_at_once(UUID(lease.key))
        snapshot = newest_snapshot_take(run.conversation_id) if run else None
    found = _found(snapshot) if snapshot else Extraction((), ())
    is_any = found.candidates or found.possible or found.forgets
    similar = similar_to(run.actor, run.conversation_id, found) if run and is_any else Similar(found)
    with workspace(lease.workspace_id):
        if run and snapshot:
            _store(run, snapshot, similar)
        lease_fence(lease)
        job_complete(lease, debounce_s=0, max_wait_s=0)


def _found(snapshot: Snapshot) -> Extraction:
    """What the owner says; nothing where the reader is not installed: the run after a pause says why to the person."""
    own = [one for one in snapshot.transcript.messages if one.speaker in (Speaker.SELF, Speaker.ASSISTANT)]
    try:
        return found_by_reader(replace(snapshot, transcript=replace(snapshot.transcript, messages=own)))
    except ModelError as error:
        if error.retryable:
            raise
        _log.warning("extraction.no_reader", detail=error.detail)
        return Extraction((), ())


def _store(run: Run, snapshot: Snapshot, similar: Similar) -> None:
    """Store what was found, unless it was switched off since, or a run was faster."""
    conversation = conversation_lock(run.conversation_id)
    try:
        run_check(run, conversation)
    except SwitchedOff:
        return
    new, _ = without_read(similar.found, still_unread(run.conversation_id, snapshot.rows))
    if new != Extraction((), ()):
        candidates_store(run.actor, conversation_id=conversation.id, run_id=run.id, found=new, similar=similar)
    if new.candidates or new.refused or new.forgets:
        memories_announce(conversation)
