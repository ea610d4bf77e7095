"""The job that closes segments and summarizes them: first all without a model, then some by a model.

One run does a few pieces of work: snapshot, text with no transaction open, then lock, look again, and write. What it
does not get done it leaves to the next run. The newest come first, for packs need those.

A model is called only for messages of the conversation itself, and in an older one only for its newest part:
an imported backlog would be hundreds of calls at once for texts that a pack hardly ever shows. Where too little of the
background's share of the day's spending is left it looks again every hour: the limit may be raised.
"""

from __future__ import annotations

from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.common.fault_injection import fault_point
from apps.common.tenancy import workspace
from apps.compaction.selectors.segments import (
    Material,
    material_is_current,
    material_of,
    segments_without_text,
)
from apps.compaction.services.segment_model_job import segment_improve, segment_unit
from apps.compaction.services.segments import segment_store, segment_text_of, segments_close
from apps.engine.policy import Policy
from apps.jobs.services import Lease, RescheduleJob, TimeSlice, job_progress

# Together with one call to a model within what a job may take.
_RUN_S = 10
_PAGE = 2_000
_SLICE = 25


def segments_run(lease: Lease) -> None:
    """Work for a while; raises `RescheduleJob` where more is to be done."""
    time_slice = TimeSlice(lease, _RUN_S)
    with workspace(lease.workspace_id):
        policy = policy_for_workspace()
    if not policy.engine_enabled:
        return
    for work in (_close, _tell, segment_improve):
        while work(lease, policy):
            if time_slice.is_over():
                raise RescheduleJob(0)


def _close(lease: Lease, policy: Policy) -> bool:
    with segment_unit(lease) as conversation_id:
        return segments_close(conversation_id=conversation_id, most=_PAGE)


def _tell(lease: Lease, policy: Policy) -> bool:
    """Make the first texts of a slice of what has none."""
    with workspace(lease.workspace_id):
        slice_ = _slice(UUID(lease.key), policy)
    texts = [segment_text_of(material, policy) for material in slice_]
    fault_point("segments.before_write")
    with segment_unit(lease):
        for material, text in zip(slice_, texts, strict=True):
            if material_is_current(material):
                segment_store(material=material, text=text)
        if slice_:
            job_progress(lease, done=len(slice_))
    return bool(slice_)


def _slice(conversation_id: UUID, policy: Policy) -> list[Material]:
    """As much as may be read at once, and nothing that waits for another text of it."""
    found: list[Material] = []
    room = policy.max_compaction_tokens
    for row in segments_without_text(conversation_id, _SLICE):
        material = material_of(row)
        if material is None or room <= 0:
            break
        found.append(material)
        room -= material.tokens
    return found
