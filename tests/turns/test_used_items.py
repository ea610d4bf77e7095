"""What was retrieved for a reply: counted with the reply, read from where the words are stored, deleted with it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.models import UsedItems
from apps.memory.records.tree import NodeRecord
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.delete_permanently import node_erase
from apps.memory.services.tree.edit import node_edit
from apps.turns.services.delete import conversation_delete, message_delete
from tests.api.callers import Caller
from tests.conversations.long_conversations import conversation, history
from tests.memory.recall import remember
from tests.providers.server import ProviderServer
from tests.turns.streams import Talker, events

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "The spare key lies under the blue flowerpot."
QUESTION = "Where does the spare key lie?"
HOUSE = "mem://user/events/house"


@pytest.fixture
def key(alice: Actor) -> NodeRecord:
    return remember(alice, HOUSE, KEY)


@pytest.fixture
def talk(alice: Actor, talker: Talker, key: NodeRecord) -> UUID:
    """A conversation with one question and its reply."""
    started = conversation(alice)
    list(events(talker.turn(started, QUESTION)))
    return started


def used(actor: Actor, talk: UUID, index: int = 1) -> dict[str, Any]:
    reply = history(actor, talk)[index]
    return dict(Caller(actor).get(f"/conversations/{talk}/messages/{reply.id}/used"))


def counts(actor: Actor, talk: UUID) -> list[int]:
    return [row["used_count"] for row in Caller(actor).get(f"/conversations/{talk}/messages")["data"]]


def test_a_reply_names_the_memory_that_its_pack_had(
    alice: Actor, talk: UUID, key: NodeRecord, provider: ProviderServer
) -> None:
    (item,) = used(alice, talk)["items"]
    assert (item["id"], item["kind"], item["layer"]) == (str(key.id), "memory", "L5_jit")
    assert (item["quote"], item["uri"], item["is_changed"], item["index"]) == (KEY, HOUSE, False, None)
    assert 0.15 <= item["chance"] <= 1
    assert item["score"] > 0 and item["tokens"] == -(-len(f"\n[{HOUSE} 2026-01-01]\n> {KEY}") // 4)
    assert KEY in str(provider.requests[-1].body)
    assert counts(alice, talk) == [0, 1]


def test_the_snapshot_of_the_live_state_has_the_count(alice: Actor, talk: UUID) -> None:
    messages = Caller(alice).get(f"/conversations/{talk}/live")["messages"]
    assert [(row["index"], row["used_count"]) for row in messages] == [(0, 0), (1, 1)]


def test_a_memory_that_the_profile_has_already_is_named_with_its_layer(alice: Actor, talker: Talker) -> None:
    remember(alice, "mem://user/profile/work", "Alice repairs bicycles in Basel.")
    remember(alice, "mem://user/preferences/tea", "Prefers green tea.")
    talk = conversation(alice)
    list(events(talker.turn(talk, "Where does Alice repair bicycles?")))
    assert [(item["uri"], item["layer"]) for item in used(alice, talk)["items"]] == [
        ("mem://user/profile/work", "L0_identity")
    ]


def test_a_reply_without_a_retrieved_item_has_none(alice: Actor, talker: Talker) -> None:
    talk = conversation(alice)
    list(events(talker.turn(talk, QUESTION)))
    assert used(alice, talk) == {"items": [], "unavailable": 0}
    assert counts(alice, talk) == [0, 0]
    with workspace(alice.workspace_id):
        assert not UsedItems.objects.exists()


def test_the_quote_remains_what_it_was_when_the_memory_changes(alice: Actor, talk: UUID, key: NodeRecord) -> None:
    with workspace(alice.workspace_id):
        edited = node_edit(alice, node_id=key.id, changes={"tags": ["house"]}, version=key.version)
    assert not used(alice, talk)["items"][0]["is_changed"]
    for content in ("It lies under the doormat.", "It is with the neighbors."):
        with workspace(alice.workspace_id):
            edited = node_edit(alice, node_id=key.id, changes={"content": content}, version=edited.version)
        (item,) = used(alice, talk)["items"]
        assert (item["quote"], item["is_changed"]) == (KEY, True)


def test_an_archived_memory_says_so(alice: Actor, talk: UUID, key: NodeRecord) -> None:
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=key.id)
    (item,) = used(alice, talk)["items"]
    assert item["archived_at"] and item["quote"] == KEY


def test_a_deleted_memory_leaves_no_word_and_is_only_counted(alice: Actor, talk: UUID, key: NodeRecord) -> None:
    with workspace(alice.workspace_id):
        (row,) = UsedItems.objects.all()
        assert "flowerpot" not in str(row.items) and "house" not in str(row.items)
        node_erase(alice, node_id=key.id)
    assert used(alice, talk) == {"items": [], "unavailable": 1}


def test_other_readers_see_no_memory_that_is_not_theirs(alice: Actor, bob: Actor, charlie: Actor, talk: UUID) -> None:
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    reply = history(alice, talk)[1]
    path = f"/conversations/{talk}/messages/{reply.id}/used"
    assert Caller(bob).get(path) == {"items": [], "unavailable": 1}
    Caller(charlie).get(path, 404)
    Caller(alice).get(f"/conversations/{talk}/messages/{talk}/used", 404)


def test_deleting_the_reply_or_the_conversation_deletes_the_record(alice: Actor, talker: Talker, talk: UUID) -> None:
    list(events(talker.turn(talk, QUESTION)))
    replies = [row.id for row in history(alice, talk) if row.used_count]
    with workspace(alice.workspace_id):
        assert set(UsedItems.objects.values_list("reply_id", flat=True)) == set(replies) and len(replies) == 2
        message_delete(alice, conversation_id=talk, message_id=replies[0])
        assert list(UsedItems.objects.values_list("reply_id", flat=True)) == replies[1:]
    assert counts(alice, talk) == [0, 0, 0, 1]
    with workspace(alice.workspace_id):
        conversation_delete(alice, conversation_id=talk)
        assert not UsedItems.objects.exists()
