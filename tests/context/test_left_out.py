"""What is left out is gone at once from what an epoch keeps."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.context.models import PackEpoch
from apps.context.selectors.pack_requests import PackContext
from apps.context.services import assembly
from apps.context.services.cache_epochs import Begun
from apps.conversations.models import Conversation
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_plain
from tests.api.callers import Caller
from tests.compaction.segments import leave_out
from tests.context.epochs import epoch_of, pack_of, rows, turn
from tests.conversations.talk import conversation, say

pytestmark = pytest.mark.django_db


SECRET = "We decided on Zanzibar because it is warm; Zanzibar is final. "


def with_secret(actor: Actor, place: int, messages: int = 60) -> UUID:
    """A talk of messages of about 110 tokens; the one at the place is weighty."""
    talk = conversation(actor)
    filler = "And so it went on for a while with nothing in particular to tell of it. " * 6
    say(actor, talk, *[SECRET * 2 if index == place else f"{index}. {filler}" for index in range(messages)])
    return talk


def told_anywhere(actor: Actor, talk: UUID) -> bool:
    return any("Zanzibar" in str(vars(row)) for row in rows(actor, talk))


@pytest.mark.parametrize(
    ("messages", "budget", "place", "part"),
    [
        (60, 3_500, 25, "windowed told"),
        (60, 2_000, 45, "compacted keys"),
        (180, 6_000, 45, "compacted told"),
        (180, 2_000, 165, "multi_level told"),
    ],
)
def test_a_message_that_is_left_out_is_gone_from_the_next_pack_and_from_the_stored_epoch(
    alice: Actor, messages: int, budget: int, place: int, part: str
) -> None:
    talk = with_secret(alice, place, messages)
    epoch = pack_of(alice, talk, budget).pack.epoch
    told = {"told": str(epoch.earlier.told), "keys": epoch.earlier.keys.text}
    assert [f"{epoch.strategy} {name}" for name, text in told.items() if "Zanzibar" in text] == [part]
    assert told_anywhere(alice, talk)
    turn(alice, talk)
    assert "Zanzibar" in render_plain(pack_of(alice, talk, budget).pack)
    leave_out(alice, talk, place)
    assert not told_anywhere(alice, talk)
    assert "Zanzibar" not in render_plain(pack_of(alice, talk, budget).pack)
    assert not told_anywhere(alice, talk)


def test_so_it_is_from_every_reader_s_and_every_budget_s(alice: Actor, bob: Actor) -> None:
    talk = with_secret(alice, 45)
    Caller(alice).post(f"/conversations/{talk}/shares", {"email": "bob@example.org", "access": "read"})
    for actor, budget in ((alice, 2_000), (bob, 2_000), (bob, 2_200)):
        assert "Zanzibar" in render_plain(pack_of(actor, talk, budget).pack)
    leave_out(alice, talk, 45)
    assert not told_anywhere(alice, talk)


def test_a_pack_that_was_begun_before_an_exclusion_and_stored_after_it_is_not_gone_on_with(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = with_secret(alice, 45)
    lock = assembly.conversation_lock

    def meanwhile(conversation_id: UUID) -> Conversation:
        monkeypatch.setattr(assembly, "conversation_lock", lock)
        leave_out(alice, talk, 45)
        return lock(conversation_id)

    monkeypatch.setattr(assembly, "conversation_lock", meanwhile)
    assert "Zanzibar" not in render_plain(pack_of(alice, talk, 2_000).pack)
    assert not told_anywhere(alice, talk)


def test_an_epoch_that_ended_while_its_pack_was_built_stays_ended(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = with_secret(alice, 45)
    pack_of(alice, talk, 2_000)
    say(alice, talk, "One more.", "Yes.")
    note = assembly.epoch_go_on

    def meanwhile(order: PackContext, row: PackEpoch, pack: ContextPack) -> Begun:
        leave_out(alice, talk, 45)
        return note(order, row, pack)

    monkeypatch.setattr(assembly, "epoch_go_on", meanwhile)
    assert not epoch_of(pack_of(alice, talk, 2_000)).is_new
    monkeypatch.setattr(assembly, "epoch_go_on", note)
    assert not told_anywhere(alice, talk)
    again = pack_of(alice, talk, 2_000)
    assert epoch_of(again).because == "exclusions" and "Zanzibar" not in render_plain(again.pack)
