"""Who is listening: in a conversation that others read, no route shows private memories or other conversations."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.records import EpochReason
from apps.context.services.used_items import used_items_store
from apps.conversations.models import ShareAccess
from apps.conversations.services.conversations import conversation_unshare
from apps.engine.pack.offline_reply import offline_reply
from apps.engine.pack.provider_formats import render_plain
from apps.memory.records.tree import SourceRecord
from apps.memory.services.user_memory import UserMemoryDraft, user_memory_create
from tests.api.callers import Caller
from tests.context.epochs import epoch_of, pack_of
from tests.context.test_past_chats import share
from tests.context.test_reply_matches import pack_with_matches
from tests.conversations.long_conversations import conversation, say
from tests.memory.facts import learn, learned
from tests.memory.recall import index, make_vectors, remember

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "How do we open the greenhouse at Ember, and which tea do we offer there?"
TEAM = "The greenhouse at Ember opens with the code of the gate."
# Each begins with a word that nothing else has, so that a leak is found in any text.
PRIVATE = {
    "mem://user/profile/communication": "- Qoppa: wants short answers",
    "mem://user/profile/work": "Zarf leads the greenhouse at Ember.",
    "mem://user/preferences/tea": "Xylem prefers green tea in the greenhouse.",
    "mem://user/events/greenhouse": "Wyvern opened the greenhouse at Ember with a crowbar.",
    "mem://user/entities/ember/key": "Vellum has the spare key of Ember.",
}
USER_MEMORY, PAST = "Ullage: offer tea at once.", "Tocsin rings when the greenhouse at Ember is open."
WORDS = ("Qoppa", "Zarf", "Xylem", "Wyvern", "Vellum", "Ullage", "Tocsin")


@pytest.fixture
def talk(alice: Actor) -> UUID:
    """A conversation of Alice about what her private memories, another chat and the workspace's memory know."""
    for uri, text in PRIVATE.items():
        remember(alice, uri, text)
    remember(alice, "mem://agent/cases/greenhouse", TEAM, shared=True)
    with workspace(alice.workspace_id):
        user_memory_create(alice, draft=UserMemoryDraft("preference", "tea", USER_MEMORY))
    past = conversation(alice, title="The bell")
    say(alice, past, PAST, "Noted.")
    index(alice, past)
    started = conversation(alice, title="Ember")
    say(alice, started, "How is Ember?", "Well.", "Is Ember open?", "Not yet.", QUESTION)
    return started


def leaks(answer: object) -> list[str]:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return [word for word in WORDS if word in text]


def allow(actor: Actor, talk: UUID, *, allowed: bool = True, status: int = 200) -> Any:
    caller = Caller(actor)
    body = {"private_memory_when_shared": allowed}
    path = f"/conversations/{talk}"
    return caller.patch(path, body, status, If_Match=caller.tag(path))


def unshare(actor: Actor, talk: UUID, other: Actor) -> None:
    with workspace(actor.workspace_id):
        conversation_unshare(actor, conversation_id=talk, user_id=other.user_id)


def seen(actor: Actor, talk: UUID) -> dict[str, Any]:
    """Everything that the routes of the conversation show the actor of a context, and the reply without a model."""
    caller, path = Caller(actor), f"/conversations/{talk}"
    built = pack_with_matches(actor, talk)
    return {
        **{kind: caller.get(f"{path}/context?format={kind}") for kind in ("plain", "openai", "anthropic")},
        "context": caller.get(f"{path}/context"),
        "preview": caller.post(f"{path}/context", {"message": QUESTION, "format": "plain"}, 200),
        "negotiation": caller.post(f"{path}/context/negotiate", {"message": QUESTION}, 200),
        "session": caller.get(f"/context/{talk}?format=json"),
        "live": caller.get(f"{path}/live"),
        "audience": caller.get(f"{path}/audience"),
        "reply": offline_reply(built.pack, built.matches),
        "matches": [item.text for item in built.matches],
    }


