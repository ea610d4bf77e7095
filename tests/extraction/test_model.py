"""Memories by a model over HTTP: checked, and those of the reader with the reason when it fails."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.engine.policy import Policy
from apps.extraction.extractors import prompt
from apps.extraction.extractors.prompt import WITH_MODEL
from apps.extraction.models import ReadPosition
from apps.extraction.services import plan, positions
from apps.extraction.services.request import extraction_request
from apps.jobs.models import DueJob
from apps.jobs.selectors import operation_get
from apps.llm.models import ModelUsage
from apps.memory.models import MemNode, MemRevision
from apps.turns.services.messages import messages_set_excluded
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import candidates_of, memories_of, nothing_at_once, remember, texts_of
from tests.jobs.requests import make_due
from tests.memory.trees import write
from tests.providers.answers import known_rows, memory, message_rows
from tests.providers.behaviours import Behaviour
from tests.providers.fixtures import behaving
from tests.providers.server import ProviderServer

pytestmark = pytest.mark.django_db

# No rule knows it.
FACT = "Porto it is, since last spring, with two cats."
LIVES = memory(
    "m0",
    "Porto it is",
    "The user lives in Porto.",
    category="profile",
    subject="user",
    attribute="lives_in",
    value="Porto",
    name="home town",
)


@pytest.fixture
def talk(alice: Actor) -> UUID:
    return conversation(alice, title="Clinic")


def answering(*memories: dict[str, Any]) -> Behaviour:
    return Behaviour(text=json.dumps({"memories": memories}))


def bodies(server: ProviderServer) -> list[dict[str, Any]]:
    return [request.body for request in server.requests if "memories" in json.dumps(request.body)]


def sent(server: ProviderServer) -> str:
    return json.dumps(bodies(server)[-1], ensure_ascii=False)


def position_of(actor: Actor, talk: UUID) -> ReadPosition:
    with workspace(actor.workspace_id):
        return ReadPosition.objects.get(conversation_id=talk)


def test_a_models_memory_is_stored_with_quote_slot_and_source(alice: Actor, talk: UUID, model: ProviderServer) -> None:
    say(alice, talk, FACT)
    model.script(answering(LIVES))
    result = remember(alice, talk)
    assert (result["created"], result["model_unavailable"]) == (1, "")
    [row], [candidate] = memories_of(alice), candidates_of(alice, talk)
    assert (row.l2_content, row.uri, row.trust) == (
        "The user lives in Porto.",
        "mem://user/profile/home-town",
        "direct_user",
    )
    assert (row.subject, row.attribute, row.value, row.many) == ("user", "lives_in", "Porto", False)
    assert (FACT[candidate.start : candidate.end], candidate.statement) == ("Porto it is", row.l2_content)
    assert (candidate.rule, candidate.extractor, candidate.confidence) == ("model", "claude-haiku-5-5", 0.9)
    with workspace(alice.workspace_id):
        assert MemRevision.objects.get(node_id=row.id).made_by == "claude-haiku-5-5"
        assert ModelUsage.objects.get().purpose == "extraction"
    assert position_of(alice, talk).extractor == WITH_MODEL


def test_beside_a_model_that_answered_nothing_else_adds_memories(
    alice: Actor, talk: UUID, model: ProviderServer
) -> None:
    say(alice, talk, "I live in Porto. I prefer short answers.")
    model.script(answering(memory("m0", "I live in Porto", "The user lives in Porto.", category="profile")))
    assert remember(alice, talk)["created"] == 1
    assert texts_of(alice) == ["The user lives in Porto."]


def test_what_is_not_grounded_is_refused_and_its_statement_stored(
    alice: Actor, talk: UUID, model: ProviderServer
) -> None:
    say(alice, talk, FACT)
    model.script(answering(memory("m0", "Porto it is", "The user lives in Lisbon.")))
    result = remember(alice, talk)
    assert (result["refused_reasons"], memories_of(alice)) == ({"not_grounded": 1}, [])
    [candidate] = candidates_of(alice, talk)
    assert (candidate.statement, candidate.source, candidate.category) == ("The user lives in Lisbon.", "said", "")


def test_quotes_in_other_words_are_rejected_once_and_then_refused(
    alice: Actor, talk: UUID, model: ProviderServer
) -> None:
    say(alice, talk, FACT)
    model.usual = answering(memory("m0", "I live in Porto", "The user lives in Porto."))
    assert remember(alice, talk)["refused_reasons"] == {"quote_not_found": 1}
    assert len(bodies(model)) == 2 and "could not be used" in sent(model)


def test_what_others_write_waits_for_a_decision(alice: Actor, talk: UUID, model: ProviderServer) -> None:
    say(alice, talk, "What is the limit?", "The limit is 90 requests.")
    model.script(answering(memory("m1", "The limit is 90 requests", "The limit is 90 requests.", category="entities")))
    assert remember(alice, talk)["proposed"] == 1
    [row] = memories_of(alice)
    assert (row.arrival, row.trust) == ("proposed", "tool")


def test_the_request_has_own_words_only_and_no_secret(alice: Actor, talk: UUID, model: ProviderServer) -> None:
    text = (
        "Mine. <private>Zanzibar <PRIVATE>Pemba</private> Unguja</private> <!-- hidden note --> see:\n"
        "Letter of Bob\n\nThe key is AKIAIOSF"
    )
    say(alice, talk, text, "Noted, go on.", "ODNN7EXAMPLE done\n```\nsecret_code()\n```")
    remember(alice, talk)
    rows = {row["label"]: row for row in message_rows(bodies(model)[-1])}
    assert rows["m0"]["pasted"] == ["Letter of Bob"] and "Mine." in rows["m0"]["text"]
    for hidden in ("Zanzibar", "Pemba", "Unguja", "hidden note", "AKIA", "ODNN7", "secret_code"):
        assert hidden not in sent(model)
    assert "[redacted:aws-key]" in rows["m0"]["text"] and "Letter" not in rows["m0"]["text"]


def test_known_memories_are_listed_and_a_repetition_adds_a_source(
    alice: Actor, talk: UUID, model: ProviderServer
) -> None:
    say(alice, talk, FACT)
    model.script(answering(LIVES))
    remember(alice, talk)
    again = conversation(alice)
    say(alice, again, "Porto, still, and the same two cats.")
    model.script(answering(memory("m0", "Porto, still", "The user is still in Porto.", decision="skip", target="k1")))
    nothing_at_once()
    run_due_jobs()
    result = remember(alice, again)
    assert [row["statement"] for row in known_rows(bodies(model)[-1])] == ["The user lives in Porto."]
    assert (result["known"], texts_of(alice)) == (1, ["The user lives in Porto."])


def test_a_memory_that_no_longer_holds_is_superseded(alice: Actor, talk: UUID, model: ProviderServer) -> None:
    say(alice, talk, FACT)
    model.script(answering(LIVES))
    remember(alice, talk)
    say(alice, talk, "Ok.", "Moved again: Lisbon this time.", role="user")
    slot = {"subject": "user", "attribute": "lives_in", "value": "Lisbon"}
    moved = memory("m2", "Lisbon this time", "The user moved to Lisbon.", decision="supersede", target="k1", **slot)
    model.script(answering(moved))
    assert remember(alice, talk)["replaced"] == 1
    with workspace(alice.workspace_id):
        old = MemNode.objects.get(l2_content="The user lives in Porto.")
    assert old.valid_to is not None and old.superseded_by_id is not None


def test_proposals_are_not_shown_to_the_model(alice: Actor, talk: UUID, model: ProviderServer) -> None:
    say(alice, talk, "What is the limit?", "The limit is 90 requests.")
    model.script(answering(memory("m1", "The limit is 90 requests", "The limit is 90 requests.", category="entities")))
    remember(alice, talk)
    say(alice, talk, "So the limit is 90 requests?")
    remember(alice, talk)
    assert known_rows(bodies(model)[-1]) == []


FAILURES = [
    (Behaviour("hang"), "timeout"),
    (Behaviour("cut"), "cut"),
    (Behaviour("refusal"), "refused"),
    (Behaviour("not_json"), "malformed"),
    (Behaviour("wrong_schema"), "malformed"),
    (Behaviour("empty"), "malformed"),
    (Behaviour("status", status=401), "unauthorized"),
    (Behaviour("status", status=529), "overloaded"),
]


@pytest.mark.parametrize(("behaviour", "code"), FAILURES, ids=lambda value: getattr(value, "kind", value))
def test_after_a_models_failures_the_reader_reads_and_the_run_says_why(
    alice: Actor, talk: UUID, model: ProviderServer, settings: Settings, behaviour: Behaviour, code: str
) -> None:
    say(alice, talk, "I'm a vet.")
    nothing_at_once()
    with behaving(model, settings, behaviour):
        with workspace(alice.workspace_id):
            operation = extraction_request(alice, conversation_id=talk, policy=Policy())
        run_due_jobs()
        while DueJob.objects.filter(kind="extraction").exists():
            assert memories_of(alice) == [] and position_of(alice, talk).next_index == 0
            with workspace(alice.workspace_id):
                assert operation_get(alice, operation.id).stage == f"waiting for the model ({code})"
            make_due()
            run_due_jobs()
    with workspace(alice.workspace_id):
        result = operation_get(alice, operation.id).result
    assert result is not None and (result["created"], result["model_unavailable"]) == (1, code)


@pytest.mark.parametrize(
    ("overrides", "code"), [({"model_calls_enabled": False}, "recall_only"), ({"daily_token_ceiling": 100}, "ceiling")]
)
def test_where_no_model_may_be_called_the_reader_reads_and_the_run_says_so(
    alice: Actor, talk: UUID, model: ProviderServer, settings: Settings, overrides: dict[str, Any], code: str
) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, **overrides)
    say(alice, talk, "I'm a vet.")
    result = remember(alice, talk)
    assert (result["created"], result["model_unavailable"], bodies(model)) == (1, code, [])


def test_messages_that_the_reader_read_are_not_read_again_once_there_is_a_model(
    alice: Actor, talk: UUID, model: ProviderServer, settings: Settings
) -> None:
    policy = settings.CONTINUITY_POLICY
    settings.CONTINUITY_POLICY = replace(policy, model_calls_enabled=False)
    say(alice, talk, FACT)
    remember(alice, talk)
    settings.CONTINUITY_POLICY = policy
    assert remember(alice, talk)["messages"] == 0
    say(alice, talk, "Noted.", "And now?")
    assert remember(alice, talk)["messages"] == 2
    [body] = bodies(model)
    assert [row["label"] for row in message_rows(body)] == ["m1", "m2"]
    assert FACT in sent(model) and position_of(alice, talk).extractor == WITH_MODEL


def test_another_version_of_the_prompt_reads_again(
    alice: Actor, talk: UUID, model: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(alice, talk, FACT)
    model.script(answering(LIVES))
    remember(alice, talk)
    later = (prompt.EXTRACTOR, f"prompt-99+{prompt.EXTRACTOR}")
    monkeypatch.setattr(positions, "CURRENT", later)
    monkeypatch.setattr(plan, "WITH_MODEL", later[1])
    model.script(answering(LIVES))
    result = remember(alice, talk)
    assert (result["messages"], result["known"], result["created"]) == (1, 1, 0)


@pytest.mark.parametrize("shown_earlier", [False, True])
def test_a_message_that_is_excluded_during_the_call_is_in_no_memory(
    alice: Actor, talk: UUID, model: ProviderServer, monkeypatch: pytest.MonkeyPatch, shown_earlier: bool
) -> None:
    [first] = say(alice, talk, FACT)
    if shown_earlier:
        remember(alice, talk)
        say(alice, talk, "Ok.", "Porto it is.")
    read = plan.claims_by_model

    def read_then_exclude(*args: Any) -> Any:
        claims = read(*args)
        with workspace(alice.workspace_id):
            messages_set_excluded(alice, conversation_id=talk, message_ids=[first.id], excluded=True)
        monkeypatch.setattr(plan, "claims_by_model", read)
        return claims

    monkeypatch.setattr(plan, "claims_by_model", read_then_exclude)
    model.script(answering(LIVES if not shown_earlier else {**LIVES, "message": "m2"}))
    remember(alice, talk)
    assert memories_of(alice) == []
    with workspace(alice.workspace_id):
        assert Message.objects.get(pk=first.id).excluded


def test_a_second_run_over_the_same_messages_asks_no_model(alice: Actor, talk: UUID, model: ProviderServer) -> None:
    say(alice, talk, FACT)
    remember(alice, talk)
    remember(alice, talk)
    assert len(bodies(model)) == 1


def test_a_request_to_forget_is_obeyed_where_a_model_reads_too(alice: Actor, talk: UUID, model: ProviderServer) -> None:
    write(alice, "mem://user/profile/knees", "I have arthritis in both knees.")
    say(alice, talk, "Could you forget what I told you about my arthritis?")
    model.script(answering(memory("m0", "my arthritis", "The user has arthritis.")))
    remember(alice, talk)
    assert texts_of(alice) == []


def test_a_task_with_such_a_word_hides_nothing_from_a_model(alice: Actor, talk: UUID, model: ProviderServer) -> None:
    say(alice, talk, "Take out the old logo on page two, please.")
    model.script(answering(memory("m0", "the old logo", "Page two has the old logo.")))
    remember(alice, talk)
    assert texts_of(alice) == ["Page two has the old logo."]
