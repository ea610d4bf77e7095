"""Rewriting of extractive abstracts and overviews by a model."""

from __future__ import annotations

from uuid import UUID

from django.db import connection
from django.db.models import F, QuerySet
from django.utils import timezone

from apps.common.tenancy import current_workspace_id, workspace
from apps.engine.policy import Policy
from apps.jobs.services import Lease, RescheduleJob, job_progress, lease_fence
from apps.llm.budget.rules import resets_at
from apps.llm.errors import ModelError
from apps.llm.providers.base import Purpose
from apps.llm.services.background_call import CallAccount
from apps.llm.services.budget_status import summary_refusal
from apps.llm.services.registry import ChosenModel, provider_for
from apps.memory.models import MemNode, NodeType, Operation
from apps.memory.services.tiers.model_tiers import Tiers, tiers_fit, tiers_with_model
from apps.memory.services.tiers.tier_prompt import TierInput
from apps.memory.services.tree.change_sets import Cause, Change

REASON = "Abstract and overview written by a model."


_CALL_S = 18


_LOOK_AGAIN_S = 3_000


# A later try would soon be refused again.
_REFUSALS = frozenset({"recall_only", "ceiling", "no_price", "resting"})


_SETTLE = """
UPDATE mem_nodes SET tiers_of = content_hash, tries_left = 0 WHERE id IN (
    SELECT id FROM mem_nodes WHERE workspace_id = %(workspace)s AND tiers_of <> content_hash
        AND node_type = 'leaf' AND (tries_left = 0 OR %(all)s)
    ORDER BY id LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED
)
"""


def unlocked_rows() -> QuerySet[MemNode]:
    """Lock rows, skipping those locked by writers: a writer then requests this job, whose row is locked here."""
    return MemNode.objects.select_for_update(no_key=True, skip_locked=True).order_by("uri", "id")


def tiers_settle(lease: Lease, policy: Policy) -> bool:
    """Make the extractive texts final if no model is configured or no attempt remains."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        requested = policy.model_calls_enabled and provider_for(Purpose.EXTRACTION, policy).configured
        with connection.cursor() as cursor:
            cursor.execute(_SETTLE, {"workspace": current_workspace_id(), "all": not requested})
            return bool(cursor.rowcount > 0)


def tiers_improve(lease: Lease, policy: Policy) -> bool:
    """Rewrite one memory's abstract and overview by a model."""
    with workspace(lease.workspace_id):
        row = _next()
        if row is None:
            return False
        chosen = provider_for(Purpose.EXTRACTION, policy)
        refused = summary_refusal(chosen, policy)
    if refused:
        raise RescheduleJob(_rest_s(lease.workspace_id))
    source = TierInput(row.uri, row.l2_content)
    if not tiers_fit(source, chosen):
        _note(lease, row, tries=0)
        return True
    _ask(lease, row, source, chosen)
    return True


def _next() -> MemNode | None:
    """The newest memory that a model may still rewrite."""
    rows = MemNode.objects.exclude(tiers_of=F("content_hash")).filter(
        node_type=NodeType.LEAF, tries_left__gt=0, archived_at__isnull=True
    )
    return rows.order_by("-id").first()


def _ask(lease: Lease, row: MemNode, source: TierInput, chosen: ChosenModel) -> None:
    account = CallAccount(chosen, lease.workspace_id)
    try:
        tiers = tiers_with_model(source, account=account, limit_s=_CALL_S)
    except ModelError as error:
        if error.code in _REFUSALS:
            raise RescheduleJob(error.retry_after or _rest_s(lease.workspace_id)) from None
        _note(lease, row, tries=row.tries_left - 1 if error.retryable else 0)
        raise
    with workspace(lease.workspace_id):
        job_progress(lease, done=1)
        _store(row, tiers, chosen.model)


def _store(requested: MemNode, tiers: Tiers, model: str) -> None:
    """Store the texts unless the memory changed or a person wrote them."""
    row = unlocked_rows().filter(pk=requested.id, content_hash=requested.content_hash).first()
    if row is None or row.tiers_of == row.content_hash:
        return
    change = Change(Cause(Operation.EDIT, None, reason=REASON, made_by=model))
    change.open(row)
    row.l0_abstract, row.l1_overview = tiers.abstract, tiers.overview or row.l1_overview
    row.tiers_of, row.tiers_by, row.tries_left = row.content_hash, model[:120], 0
    change.store()


def _note(lease: Lease, row: MemNode, *, tries: int) -> None:
    """Record the remaining attempts; without any, the extractive text is final."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        locked = [one.id for one in unlocked_rows().filter(pk=row.id, content_hash=row.content_hash)]
        MemNode.objects.filter(pk__in=locked).update(
            tries_left=tries, **({} if tries else {"tiers_of": F("content_hash")})
        )


def _rest_s(workspace_id: UUID) -> float:
    """Retry within an hour, or after the daily budget resets, with jitter to spread the workspaces."""
    now = timezone.now()
    return min(_LOOK_AGAIN_S, (resets_at(now) - now).total_seconds()) + workspace_id.int % 600