def test_a_conversation_that_nobody_else_reads_uses_everything_private(alice: Actor, talk: UUID) -> None:
    everything = seen(alice, talk)
    assert set(leaks(everything)) == set(WORDS)
    assert everything["context"]["metadata"]["omitted"]["private_memory"] is None
    assert everything["session"]["private_memory"] is None


@pytest.mark.parametrize("access", list(ShareAccess))
def test_a_shared_conversation_shows_nothing_private_to_anybody(
    alice: Actor, bob: Actor, talk: UUID, access: ShareAccess
) -> None:
    share(alice, talk, access)
    remember(bob, "mem://user/events/greenhouse", "Qoppa: Bob opened the greenhouse at Ember by night.")
    for reader in (alice, bob):
        everything = seen(reader, talk)
        assert {name: leaks(answer) for name, answer in everything.items()} == {name: [] for name in everything}
        assert TEAM in json.dumps(everything["context"])
        assert everything["context"]["user_memory"] == []
        assert everything["context"]["metadata"]["omitted"]["private_memory"] == "audience"
        assert everything["session"]["private_memory"] == "audience"


def test_private_memories_that_the_owner_allows_are_used_in_her_turns_alone(
    alice: Actor, bob: Actor, talk: UUID
) -> None:
    share(alice, talk, ShareAccess.WRITE)
    remember(bob, "mem://user/events/greenhouse", "Qoppa: Bob opened the greenhouse at Ember by night.")
    assert allow(alice, talk)["private_memory_when_shared"]
    assert set(leaks(seen(alice, talk))) == set(WORDS)
    assert leaks(seen(bob, talk)) == []
    allow(alice, talk, allowed=False)
    assert leaks(seen(alice, talk)) == []


def test_only_the_owner_allows_it(alice: Actor, bob: Actor, talk: UUID) -> None:
    share(alice, talk, ShareAccess.WRITE)
    allow(bob, talk, status=403)
    assert not Caller(alice).get(f"/conversations/{talk}")["private_memory_when_shared"]


def test_the_live_state_has_the_switch_and_its_change_is_a_new_version(alice: Actor, talk: UUID) -> None:
    before = Caller(alice).get(f"/conversations/{talk}/live")
    allow(alice, talk)
    after = Caller(alice).get(f"/conversations/{talk}/live")
    states = [one["conversation"]["private_memory_when_shared"] for one in (before, after)]
    assert states == [False, True] and after["version"] > before["version"]


def test_a_conversation_that_is_not_shared_any_more_uses_private_memories_again(
    alice: Actor, bob: Actor, talk: UUID
) -> None:
    share(alice, talk, ShareAccess.READ)
    unshare(alice, talk, bob)
    assert set(leaks(seen(alice, talk))) == set(WORDS)


def test_a_change_of_the_audience_begins_an_epoch_and_another_reader_none(alice: Actor, bob: Actor, talk: UUID) -> None:
    assert "Zarf" in render_plain(pack_of(alice, talk).pack)
    share(alice, talk, ShareAccess.READ)
    shared = pack_of(alice, talk)
    assert EpochReason.AUDIENCE in epoch_of(shared).reasons and leaks(render_plain(shared.pack)) == []
    assert not epoch_of(pack_of(alice, talk)).is_new
    allow(alice, talk)
    allowed = pack_of(alice, talk)
    assert epoch_of(allowed).reasons == (EpochReason.MEMORY, EpochReason.AUDIENCE)
    unshare(alice, talk, bob)
    assert not epoch_of(pack_of(alice, talk)).is_new


def test_what_was_retrieved_for_the_last_reply_is_not_quoted_once_more_after_sharing(
    alice: Actor, bob: Actor, talk: UUID
) -> None:
    reply(alice, talk)
    say(alice, talk, "Thanks, that is all!", role="user")
    assert leaks(render_plain(pack_of(alice, talk).pack))
    share(alice, talk, ShareAccess.READ)
    assert leaks(render_plain(pack_of(alice, talk).pack)) == []


