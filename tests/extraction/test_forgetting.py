"""A request to forget archives the memory that it means, which can be undone, or lets the person choose."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.conversations.records import MessageDraft
from apps.extraction.services.forgetting import forget, search
from apps.llm.errors import ModelError
from apps.memory.selectors.nodes import sources_of
from apps.memory.selectors.quotable import quotable_elsewhere
from apps.turns.services.messages import messages_store
from tests.api.callers import Caller
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation
from tests.extraction.runs import make_due, memories_of, texts_of
from tests.memory.trees import write

pytestmark = pytest.mark.django_db

KNEES = "I have arthritis in both knees."
FORGET = "Could you forget what I told you about my arthritis?"


def post(actor: Actor, talk: UUID, content: str) -> UUID:
    stored = Caller(actor).post(f"/conversations/{talk}/messages", {"role": "user", "content": content})
    run_due_jobs()
    return UUID(stored["data"][0]["id"])


def changes(actor: Actor, talk: UUID) -> list[dict[str, Any]]:
    return list(Caller(actor).get(f"/conversations/{talk}/memories")["data"])


def test_the_memory_that_is_meant_is_archived_and_the_message_says_so(alice: Actor) -> None:
    talk = conversation(alice)
    told = post(alice, talk, f"{KNEES} I live in Porto.")
    asked = post(alice, talk, FORGET)
    assert texts_of(alice) == ["I live in Porto."]
    [forgotten] = [one for one in changes(alice, talk) if one["outcome"] == "forgotten"]
    assert (forgotten["message_id"], forgotten["statement"], forgotten["state"]) == (str(asked), KNEES, "archived")
    assert elsewhere(alice, told, asked) == frozenset()


@pytest.mark.parametrize(
    ("told", "other", "asked"),
    [
        ("Le soir j'ai mal au dos.", "J'habite à Namur.", "Oublie ce que je t'ai dit sur mon dos, s'il te plaît."),
        ("My girlfriend is called Mara.", "My back hurts.", "Delete what I told you about Mara"),
    ],
)
def test_what_is_meant_is_found_by_the_words_for_it_and_by_the_whole_request(
    alice: Actor, told: str, other: str, asked: str
) -> None:
    for text in (told, other):
        write(alice, f"mem://user/profile/{len(text)}", text)
    post(alice, conversation(alice), asked)
    assert texts_of(alice) == [other]


def elsewhere(actor: Actor, *message_ids: UUID) -> frozenset[UUID]:
    with workspace(actor.workspace_id):
        return quotable_elsewhere(actor.person_id, message_ids)


def copies(actor: Actor, fork: UUID) -> list[UUID]:
    with workspace(actor.workspace_id):
        return list(Message.objects.filter(conversation_id=fork).values_list("id", flat=True))


def test_what_was_forgotten_is_remembered_again_by_an_undo(alice: Actor) -> None:
    talk = conversation(alice)
    told = post(alice, talk, KNEES)
    post(alice, talk, FORGET)
    [forgotten] = [one for one in changes(alice, talk) if one["outcome"] == "forgotten"]
    body = {"change_id": forgotten["change_id"], "reason": ""}
    Caller(alice).post(f"/memories/{forgotten['memory_id']}/undo", body, 200)
    assert texts_of(alice) == [KNEES]
    assert elsewhere(alice, told) == {told}
    post(alice, talk, "Is it warm in Porto?")
    assert texts_of(alice) == [KNEES], "a message is obeyed once"


def test_no_other_chat_is_sent_what_was_forgotten_or_the_request(alice: Actor) -> None:
    talk = conversation(alice)
    post(alice, talk, KNEES)
    post(alice, talk, FORGET)
    other = conversation(alice)
    pack = json.dumps(Caller(alice).post(f"/conversations/{other}/context", {"message": "Is my health fine?"}, 200))
    assert ("health" in pack, "arthritis" in pack) == (True, False)


def test_of_several_that_may_be_meant_the_person_chooses(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "relevance_chances", lambda _, memories: [0.8] * len(memories))
    talk = conversation(alice)
    post(alice, talk, KNEES)
    post(alice, talk, "My knee operation is on the fourth of June.")
    before = texts_of(alice)
    post(alice, talk, "Please forget what I said about my knees.")
    assert texts_of(alice) == before
    offered = [one for one in changes(alice, talk) if one["outcome"] == "to_forget"]
    assert sorted(one["statement"] for one in offered) == sorted(before)
    Caller(alice).post(f"/memories/{offered[0]['memory_id']}/archive", {}, 200)
    assert len(texts_of(alice)) == len(before) - 1
    with workspace(alice.workspace_id):
        [source] = sources_of([UUID(offered[0]["memory_id"])])[UUID(offered[0]["memory_id"])]
    assert elsewhere(alice, UUID(source.reference)) == frozenset()


def test_nobody_else_s_memories_are_meant(alice: Actor, bob: Actor) -> None:
    with workspace(bob.workspace_id):
        write(bob, "mem://user/profile/knees", KNEES)
    talk = conversation(alice)
    post(alice, talk, FORGET)
    assert (texts_of(bob), changes(alice, talk)) == ([KNEES], [])


def test_what_was_said_later_is_not_meant(alice: Actor) -> None:
    talk = conversation(alice)
    Caller(alice).post(f"/conversations/{talk}/messages", {"role": "user", "content": FORGET})
    with workspace(alice.workspace_id):
        Message.objects.update(created_at="2020-01-01T00:00Z")
        write(alice, "mem://user/profile/knees", KNEES)
    run_due_jobs()
    assert [row.l2_content for row in memories_of(alice)] == [KNEES]


def test_a_fork_is_like_its_original(alice: Actor) -> None:
    talk = conversation(alice)
    post(alice, talk, KNEES)
    post(alice, talk, FORGET)
    fork = UUID(Caller(alice).post(f"/conversations/{talk}/fork", {"through_index": 1})["id"])
    assert elsewhere(alice, *copies(alice, fork)) == frozenset()
    [forgotten] = [one for one in changes(alice, talk) if one["outcome"] == "forgotten"]
    Caller(alice).post(f"/memories/{forgotten['memory_id']}/undo", {"change_id": forgotten["change_id"]}, 200)
    post(alice, fork, "Is it warm in Porto?")
    assert texts_of(alice) == [KNEES], "a copied request is not obeyed again"


def test_a_request_without_a_match_means_nothing_that_is_said_later(alice: Actor) -> None:
    talk = conversation(alice)
    post(alice, talk, "Please forget what I told you about my arthritis.")
    post(alice, talk, "I have had arthritis in both knees since 2019.")
    make_due()
    run_due_jobs()
    assert len(texts_of(alice)) == 1


def test_what_is_told_and_then_to_be_forgotten_in_one_batch_is_not_stored(alice: Actor) -> None:
    talk = conversation(alice)
    drafts = [MessageDraft("user", f"{KNEES} I live in Porto."), MessageDraft("user", FORGET)]
    with workspace(alice.workspace_id):
        messages_store(alice, conversation_id=talk, drafts=drafts, at_once=False)
    make_due()
    run_due_jobs()
    assert texts_of(alice) == ["I live in Porto."]


def test_what_is_not_surely_a_request_is_only_offered(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forget, "SURE_COMMAND", 1.1)
    talk = conversation(alice)
    post(alice, talk, KNEES)
    post(alice, talk, FORGET)
    assert texts_of(alice) == [KNEES]
    assert [one["statement"] for one in changes(alice, talk) if one["outcome"] == "to_forget"] == [KNEES]


def test_without_a_judge_what_shares_words_is_only_offered(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> list[float]:
        raise ModelError("not_configured")

    monkeypatch.setattr(search, "relevance_chances", missing)
    talk = conversation(alice)
    post(alice, talk, KNEES)
    post(alice, talk, FORGET)
    assert [one["outcome"] for one in changes(alice, talk)] == ["created", "to_forget"]
    assert texts_of(alice) == [KNEES]


def test_while_the_judge_does_not_answer_a_request_waits(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> list[float]:
        raise ModelError("unavailable")

    talk = conversation(alice)
    post(alice, talk, KNEES)
    with monkeypatch.context() as broken:
        broken.setattr(search, "relevance_chances", away)
        post(alice, talk, FORGET)
        assert [one["outcome"] for one in changes(alice, talk)] == ["created"]
    make_due()
    run_due_jobs()
    assert texts_of(alice) == []
