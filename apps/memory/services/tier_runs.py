"""The job of the short tiers: what is older than the tree gets its first ones, directories are compiled anew, and some
memories are told better by a model.

A model is asked only for what was written one by one, and not where the talk of money says no: the texts that were
made without it stay. What it tells is a revision like any other; what a directory says follows from what is in it,
and is none.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import UUID

from django.db import connection
from django.db.models import F, QuerySet
from django.utils import timezone

from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import current_workspace_id, workspace
from apps.engine.categories import Category
from apps.engine.folders import Entry, folder_abstract, folder_overview
from apps.engine.policy import Policy
from apps.jobs.services import Later, Lease, lease_fence
from apps.llm.errors import ModelError
from apps.llm.prompts.tiers import Told
from apps.llm.providers.base import Purpose
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.llm.registry import ChosenModel, provider_for
from apps.llm.services import CallAccount
from apps.llm.services.tiers import Tiers, tiers_fit, tiers_with_model
from apps.llm.spending import resets_at
from apps.llm.standing import summary_refusal
from apps.memory.models import MemNode, NodeType, Operation
from apps.memory.services.announcing import memory_announce
from apps.memory.services.changes import Cause, Change
from apps.memory.services.rows import directories_mark
from apps.memory.services.states import PERSON
from apps.memory.services.tiering import tiers_complete

REASON = "Told in short by a model."
FIRST_REASON = "Told in short for the first time."
_RUN_S, _CALL_S = 10, 18
_UNTOLD, _DIRECTORIES, _ENTRIES, _COUNTED = 20, 20, 100, 1_000
_SOON_S, _LOOK_AGAIN_S = 1, 3_000
# A later try would soon be refused again.
_REFUSALS = frozenset({"recall_only", "ceiling", "no_price", "resting"})
_DATED = frozenset({Category.EVENTS.value, Category.SESSION.value})
_SETTLE = """
UPDATE mem_nodes SET tiers_of = content_hash, tries_left = 0 WHERE id IN (
    SELECT id FROM mem_nodes WHERE workspace_id = %(workspace)s AND tiers_of <> content_hash
        AND node_type = 'leaf' AND (tries_left = 0 OR %(all)s)
    ORDER BY id LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED
)
"""


def tiers_run(lease: Lease) -> None:
    """Work for a while; raises `Later` where more is to be done."""
    end = time.monotonic() + _RUN_S
    with workspace(lease.workspace_id):
        policy = policy_for_workspace()
    for work in (_tell, _compile, _settle, _better):
        while work(lease, policy):
            if time.monotonic() > end:
                raise Later(0)


def _tell(lease: Lease, policy: Policy) -> bool:
    """Some that nobody has told in short yet: those from before the tree alone."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        untold = MemNode.objects.exclude(tiers_of=F("content_hash")).filter(node_type=NodeType.LEAF, tiers_by="")
        names = list(untold.values_list("pk", flat=True)[:_UNTOLD])
        rows = list(_free_rows().filter(pk__in=names, tiers_by=""))
        change = Change(Cause(Operation.EDIT, None, reason=FIRST_REASON, made_by=OFFLINE_MODEL))
        for row in rows:
            change.open(row)
            tiers_complete(row)
        change.store()
    return _all_of(names, rows)


