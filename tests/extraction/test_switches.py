"""Switches of workspace, person and conversation, and temporary chats: what is said meanwhile is never learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.selectors.context_settings import context_settings_get
from apps.accounts.services.context_settings import ContextSettingsChange, context_settings_update
from apps.common.errors import Conflict, Forbidden
from apps.common.tenancy import workspace
from apps.conversations.selectors.conversations import conversation_get
from apps.conversations.services.conversations import (
    ConversationChange,
    conversation_ensure,
    conversation_share,
    conversation_update,
)
from apps.engine.extraction.candidate import Utterance
from apps.engine.extraction.parts import Part, parts_of
from apps.engine.policy import Policy
from apps.extraction.services import plan, positions
from apps.extraction.services.request import extraction_request
from apps.jobs.models import DueJob
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.turns.selectors.text_search import text_search
from apps.turns.services.fork import conversation_fork
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import last_result, make_due, remember, texts_of
from tests.providers.server import ProviderServer

pytestmark = pytest.mark.django_db

BEFORE, WHILE_OFF, AFTER = "I'm a vet.", "I live in Porto.", "We use Vetera 4 for the records."
Switch = Callable[[bool], None]
SWITCHES = ("conversation", "person", "workspace", "engine")


@pytest.fixture
def talk(alice: Actor) -> UUID:
    return conversation(alice, title="Clinic")


@pytest.fixture
def switches(alice: Actor, talk: UUID, settings: Settings) -> dict[str, Switch]:
    return {
        "conversation": lambda on: switch_conversation(alice, talk, on),
        "person": lambda on: switch_person(alice, on),
        "workspace": lambda on: switch_policy(settings, extraction_enabled=on),
        "engine": lambda on: switch_policy(settings, engine_enabled=on),
    }


def switch_conversation(actor: Actor, talk: UUID, on: bool) -> None:
    with workspace(actor.workspace_id):
        version = conversation_get(actor, talk).version
        conversation_update(actor, conversation_id=talk, change=ConversationChange(remembers=on), version=version)


def switch_person(actor: Actor, on: bool) -> None:
    with workspace(actor.workspace_id):
        version = context_settings_get(actor).version
        context_settings_update(actor, change=ContextSettingsChange(remembers=on), version=version)


def switch_policy(settings: Settings, **flags: bool) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, **flags)


def temporary_chat(actor: Actor) -> UUID:
    with workspace(actor.workspace_id):
        return conversation_ensure(actor, temporary=True)[0].id


@pytest.mark.parametrize("name", SWITCHES)
def test_while_it_is_off_nothing_is_scheduled_read_or_signaled(
    alice: Actor, talk: UUID, switches: dict[str, Switch], name: str
) -> None:
    switches[name](False)
    say(alice, talk, WHILE_OFF, "Noted.", "We decided to move the launch.")
    assert not DueJob.objects.filter(kind="extraction").exists()
    assert texts_of(alice) == []


@pytest.mark.parametrize("name", SWITCHES)
def test_what_is_said_while_it_is_off_is_not_learned_later(
    alice: Actor, talk: UUID, switches: dict[str, Switch], name: str
) -> None:
    say(alice, talk, BEFORE, role="user")
    switches[name](False)
    say(alice, talk, WHILE_OFF, role="user")
    switches[name](True)
    say(alice, talk, AFTER, role="user")
    make_due()
    assert texts_of(alice) == sorted([BEFORE, AFTER])
    assert remember(alice, talk)["reason"] == "nothing_new"


@pytest.mark.parametrize("name", SWITCHES)
def test_a_new_version_of_the_extractor_does_not_read_it_either(
    alice: Actor, talk: UUID, switches: dict[str, Switch], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for on in (False, True, False, True):
        switches[name](on)
        say(alice, talk, AFTER if on else WHILE_OFF, role="user")
    make_due()
    monkeypatch.setattr(positions, "CURRENT", ("rules-99",))
    assert remember(alice, talk)["messages"] == 2
    assert texts_of(alice) == [AFTER]


def test_asking_when_it_is_on_again_does_not_read_what_was_said_while_it_was_off(alice: Actor, talk: UUID) -> None:
    switch_conversation(alice, talk, False)
    say(alice, talk, WHILE_OFF, role="user")
    switch_conversation(alice, talk, True)
    assert remember(alice, talk)["reason"] == "nothing_new"
    assert texts_of(alice) == []


@pytest.mark.parametrize("name", ["conversation", "person"])
def test_who_switched_it_off_may_ask_for_a_single_run(
    alice: Actor, talk: UUID, switches: dict[str, Switch], name: str
) -> None:
    switches[name](False)
    say(alice, talk, WHILE_OFF, role="user")
    assert remember(alice, talk)["created"] == 1
    say(alice, talk, AFTER, role="user")
    switches[name](True)
    make_due()
    assert texts_of(alice) == [WHILE_OFF]


def test_a_workspace_that_is_off_refuses_a_request(alice: Actor, talk: UUID) -> None:
    with pytest.raises(Conflict) as refusal, workspace(alice.workspace_id):
        extraction_request(alice, conversation_id=talk, policy=Policy(extraction_enabled=False))
    assert refusal.value.code == "extraction_disabled"


@pytest.mark.parametrize("name", SWITCHES)
def test_switching_off_while_a_run_works_stores_nothing_more(
    alice: Actor, talk: UUID, switches: dict[str, Switch], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(alice, talk, BEFORE, role="user")

    def read_then_switch_off(*messages: Sequence[Utterance]) -> list[Part]:
        switches[name](False)
        return parts_of(*messages)

    monkeypatch.setattr(plan, "parts_of", read_then_switch_off)
    make_due()
    assert texts_of(alice) == []
    assert last_result(alice, talk)["reason"] == "switched_off"


@pytest.mark.parametrize("name", ["workspace", "engine"])
def test_what_is_switched_off_before_a_batch_is_sent_to_no_model(
    alice: Actor, talk: UUID, switches: dict[str, Switch], name: str, model: ProviderServer
) -> None:
    say(alice, talk, BEFORE, role="user")
    with workspace(alice.workspace_id):
        extraction_request(alice, conversation_id=talk, policy=Policy())
    switches[name](False)
    run_due_jobs()
    assert not model.requests
    assert last_result(alice, talk)["reason"] == "switched_off"


def test_only_the_owner_switches_a_conversation_off(alice: Actor, bob: Actor, talk: UUID) -> None:
    with workspace(alice.workspace_id):
        conversation_share(alice, conversation_id=talk, email="bob@example.org", access="write")
    with pytest.raises(Forbidden):
        switch_conversation(bob, talk, False)


def test_a_person_s_switch_is_for_their_own_conversations(alice: Actor, bob: Actor, talk: UUID) -> None:
    switch_person(bob, False)
    say(alice, talk, BEFORE)
    make_due()
    assert texts_of(alice) == [BEFORE]


def test_a_temporary_chat_learns_nothing_and_nobody_can_ask_for_it(alice: Actor) -> None:
    talk = temporary_chat(alice)
    say(alice, talk, BEFORE, "Noted.", "We decided to move the launch.")
    make_due()
    assert texts_of(alice) == []
    with pytest.raises(Conflict) as refusal, workspace(alice.workspace_id):
        extraction_request(alice, conversation_id=talk, policy=Policy())
    assert refusal.value.code == "temporary"


def test_a_fork_of_a_temporary_chat_is_temporary(alice: Actor) -> None:
    talk = temporary_chat(alice)
    say(alice, talk, BEFORE)
    with workspace(alice.workspace_id):
        assert conversation_fork(alice, conversation_id=talk, through_index=0).temporary


def test_a_fork_of_a_conversation_that_does_not_remember_does_not_either(alice: Actor, talk: UUID) -> None:
    say(alice, talk, BEFORE)
    switch_conversation(alice, talk, False)
    say(alice, talk, "Noted.", WHILE_OFF)
    with workspace(alice.workspace_id):
        fork = conversation_fork(alice, conversation_id=talk, through_index=2)
    assert not fork.remembers
    switch_conversation(alice, fork.id, True)
    assert remember(alice, fork.id)["messages"] == 1
    assert texts_of(alice) == [BEFORE]


def test_messages_of_a_temporary_chat_are_found_only_in_it(alice: Actor, talk: UUID) -> None:
    hidden = temporary_chat(alice)
    say(alice, hidden, "The heron stands in the reed.")
    say(alice, talk, "Where is it?")
    DueJob.objects.update(due_at=timezone.now())
    run_due_jobs()
    with workspace(alice.workspace_id):
        everywhere = find(alice, SearchQuery("heron reed", corpus="messages"))
        within = find(alice, SearchQuery("heron reed", corpus="messages", conversation_id=hidden))
        by_words = text_search(alice, "heron", limit=10)
    assert [hit.snippet for hit in everywhere.hits] == ["Where is it?"]
    assert [hit.snippet for hit in within.hits] == ["The heron stands in the reed."]
    assert by_words.messages == []
