"""A request to forget archives the memory that it means, which can be undone, or lets the person choose."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message
from apps.extraction.services.forgetting import search
from apps.llm.errors import ModelError
from tests.api.callers import Caller
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation
from tests.extraction.runs import memories_of, texts_of
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
    with workspace(alice.workspace_id):
        assert set(Message.objects.filter(retrievable=False).values_list("id", flat=True)) == {told, asked}


def test_what_was_forgotten_is_remembered_again_by_an_undo(alice: Actor) -> None:
    talk = conversation(alice)
    post(alice, talk, KNEES)
    post(alice, talk, FORGET)
    [forgotten] = [one for one in changes(alice, talk) if one["outcome"] == "forgotten"]
    body = {"change_id": forgotten["change_id"], "reason": ""}
    Caller(alice).post(f"/memories/{forgotten['memory_id']}/undo", body, 200)
    assert texts_of(alice) == [KNEES]
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


def test_without_a_judge_words_that_are_shared_count(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> list[float]:
        raise ModelError("not_configured")

    monkeypatch.setattr(search, "relevance_chances", missing)
    talk = conversation(alice)
    post(alice, talk, f"{KNEES} I live in Porto.")
    post(alice, talk, FORGET)
    assert texts_of(alice) == ["I live in Porto."]
