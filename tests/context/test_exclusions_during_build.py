"""Excluded messages immediately disappear from an epoch."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.context.models import PackEpoch
from apps.context.selectors.pack_requests import PackContext
from apps.context.services import assembly
from apps.context.services.cache_epochs import EpochResult
from apps.conversations.models import Conversation
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.provider_formats import render_plain
from tests.api.callers import Caller
from tests.compaction.segments import set_excluded
from tests.context.epochs import epoch_of, pack_of, rows, turn
from tests.conversations.long_conversations import conversation, say

pytestmark = pytest.mark.django_db


SECRET = "We decided on Zanzibar because it is warm; Zanzibar is final. "


def with_secret(actor: Actor, place: int, messages: int = 60) -> UUID:
    """Create a conversation with messages of about 110 tokens; the one at the given index is important."""
    conversation_id = conversation(actor)
    filler = "And so it went on for a while with nothing in particular to tell of it. " * 6
    say(actor, conversation_id, *[SECRET * 2 if index == place else f"{index}. {filler}" for index in range(messages)])
    return conversation_id


def is_included_anywhere(actor: Actor, conversation_id: UUID) -> bool:
    return any("Zanzibar" in str(vars(row)) for row in rows(actor, conversation_id))


@pytest.mark.parametrize(
    ("messages", "budget", "place", "part"),
    [
        (60, 3_500, 25, "windowed told"),
        (60, 2_000, 45, "compacted keys"),
        (180, 6_000, 45, "compacted told"),
        (180, 2_000, 165, "multi_level told"),
    ],
)
def test_an_excluded_message_is_removed_from_the_next_pack_and_the_stored_epoch(
    alice: Actor, messages: int, budget: int, place: int, part: str
) -> None:
    conversation_id = with_secret(alice, place, messages)
    epoch = pack_of(alice, conversation_id, budget).pack.epoch
    told = {"told": str(epoch.earlier.segments), "keys": epoch.earlier.keys.text}
    assert [f"{epoch.strategy} {name}" for name, text in told.items() if "Zanzibar" in text] == [part]
    assert is_included_anywhere(alice, conversation_id)
    turn(alice, conversation_id)
    assert "Zanzibar" in render_plain(pack_of(alice, conversation_id, budget).pack)
    set_excluded(alice, conversation_id, place)
    assert not is_included_anywhere(alice, conversation_id)
    assert "Zanzibar" not in render_plain(pack_of(alice, conversation_id, budget).pack)
    assert not is_included_anywhere(alice, conversation_id)


def test_an_excluded_message_is_removed_from_every_reader_s_and_budget_s_epoch(alice: Actor, bob: Actor) -> None:
    conversation_id = with_secret(alice, 45)
    Caller(alice).post(f"/conversations/{conversation_id}/shares", {"email": "bob@example.org", "access": "read"})
    for actor, budget in ((alice, 2_000), (bob, 2_000), (bob, 2_200)):
        assert "Zanzibar" in render_plain(pack_of(actor, conversation_id, budget).pack)
    set_excluded(alice, conversation_id, 45)
    assert not is_included_anywhere(alice, conversation_id)


def test_an_epoch_built_before_an_exclusion_and_stored_after_it_is_not_continued(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation_id = with_secret(alice, 45)
    lock = assembly.conversation_lock

    def meanwhile(conversation_id: UUID) -> Conversation:
        monkeypatch.setattr(assembly, "conversation_lock", lock)
        set_excluded(alice, conversation_id, 45)
        return lock(conversation_id)

    monkeypatch.setattr(assembly, "conversation_lock", meanwhile)
    assert "Zanzibar" not in render_plain(pack_of(alice, conversation_id, 2_000).pack)
    assert not is_included_anywhere(alice, conversation_id)


def test_an_epoch_that_ended_while_its_pack_was_built_stays_ended(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation_id = with_secret(alice, 45)
    pack_of(alice, conversation_id, 2_000)
    say(alice, conversation_id, "One more.", "Yes.")
    note = assembly.continue_epoch

    def meanwhile(order: PackContext, row: PackEpoch, pack: ContextPack) -> EpochResult:
        set_excluded(alice, conversation_id, 45)
        return note(order, row, pack)

    monkeypatch.setattr(assembly, "continue_epoch", meanwhile)
    assert not epoch_of(pack_of(alice, conversation_id, 2_000)).is_new
    monkeypatch.setattr(assembly, "continue_epoch", note)
    assert not is_included_anywhere(alice, conversation_id)
    again = pack_of(alice, conversation_id, 2_000)
    assert epoch_of(again).reasons == ("exclusions",) and "Zanzibar" not in render_plain(again.pack)
