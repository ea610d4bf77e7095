"""Run compaction jobs in-process, through the functions that the worker and the dispatcher call."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun, ConversationContext, SummaryVersion
from apps.compaction.records import RunRecord
from apps.compaction.services.request import compaction_request
from apps.conversations.models import Conversation, Message
from apps.engine.policy import Level, Policy
from apps.engine.summary.rolling_summary import summary_from_json
from apps.jobs.services import claim_due, run_job


def run_due_jobs() -> int:
    """Run jobs until none is due and return how many ran."""
    count = 0
    while claims := claim_due(10):
        for claim in claims:
            run_job(claim.job_id, claim.token)
            count += 1
        assert count < 100, "jobs that never end"
    return count


def without_debounce(settings: Settings) -> Policy:
    """Turn off the debounce until the test ends and return the policy."""
    policy = replace(settings.CONTINUITY_POLICY, compaction_debounce_s=0)
    settings.CONTINUITY_POLICY = policy
    return policy


def compact(actor: Actor, conversation_id: UUID, level: Level = Level.LIGHT) -> RunRecord:
    """Request a compaction and run it."""
    with workspace(actor.workspace_id):
        run = compaction_request(actor, conversation_id=conversation_id, level=level, policy=Policy())
    run_due_jobs()
    return run


def runs_of(actor: Actor, conversation_id: UUID) -> list[CompactionRun]:
    with workspace(actor.workspace_id):
        return list(CompactionRun.objects.filter(conversation_id=conversation_id).order_by("id"))


def context_of(actor: Actor, conversation_id: UUID) -> ConversationContext:
    with workspace(actor.workspace_id):
        return ConversationContext.objects.get(conversation_id=conversation_id)


def check_invariants(actor: Actor, conversation_id: UUID) -> None:
    """Assert that each message is live, excluded or covered by one version; counters and sources must match."""
    with workspace(actor.workspace_id):
        row = Conversation.objects.get(pk=conversation_id)
        messages = list(Message.objects.filter(conversation_id=conversation_id).order_by("index"))
        versions = set(SummaryVersion.objects.filter(conversation_id=conversation_id).values_list("version", flat=True))
        context = ConversationContext.objects.filter(conversation_id=conversation_id).first()
        compacted_by_runs = sum(
            CompactionRun.objects.filter(conversation_id=conversation_id, state="succeeded").values_list(
                "compacted_count", flat=True
            )
        )
    compacted = [message for message in messages if message.compacted_in is not None]
    live = [message for message in messages if message.compacted_in is None and not message.excluded]
    assert [message.index for message in messages] == list(range(row.message_count))
    assert {message.compacted_in for message in compacted} <= versions
    assert len(compacted) <= compacted_by_runs or row.copied_from_id
    assert (row.live_count, row.live_tokens) == (len(live), sum(message.live_cost for message in live))
    if context is not None:
        known = {str(message.id) for message in messages}
        summary = summary_from_json(context.rolling_summary)
        assert all(entry.sources or entry.corrected for _, entry in summary.entries())
        assert all(set(entry.sources) <= known for _, entry in summary.entries())
        assert versions == set(range(1, context.version + 1))
