"""Summaries by a configured model: failed runs change nothing, and the engine takes over after two failures."""

from __future__ import annotations

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.services.request import compaction_request
from apps.engine.policy import Level, Policy
from apps.jobs.models import DueJob
from apps.llm.models import ModelUsage
from tests.compaction.runs import check_invariants, compact, context_of, run_due_jobs, runs_of
from tests.conversations.long_conversations import history, long_talk
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour
from tests.providers.fixtures import behaving

pytestmark = pytest.mark.django_db(transaction=True)


def run_retries() -> int:
    """Make pending retries due and run them."""
    DueJob.objects.update(due_at=timezone.now())
    return run_due_jobs()


def test_the_model_writes_the_summary_and_its_usage_is_recorded(alice: Actor, provider: ProviderServer) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)
    compact(alice, conversation_id)
    (run,) = runs_of(alice, conversation_id)
    assert (run.state, run.error_code) == ("succeeded", "")
    assert run.model != "offline"
    assert context_of(alice, conversation_id).rolling_summary["requirements"]
    with workspace(alice.workspace_id):
        assert ModelUsage.objects.get(conversation_id=conversation_id).purpose == "compaction"
    check_invariants(alice, conversation_id)


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        (Behaviour("status", status=529, error_type="overloaded_error"), "overloaded"),
        (Behaviour("hang"), "timeout"),
        (Behaviour("cut"), "cut"),
        (Behaviour("wrong_schema"), "malformed"),
        (Behaviour("not_json"), "malformed"),
        (Behaviour("empty"), "malformed"),
        (Behaviour("refusal"), "refused"),
    ],
    ids=lambda value: value.kind if isinstance(value, Behaviour) else None,
)
def test_a_failed_model_call_changes_only_the_run_record(
    alice: Actor, provider: ProviderServer, settings: Settings, behaviour: Behaviour, code: str
) -> None:
    conversation_id = long_talk(alice, messages=30, tokens=50)
    with behaving(provider, settings, behaviour):
        compact(alice, conversation_id)
    (run,) = runs_of(alice, conversation_id)
    assert (run.state, run.error_code) == ("failed", code)
    assert run.retry_at is not None
    assert all(row.compacted_in is None for row in history(alice, conversation_id))
    run_retries()
    (run,) = runs_of(alice, conversation_id)
    assert (run.state, run.error_code) == ("succeeded", code)
    check_invariants(alice, conversation_id)


def test_after_two_failures_the_engine_writes_the_summary_and_the_run_names_the_error(
    alice: Actor, provider: ProviderServer
) -> None:
    provider.usual = Behaviour("cut")
    conversation_id = long_talk(alice, messages=30, tokens=50)
    with workspace(alice.workspace_id):
        compaction_request(alice, conversation_id=conversation_id, level=Level.LIGHT, policy=Policy())
    for _ in range(3):
        run_retries()
    (run,) = runs_of(alice, conversation_id)
    assert (run.state, run.model, run.error_code) == ("succeeded", "offline", "cut")
    assert history(alice, conversation_id)[0].compacted_in == 1
    check_invariants(alice, conversation_id)


def test_imported_messages_are_compacted_without_the_model(alice: Actor, provider: ProviderServer) -> None:
    conversation_id = long_talk(alice, messages=200)
    run_retries()
    runs = runs_of(alice, conversation_id)
    assert runs[0].model == "offline"
    assert all(run.state == "succeeded" for run in runs)
    check_invariants(alice, conversation_id)
