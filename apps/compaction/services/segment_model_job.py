"""Have a model write the texts of segments again that were first written without one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.utils import timezone

from apps.common.tenancy import workspace
from apps.compaction.models import SegmentSummary
from apps.compaction.selectors.segments import (
    Material,
    material_is_current,
    material_of,
    segment_to_better,
)
from apps.compaction.services.summarizer import REFUSALS
from apps.compaction.summarizers.segment_prompt import PROMPT_VERSION, SegmentRequest
from apps.compaction.summarizers.segments import segment_fits, segment_with_model
from apps.conversations.selectors.access import conversation_lock
from apps.engine.policy import Policy
from apps.jobs.services import Lease, RescheduleJob, job_progress, lease_fence
from apps.llm.budget.rules import resets_at
from apps.llm.errors import ModelError
from apps.llm.providers.base import Purpose
from apps.llm.services.background_call import CallAccount
from apps.llm.services.budget_status import summary_refusal
from apps.llm.services.registry import provider_for

_CALL_S = 18


# The number of newest level-1 segments that a model may summarize.
_FOR_MODEL = 50


_LOOK_AGAIN_S, _SPREAD_S = 3_000, 600


def segment_improve(lease: Lease, policy: Policy) -> bool:
    """Rewrite one segment's text by a model."""
    conversation_id = UUID(lease.key)
    if not policy.auto_compact:
        return False
    with workspace(lease.workspace_id):
        chosen = provider_for(Purpose.COMPACTION, policy)
        if not chosen.configured:
            return False
        row = segment_to_better(conversation_id, _FOR_MODEL)
        material = material_of(row) if row else None
        refused = summary_refusal(chosen, policy)
    if material is None:
        return False
    if refused:
        raise RescheduleJob(_rest_s(conversation_id))
    stretch = SegmentRequest(material.messages, material.texts, material.target, policy)
    if not segment_fits(stretch, chosen):
        with segment_unit(lease):
            _keep(material)
        return True
    account = CallAccount(chosen, lease.workspace_id, conversation_id)
    try:
        text, model = segment_with_model(stretch, source_hash=material.source_hash, account=account, limit_s=_CALL_S)
    except ModelError as error:
        if error.code in REFUSALS:
            raise RescheduleJob(error.retry_after or _rest_s(conversation_id)) from None
        with segment_unit(lease):
            _note_failure(material, error)
        raise
    with segment_unit(lease):
        if material_is_current(material):
            _replace(material, text, model)
        job_progress(lease, done=1)
    return True


def _rest_s(conversation_id: UUID) -> float:
    """Retry within an hour, or after the daily budget resets, with jitter to spread the conversations."""
    now = timezone.now()
    return min(_LOOK_AGAIN_S, (resets_at(now) - now).total_seconds()) + conversation_id.int % _SPREAD_S


@contextmanager
def segment_unit(lease: Lease) -> Iterator[UUID]:
    """A unit that locks the conversation's row and the job."""
    conversation_id = UUID(lease.key)
    with workspace(lease.workspace_id):
        conversation_lock(conversation_id)
        lease_fence(lease)
        yield conversation_id


def _replace(material: Material, text: str, model: str) -> None:
    SegmentSummary.objects.filter(pk=material.row_id).update(
        text=text,
        source_hash=material.source_hash,
        prompt_version=PROMPT_VERSION,
        model=model,
        tries_left=0,
        updated_at=timezone.now(),
    )


def _keep(material: Material) -> None:
    """Keep the extractive text permanently."""
    SegmentSummary.objects.filter(pk=material.row_id).update(tries_left=0, updated_at=timezone.now())


def _note_failure(material: Material, error: ModelError) -> None:
    """Keep the extractive text; after the last try permanently."""
    for row in SegmentSummary.objects.filter(pk=material.row_id, tries_left__gt=0):
        row.tries_left = row.tries_left - 1 if error.retryable else 0
        row.save(update_fields=["tries_left", "updated_at"])
