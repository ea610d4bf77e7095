"""Retrieval for the current message: compacted messages verbatim, and the reader's memories."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.services.embedded_queries import query_embed
from apps.context.services.packs import context_pack
from apps.conversations.models import Conversation, Message
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_plain
from apps.engine.policy import Level
from apps.memory.models import MemAccess
from apps.memory.records.tree import SourceRecord
from apps.memory.services.pins import PinDraft, pin_create
from apps.memory.services.tree.edit import node_edit
from apps.turns.services.messages import messages_set_excluded
from tests.compaction.runs import compact, without_debounce
from tests.conversations.long_conversations import conversation, say
from tests.memory.facts import learn, learned
from tests.memory.recall import index, remember

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "The spare key lies under the blue flowerpot beside the greenhouse door."
QUESTION = "Where does the spare key lie?"
FILLER = "We compared timetables, prices and ferries once more, and nothing was settled. "


def pack_of(actor: Actor, conversation_id: UUID, *, budget: int = 4_000, sends: bool = False) -> ContextPack:
    embedded = query_embed(actor, conversation_id)
    with workspace(actor.workspace_id):
        return context_pack(actor, conversation_id, budget, sends=sends, embedded_query=embedded)[0].pack


def conversation_with_question(actor: Actor, settings: Settings) -> UUID:
    """A conversation without memories whose message about the key is compacted, followed by a question about it."""
    without_debounce(settings)
    conversation_id = conversation(actor, title="The house")
    say(actor, conversation_id, KEY, "Good to know.")
    with workspace(actor.workspace_id):
        Conversation.objects.filter(pk=conversation_id).update(remembers=False)
    say(actor, conversation_id, *(f"{FILLER * 12}({place})" for place in range(40)))
    compact(actor, conversation_id, Level.LIGHT)
    index(actor, conversation_id)
    say(actor, conversation_id, QUESTION)
    return conversation_id


def test_a_compacted_message_is_retrieved_verbatim_when_asked_for(alice: Actor, settings: Settings) -> None:
    conversation_id = conversation_with_question(alice, settings)
    pack = pack_of(alice, conversation_id)
    assert 0 not in [message.index for message in pack.recent]
    found = next(one for one in pack.retrieved if one.index == 0)
    assert found.text == KEY and found.origin.startswith("0 ")
    assert KEY in render_plain(pack) and pack.total_tokens <= 4_000


def test_excluded_messages_are_not_retrieved(alice: Actor, settings: Settings) -> None:
    conversation_id = conversation_with_question(alice, settings)
    with workspace(alice.workspace_id):
        first = Message.objects.get(conversation_id=conversation_id, index=0).id
        messages_set_excluded(alice, conversation_id=conversation_id, message_ids=[first], excluded=True)
    assert KEY not in render_plain(pack_of(alice, conversation_id))


def test_pinned_messages_are_not_repeated(alice: Actor, settings: Settings) -> None:
    conversation_id = conversation_with_question(alice, settings)
    with workspace(alice.workspace_id):
        first = Message.objects.get(conversation_id=conversation_id, index=0).id
        pin_create(
            alice, conversation_id=conversation_id, draft=PinDraft(content=None, message_id=first, category="other")
        )
    pack = pack_of(alice, conversation_id)
    assert [KEY in pin.content for pin in pack.pins] == [True]
    assert not any(KEY in item.text for item in pack.retrieved)


def test_memories_are_retrieved_only_for_those_who_may_read_them(alice: Actor, bob: Actor) -> None:
    remember(alice, "mem://user/events/house", KEY)
    for actor, told in ((alice, True), (bob, False)):
        conversation_id = conversation(actor, title="The house")
        say(actor, conversation_id, QUESTION)
        assert (KEY in render_plain(pack_of(actor, conversation_id))) is told


def test_a_conversation_that_fits_retrieves_none_of_its_messages(alice: Actor) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, KEY, "Good to know.")
    index(alice, conversation_id)
    say(alice, conversation_id, QUESTION)
    pack = pack_of(alice, conversation_id)
    assert pack.retrieved == () and render_plain(pack).count(KEY) == 1


def test_nothing_is_retrieved_if_lookups_are_disabled(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, lookups_enabled=False)
    remember(alice, "mem://user/events/house", KEY)
    conversation_id = conversation(alice)
    say(alice, conversation_id, QUESTION)
    assert pack_of(alice, conversation_id).retrieved == ()


def test_a_memory_of_a_message_in_the_window_is_not_included(alice: Actor) -> None:
    conversation_id = conversation(alice)
    (said, _) = say(alice, conversation_id, KEY, "Good to know.")
    source, person = SourceRecord("message", str(said.id)), SourceRecord("person", str(alice.user_id))
    remember(alice, "mem://user/events/house", KEY, sources=[source])
    say(alice, conversation_id, QUESTION)
    pack = pack_of(alice, conversation_id)
    assert pack.retrieved == () and render_plain(pack).count(KEY) == 1
    told_too = remember(alice, "mem://user/events/house-too", KEY, sources=[source, person])
    assert [one.id for one in pack_of(alice, conversation_id).retrieved] == [str(told_too.id)]


def test_what_says_little_beside_the_best_hit_is_not_retrieved(alice: Actor) -> None:
    remember(alice, "mem://user/events/house", KEY)
    for number in range(3):
        remember(alice, f"mem://user/events/sorted-{number}", "The list is sorted.")
    conversation_id = conversation(alice)
    say(alice, conversation_id, QUESTION)
    assert [item.origin for item in pack_of(alice, conversation_id).retrieved] == ["mem://user/events/house"]


def test_only_memories_in_sent_packs_count_as_accessed(alice: Actor) -> None:
    remember(alice, "mem://user/events/house", KEY)
    conversation_id = conversation(alice)
    say(alice, conversation_id, QUESTION)
    for sends, accesses in ((False, 0), (True, 1)):
        pack_of(alice, conversation_id, sends=sends)
        with workspace(alice.workspace_id):
            assert MemAccess.objects.count() == accesses


def test_a_changed_memory_is_included_in_its_current_form(alice: Actor) -> None:
    node = remember(alice, "mem://user/events/house", KEY)
    conversation_id = conversation(alice)
    say(alice, conversation_id, QUESTION)
    moved = KEY.replace("blue flowerpot", "doormat")
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=node.id, changes={"content": moved}, version=node.version)
    text = render_plain(pack_of(alice, conversation_id))
    assert moved in text and KEY not in text


def test_a_message_is_retrieved_with_what_superseded_its_fact(alice: Actor, settings: Settings) -> None:
    conversation_id = conversation_with_question(alice, settings)
    with workspace(alice.workspace_id):
        first = str(Message.objects.get(conversation_id=conversation_id, index=0).id)
        stated = learned("flowerpot", 1, attribute="spare_key", words=KEY)
        stated = replace(stated, draft=replace(stated.draft, sources=[SourceRecord("message", first)]))
    learn(alice, stated, learned("Bob", 40, attribute="spare_key", words="Bob has the spare key now."))
    retrieved = next(one for one in pack_of(alice, conversation_id).retrieved if one.index == 0)
    assert retrieved.correction == "No longer true since 2026-02-13, replaced by: “Bob has the spare key now.”"
    assert retrieved.correction in render_plain(pack_of(alice, conversation_id))