def test_a_message_is_not_corrected_by_a_private_fact(alice: Actor, bob: Actor) -> None:
    started = conversation(alice)
    (stated,) = say(alice, started, "The spare key lies under the blue flowerpot.", role="user")
    fact = learned("flowerpot", 1, attribute="spare_key", words="The spare key lies under the blue flowerpot.")
    source = SourceRecord("message", str(stated.id))
    learn(
        alice,
        replace(fact, draft=replace(fact.draft, sources=[source])),
        learned("Vellum", 40, attribute="spare_key", words="Vellum has the spare key now."),
    )
    index(alice, started)
    say(alice, started, "Where does the spare key lie?", role="user")
    assert "Vellum" in str(pack_with_matches(alice, started).matches)
    share(alice, started, ShareAccess.READ)
    matches = pack_with_matches(alice, started).matches
    assert "flowerpot" in str(matches) and "Vellum" not in str(matches)


def reply(actor: Actor, talk: UUID) -> UUID:
    """Store a reply with what its pack had retrieved, as a turn does."""
    pack = pack_of(actor, talk).pack
    (stored,) = say(actor, talk, "With the code.", role="assistant")
    with workspace(actor.workspace_id):
        used_items_store(pack, conversation_id=talk, reply_id=stored.id, user_id=actor.person_id)
    return stored.id


def test_sharing_says_how_many_replies_used_private_memories(alice: Actor, bob: Actor, talk: UUID) -> None:
    reply_id = reply(alice, talk)
    path = f"/conversations/{talk}"
    assert Caller(alice).get(f"{path}/audience")["private_replies"] == 1
    made = Caller(alice).post(f"{path}/shares", {"email": "bob@example.org", "access": "read"})
    assert made["private_replies"] == 1
    say(alice, talk, QUESTION, role="user")
    reply(alice, talk)
    assert Caller(alice).get(f"{path}/audience")["private_replies"] == 1
    assert leaks(Caller(bob).get(f"{path}/messages/{reply_id}/used")) == []


def test_a_reply_that_used_the_workspaces_memories_alone_is_not_counted(alice: Actor, bob: Actor) -> None:
    remember(alice, "mem://agent/cases/greenhouse", TEAM, shared=True)
    make_vectors(alice)
    started = conversation(alice)
    say(alice, started, "How does the greenhouse at Ember open?", role="user")
    assert TEAM in render_plain(pack_of(alice, started).pack)
    reply(alice, started)
    assert Caller(alice).get(f"/conversations/{started}/audience")["private_replies"] == 0


def test_each_reader_sees_the_others_and_only_the_owner_the_count(
    alice: Actor, bob: Actor, charlie: Actor, talk: UUID
) -> None:
    path = f"/conversations/{talk}/audience"
    assert Caller(alice).get(path) == audience([], uses=True, replies=0)
    share(alice, talk, ShareAccess.READ)
    assert Caller(alice).get(path) == audience([(bob, "Bob", "read")], uses=False, replies=0)
    assert Caller(bob).get(path) == audience([(alice, "Alice", "owner")], uses=False, replies=None)
    Caller(charlie).get(path, 404)


def audience(readers: list[tuple[Actor, str, str]], *, uses: bool, replies: int | None) -> dict[str, Any]:
    people = [{"user_id": str(one.user_id), "name": name, "access": access} for one, name, access in readers]
    return {"readers": people, "has_more": False, "uses_private_memory": uses, "private_replies": replies}


def test_a_share_of_a_person_who_left_the_workspace_is_no_audience(alice: Actor, bob: Actor, talk: UUID) -> None:
    share(alice, talk, ShareAccess.READ)
    Caller(alice).delete(f"/members/{bob.user_id}")
    assert set(leaks(seen(alice, talk))) == set(WORDS)


def test_a_fork_of_a_shared_conversation_is_private_and_does_not_take_the_switch_along(
    alice: Actor, bob: Actor, talk: UUID
) -> None:
    share(alice, talk, ShareAccess.READ)
    allow(alice, talk)
    body = {"through_index": 4, "title": "Mine"}
    fork = Caller(alice).post(f"/conversations/{talk}/fork", body)
    assert not fork["private_memory_when_shared"]
    assert "Zarf" in render_plain(pack_of(alice, UUID(fork["id"])).pack)
