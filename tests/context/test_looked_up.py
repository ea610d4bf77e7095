"""What a pack looks up for its current message: folded messages word for word, and the reader's own memories."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.services.packs import context_pack
from apps.conversations.models import Message
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_plain
from apps.engine.policy import Level
from apps.memory.models import MemAccess
from apps.memory.records.tree import SourceRecord
from apps.memory.services.pins import PinDraft, pin_create
from apps.memory.services.tree.create_edit import node_edit
from apps.turns.services.messages import messages_leave_out
from tests.compaction.work import at_once, compact
from tests.conversations.talk import conversation, say
from tests.memory.recall import index, remember

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "The spare key lies under the blue flowerpot beside the greenhouse door."
ASKED = "Where does the spare key lie?"
FILLER = "We compared timetables, prices and ferries once more, and nothing was settled. "


def pack_of(actor: Actor, talk: UUID, *, budget: int = 4_000, sends: bool = False) -> ContextPack:
    with workspace(actor.workspace_id):
        return context_pack(actor, talk, budget, sends=sends)[0].pack


def asked_talk(actor: Actor, settings: Settings) -> UUID:
    """What was said of the key is folded, and now somebody asks for it."""
    at_once(settings)
    talk = conversation(actor, title="The house")
    say(actor, talk, KEY, "Good to know.")
    say(actor, talk, *(f"{FILLER * 12}({place})" for place in range(40)))
    compact(actor, talk, Level.LIGHT)
    index(actor, talk)
    say(actor, talk, ASKED)
    return talk


def test_a_folded_message_comes_back_word_for_word_when_somebody_asks_for_it(alice: Actor, settings: Settings) -> None:
    talk = asked_talk(alice, settings)
    pack = pack_of(alice, talk)
    assert 0 not in [message.index for message in pack.recent]
    found = next(one for one in pack.found if one.index == 0)
    assert found.text == KEY and found.origin.startswith("0 ")
    assert KEY in render_plain(pack) and pack.total_tokens <= 4_000


def test_what_was_left_out_is_not_looked_up(alice: Actor, settings: Settings) -> None:
    talk = asked_talk(alice, settings)
    with workspace(alice.workspace_id):
        first = Message.objects.get(conversation_id=talk, index=0).id
        messages_leave_out(alice, conversation_id=talk, message_ids=[first], excluded=True)
    assert KEY not in render_plain(pack_of(alice, talk))


def test_what_is_pinned_is_not_told_twice(alice: Actor, settings: Settings) -> None:
    talk = asked_talk(alice, settings)
    with workspace(alice.workspace_id):
        first = Message.objects.get(conversation_id=talk, index=0).id
        pin_create(alice, conversation_id=talk, draft=PinDraft(content=None, message_id=first, category="other"))
    assert render_plain(pack_of(alice, talk)).count(KEY) == 1


def test_memories_are_looked_up_for_who_may_read_them_and_nobody_else(alice: Actor, bob: Actor) -> None:
    remember(alice, "mem://user/profile/house", KEY)
    for actor, told in ((alice, True), (bob, False)):
        talk = conversation(actor, title="The house")
        say(actor, talk, ASKED)
        assert (KEY in render_plain(pack_of(actor, talk))) is told


def test_a_talk_that_fits_whole_looks_up_nothing_of_itself(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, KEY, "Good to know.")
    index(alice, talk)
    say(alice, talk, ASKED)
    pack = pack_of(alice, talk)
    assert pack.found == () and render_plain(pack).count(KEY) == 1


def test_nothing_is_looked_up_where_that_is_switched_off(alice: Actor, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, lookups_enabled=False)
    remember(alice, "mem://user/profile/house", KEY)
    talk = conversation(alice)
    say(alice, talk, ASKED)
    assert pack_of(alice, talk).found == ()


def test_a_memory_of_a_message_in_the_window_is_not_told_beside_it(alice: Actor) -> None:
    talk = conversation(alice)
    (said, _) = say(alice, talk, KEY, "Good to know.")
    source, person = SourceRecord("message", str(said.id)), SourceRecord("person", str(alice.user_id))
    remember(alice, "mem://user/profile/house", KEY, sources=[source])
    say(alice, talk, ASKED)
    pack = pack_of(alice, talk)
    assert pack.found == () and render_plain(pack).count(KEY) == 1
    told_too = remember(alice, "mem://user/profile/house-too", KEY, sources=[source, person])
    assert [one.id for one in pack_of(alice, talk).found] == [str(told_too.id)]


def test_small_talk_looks_up_nothing(alice: Actor) -> None:
    remember(alice, "mem://user/profile/house", KEY)
    talk = conversation(alice)
    say(alice, talk, "How do I sort a list in Python?")
    assert pack_of(alice, talk).found == ()


def test_a_memory_that_is_sent_was_of_use_and_one_that_is_looked_at_was_not(alice: Actor) -> None:
    remember(alice, "mem://user/profile/house", KEY)
    talk = conversation(alice)
    say(alice, talk, ASKED)
    for sends, accesses in ((False, 0), (True, 1)):
        pack_of(alice, talk, sends=sends)
        with workspace(alice.workspace_id):
            assert MemAccess.objects.count() == accesses


def test_a_memory_that_changed_is_told_as_it_is_now(alice: Actor) -> None:
    node = remember(alice, "mem://user/profile/house", KEY)
    talk = conversation(alice)
    say(alice, talk, ASKED)
    moved = KEY.replace("blue flowerpot", "doormat")
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=node.id, changes={"content": moved}, version=node.version)
    text = render_plain(pack_of(alice, talk))
    assert moved in text and KEY not in text
