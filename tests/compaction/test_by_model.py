"""Where a model is configured it summarises; when it fails nothing changes, and in the end the engine does it."""

from __future__ import annotations

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.services.request import compaction_request
from apps.engine.policy import Level, Policy
from apps.jobs.models import DueJob
from apps.llm.models import ModelUsage
from tests.compaction.work import check_invariants, compact, context_of, runs_of, work_off
from tests.conversations.talk import history, long_talk
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

pytestmark = pytest.mark.django_db(transaction=True)


def try_again() -> int:
    """Carry out what waits for its next try."""
    DueJob.objects.update(due_at=timezone.now())
    return work_off()


def test_the_model_summarises_and_its_calls_are_accounted_for(alice: Actor, provider: ProviderServer) -> None:
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    (run,) = runs_of(alice, talk)
    assert (run.state, run.error_code) == ("succeeded", "")
    assert run.model != "offline"
    assert context_of(alice, talk).rolling_summary["requirements"]
    with workspace(alice.workspace_id):
        assert ModelUsage.objects.get(conversation_id=talk).purpose == "compaction"
    check_invariants(alice, talk)


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
def test_a_model_that_fails_changes_nothing_but_the_record(
    alice: Actor, provider: ProviderServer, behaviour: Behaviour, code: str
) -> None:
    provider.usual = behaviour
    talk = long_talk(alice, messages=30, tokens=50)
    compact(alice, talk)
    (run,) = runs_of(alice, talk)
    assert (run.state, run.error_code) == ("failed", code)
    assert run.retry_at is not None
    assert all(row.compacted_in is None for row in history(alice, talk))
    provider.usual = Behaviour()
    try_again()
    (run,) = runs_of(alice, talk)
    assert (run.state, run.error_code) == ("succeeded", code)
    check_invariants(alice, talk)


def test_after_two_failures_the_engine_does_it_and_the_record_says_why(alice: Actor, provider: ProviderServer) -> None:
    provider.usual = Behaviour("cut")
    talk = long_talk(alice, messages=30, tokens=50)
    with workspace(alice.workspace_id):
        compaction_request(alice, conversation_id=talk, level=Level.LIGHT, policy=Policy())
    for _ in range(3):
        try_again()
    (run,) = runs_of(alice, talk)
    assert (run.state, run.model, run.error_code) == ("succeeded", "offline", "cut")
    assert history(alice, talk)[0].compacted_in == 1
    check_invariants(alice, talk)


def test_what_an_import_brings_is_folded_without_the_model(alice: Actor, provider: ProviderServer) -> None:
    talk = long_talk(alice, messages=200)
    try_again()
    runs = runs_of(alice, talk)
    assert runs[0].model == "offline"
    assert all(run.state == "succeeded" for run in runs)
    check_invariants(alice, talk)
