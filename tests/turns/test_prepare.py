"""Requests to forget are obeyed before the reply begins, which then quotes nothing of it."""

from __future__ import annotations

from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.conversations.records import MessageDraft
from apps.engine.messages.canned_replies import FORGOTTEN, NOTHING_TO_FORGET
from apps.turns.records import Turn
from apps.turns.services import prepare
from apps.turns.services.prepare import turn_prepare
from apps.turns.services.start import turn_begin
from tests.api.callers import Caller
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation
from tests.extraction.runs import texts_of

pytestmark = pytest.mark.django_db(transaction=True)

KNEES = "I have arthritis in both knees."


@pytest.fixture(autouse=True)
def in_a_web_process(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the worker reads while the web server waits."""
    settings.WRITES_REPLIES = True
    monkeypatch.setattr(prepare.time, "sleep", lambda _: run_due_jobs())


@pytest.fixture
def talk(alice: Actor) -> UUID:
    talk = conversation(alice)
    Caller(alice).post(f"/conversations/{talk}/messages", {"role": "user", "content": KNEES})
    run_due_jobs()
    return talk


def begun(actor: Actor, talk: UUID, text: str) -> Turn:
    draft, options = turn_prepare(actor, talk, MessageDraft("user", text), None)
    with workspace(actor.workspace_id):
        turn = turn_begin(actor, conversation_id=talk, draft=draft, options=options)
    assert isinstance(turn, Turn)
    return turn


def test_a_request_to_forget_is_obeyed_before_the_reply_begins(alice: Actor, talk: UUID) -> None:
    turn = begun(alice, talk, "Could you forget what I told you about my arthritis?")
    assert (texts_of(alice), turn.notice, turn.built.pack.retrieved) == ([], FORGOTTEN, ())
    with workspace(alice.workspace_id):
        assert Message.objects.filter(conversation_id=talk, role="user").count() == 2, "it is stored once"


def test_a_word_that_only_looks_like_a_request_changes_nothing(alice: Actor, talk: UUID) -> None:
    turn = begun(alice, talk, "Don't let me forget to buy milk today.")
    assert (texts_of(alice), turn.notice) == ([KNEES], "")


def test_any_other_message_waits_for_nothing(alice: Actor, talk: UUID) -> None:
    draft, _ = turn_prepare(alice, talk, MessageDraft("user", "I live in Porto."), None)
    assert draft == MessageDraft("user", "I live in Porto.")
    with workspace(alice.workspace_id):
        assert not Message.objects.filter(content="I live in Porto.").exists()


def test_a_request_that_means_no_memory_says_so(alice: Actor, talk: UUID) -> None:
    turn = begun(alice, talk, "Please forget what I told you about my boat in Lisbon.")
    assert (texts_of(alice), turn.notice) == ([KNEES], NOTHING_TO_FORGET)


def test_nothing_of_a_turn_that_may_be_refused_is_stored_ahead(alice: Actor, talk: UUID) -> None:
    draft = MessageDraft("user", "Please forget what I told you about my arthritis.")
    assert turn_prepare(alice, talk, draft, 500_000)[0] == draft
    with workspace(alice.workspace_id):
        assert Message.objects.filter(conversation_id=talk, role="user").count() == 1


def test_a_worker_that_is_away_delays_the_reply_no_longer_than_its_limit(
    alice: Actor, talk: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "_MOST_S", 0.0)
    turn = begun(alice, talk, "Please forget what I told you about my arthritis.")
    assert (texts_of(alice), turn.notice) == ([KNEES], "")