def _compile(lease: Lease, policy: Policy) -> bool:
    """Some directories, the lowest first: what is above them tells of them."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        stale = MemNode.objects.exclude(tiers_of=F("content_hash")).filter(node_type=NodeType.DIRECTORY)
        names = list(stale.order_by("-uri").values_list("pk", flat=True)[:_DIRECTORIES])
        rows = list(_free_rows().filter(pk__in=names))
        changed = [row for row in reversed(rows) if _compiled(row)]
        directories_mark({row.parent_id for row in changed if row.parent_id})
        if changed:
            memory_announce(workspace_id=current_workspace_id(), rows=changed)
    return _all_of(names, rows)


def _free_rows() -> QuerySet[MemNode]:
    """Held, but for those that somebody writes just now: who does then asks for this job, whose row we hold."""
    return MemNode.objects.select_for_update(no_key=True, skip_locked=True).order_by("uri", "id")


def _all_of(names: Sequence[UUID], rows: Sequence[MemNode]) -> bool:
    """Whether to go on at once; where some are being written it is for a later run."""
    if len(rows) < len(names):
        raise Later(_SOON_S)
    return bool(names)


def _compiled(row: MemNode) -> bool:
    """Whether its abstract is another now, of which the directory above tells."""
    before = row.l0_abstract
    row.tiers_of = row.content_hash
    if row.tiers_by != PERSON:
        entries, more = _entries(row)
        row.l0_abstract, row.l1_overview = folder_abstract(entries), folder_overview(entries, more)
        row.tiers_by = OFFLINE_MODEL
    row.save(update_fields=["tiers_of", "l0_abstract", "l1_overview", "tiers_by"])
    return row.l0_abstract != before


def _entries(row: MemNode) -> tuple[list[Entry], int]:
    """What is in a directory and in use, of dated things the newest; and how much more there is."""
    inside = MemNode.objects.filter(parent_id=row.id, archived_at__isnull=True)
    shown = inside.order_by("-uri" if row.category in _DATED else "uri").values_list("uri", "l0_abstract")[:_ENTRIES]
    entries = [Entry(uri.rpartition("/")[2], abstract) for uri, abstract in shown]
    return entries, (inside[:_COUNTED].count() - len(entries)) if len(entries) == _ENTRIES else 0


def _settle(lease: Lease, policy: Policy) -> bool:
    """The texts made without a model stay for good where no model is asked, or none is left to be."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        asked = policy.model_calls_enabled and provider_for(Purpose.EXTRACTION, policy).configured
        with connection.cursor() as cursor:
            cursor.execute(_SETTLE, {"workspace": current_workspace_id(), "all": not asked})
            return bool(cursor.rowcount > 0)


def _better(lease: Lease, policy: Policy) -> bool:
    """Have a model tell one memory anew."""
    with workspace(lease.workspace_id):
        row = _next()
        if row is None:
            return False
        chosen = provider_for(Purpose.EXTRACTION, policy)
        refused = summary_refusal(chosen, policy)
    if refused:
        raise Later(_rest_s(lease.workspace_id))
    told = Told(row.uri, row.l2_content)
    if not tiers_fit(told, chosen):
        _note(lease, row, tries=0)
        return True
    _ask(lease, row, told, chosen)
    return True


def _next() -> MemNode | None:
    """The newest that a model may still be asked about."""
    rows = MemNode.objects.exclude(tiers_of=F("content_hash")).filter(
        node_type=NodeType.LEAF, tries_left__gt=0, archived_at__isnull=True
    )
    return rows.order_by("-id").first()


def _ask(lease: Lease, row: MemNode, told: Told, chosen: ChosenModel) -> None:
    account = CallAccount(chosen, lease.workspace_id)
    try:
        tiers = tiers_with_model(told, account=account, limit_s=_CALL_S)
    except ModelError as error:
        if error.code in _REFUSALS:
            raise Later(error.retry_after or _rest_s(lease.workspace_id)) from None
        _note(lease, row, tries=row.tries_left - 1 if error.retryable else 0)
        raise
    with workspace(lease.workspace_id):
        lease_fence(lease)
        _store(row, tiers, chosen.model)


def _store(asked: MemNode, tiers: Tiers, model: str) -> None:
    """Unless the memory says something else by now, or somebody told it by hand."""
    row = _free_rows().filter(pk=asked.id, content_hash=asked.content_hash).first()
    if row is None or row.tiers_of == row.content_hash:
        return
    change = Change(Cause(Operation.EDIT, None, reason=REASON, made_by=model))
    change.open(row)
    row.l0_abstract, row.l1_overview = tiers.abstract, tiers.overview or row.l1_overview
    row.tiers_of, row.tiers_by, row.tries_left = row.content_hash, model[:120], 0
    change.store()


def _note(lease: Lease, row: MemNode, *, tries: int) -> None:
    """The text that was made without a model stays; after the last try for good."""
    with workspace(lease.workspace_id):
        lease_fence(lease)
        held = [one.id for one in _free_rows().filter(pk=row.id, content_hash=row.content_hash)]
        MemNode.objects.filter(pk__in=held).update(
            tries_left=tries, **({} if tries else {"tiers_of": F("content_hash")})
        )


def _rest_s(workspace_id: UUID) -> float:
    """Within an hour, or when the day's spending begins anew, and not all workspaces at that moment."""
    now = timezone.now()
    return min(_LOOK_AGAIN_S, (resets_at(now) - now).total_seconds()) + workspace_id.int % 600
