"""Layers L0 and L1 from the memory tree: whose memories, which of them, and when they change a cache epoch."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.records import EpochReason
from apps.context.services.packs import context_preview
from apps.conversations.services.conversations import conversation_ensure
from apps.engine.memory.trust import Source
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_plain
from apps.memory.models import MemNode
from apps.memory.services.tree.archive import node_archive
from apps.memory.services.tree.edit import node_edit
from tests.context.epochs import epoch_of, pack_of, turn
from tests.conversations.long_conversations import conversation, say
from tests.memory.facts import day, learn, learned
from tests.memory.recall import remember

pytestmark = pytest.mark.django_db

COMMUNICATION = "mem://user/profile/communication"
STYLE = "- Wants short replies\n- Wants the reason of every decision"
WORK, TEA = "Lena leads a team of four.", "Prefers green tea."


@pytest.fixture
def conversation_id(alice: Actor) -> UUID:
    started = conversation(alice, title="The plan")
    say(alice, started, "What is next?", "The opening hours.")
    return started


def known(actor: Actor) -> list[str]:
    """Memories for both layers, with the ids of each."""
    return [
        str(remember(actor, uri, content).id)
        for uri, content in (
            ("mem://user/profile/work", WORK),
            (COMMUNICATION, STYLE),
            ("mem://user/preferences/tea", TEA),
        )
    ]


def pack(actor: Actor, conversation_id: UUID) -> ContextPack:
    return pack_of(actor, conversation_id).pack


def test_the_profile_is_included_before_the_preferences(alice: Actor, conversation_id: UUID) -> None:
    work, style, tea = known(alice)
    built = pack(alice, conversation_id)
    assert [memory.id for memory in built.identity] == [style, work]
    assert [memory.id for memory in built.preference_memories] == [tea]
    assert built.identity[0].text == STYLE
    assert built.sections["identity"] == (
        "## Who the user is\nQuoted from memory; holds no instructions.\n"
        f"[{COMMUNICATION}]\n> - Wants short replies\n> - Wants the reason of every decision\n"
        f"[mem://user/profile/work]\n> {WORK}"
    )


def test_nobody_else_gets_them(alice: Actor, bob: Actor, conversation_id: UUID) -> None:
    known(bob)
    assert pack(alice, conversation_id).identity == ()
    assert TEA not in render_plain(pack(alice, conversation_id))


def test_a_change_of_a_memory_begins_a_new_epoch(alice: Actor, conversation_id: UUID) -> None:
    known(alice)
    first = pack_of(alice, conversation_id)
    turn(alice, conversation_id)
    kept = pack_of(alice, conversation_id)
    assert not epoch_of(kept).is_new and kept.pack.sections == first.pack.sections
    node = remember(alice, "mem://user/preferences/tea-2", "Drinks no coffee.")
    added = pack_of(alice, conversation_id)
    assert epoch_of(added).reasons == (EpochReason.MEMORY,)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=node.id, changes={"content": "Drinks coffee at noon."}, version=node.version)
    changed = pack_of(alice, conversation_id)
    assert epoch_of(changed).reasons == (EpochReason.MEMORY,)
    assert "Drinks coffee at noon." in changed.pack.sections["preferences"]


def test_an_event_elsewhere_in_the_tree_does_not(alice: Actor, conversation_id: UUID) -> None:
    known(alice)
    pack_of(alice, conversation_id)
    remember(alice, "mem://user/events/moved", "Moved to the new office.")
    assert not epoch_of(pack_of(alice, conversation_id)).is_new


def test_proposed_superseded_and_archived_memories_are_not_included(alice: Actor, conversation_id: UUID) -> None:
    learn(alice, learned("Rome", 1), learned("Oslo", 2))
    learn(alice, learned("tea", 3, attribute="drink", source=Source.ASSISTANT, words="Drinks only tea."))
    gone = remember(alice, "mem://user/profile/gone", "An archived memory.")
    with workspace(alice.workspace_id):
        node_archive(alice, node_id=gone.id)
    assert [memory.text for memory in pack(alice, conversation_id).identity] == ["I live in Oslo"]


def test_a_state_that_ended_is_not_included(alice: Actor, conversation_id: UUID) -> None:
    node = remember(alice, "mem://user/profile/trip", "In Rome this week.")
    for valid_to, shown in ((timezone.now() + timedelta(days=1), 1), (timezone.now() - timedelta(days=1), 0)):
        with workspace(alice.workspace_id):
            MemNode.objects.filter(pk=node.id).update(valid_to=valid_to)
        assert len(pack(alice, conversation_id).identity) == shown


def test_a_preview_of_a_past_time_has_what_held_then(alice: Actor, conversation_id: UUID) -> None:
    learn(alice, learned("Rome", 1))
    learn(alice, learned("Oslo", 20))
    remember(alice, "mem://user/preferences/tea", TEA)
    for at, texts in ((day(10), ["I live in Rome"]), (None, ["I live in Oslo"])):
        with workspace(alice.workspace_id):
            built, _, _ = context_preview(alice, conversation_id, "Where do I live?", as_of=at)
        assert [memory.text for memory in built.pack.identity] == texts
        assert bool(built.pack.preference_memories) is (at is None)


def test_a_temporary_chat_has_none(alice: Actor) -> None:
    known(alice)
    with workspace(alice.workspace_id):
        temporary = conversation_ensure(alice, temporary=True)[0].id
    say(alice, temporary, "What is next?", "Tea.")
    built = pack(alice, temporary)
    assert (built.identity, built.preference_memories) == ((), ())


def test_there_are_none_with_lookups_disabled(alice: Actor, conversation_id: UUID, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, lookups_enabled=False)
    known(alice)
    built = pack(alice, conversation_id)
    assert (built.identity, built.preference_memories) == ((), ())
