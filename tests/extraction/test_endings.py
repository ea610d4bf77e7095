"""What people say ends what they said before, as the reader judges it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.reading.labels import RELATIONS
from apps.extraction.services import similar
from apps.memory.models import MemConflict
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import memories_of, remember

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("every_sentence")]

FLAT, BILLS, BRIDGE = "We are four in the flat.", "Put three names on the bills.", "I cross the bridge by bike."
Pairs = Sequence[tuple[str, str]]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The pairs that were compared; the bills end the flat of four, and nothing else ends anything."""
    pairs: list[tuple[str, str]] = []

    def read(given: Pairs) -> list[list[float]]:
        pairs.extend(given)
        return [chances(0.97 if pair == (FLAT, BILLS) else 0.01) for pair in given]

    monkeypatch.setattr(similar, "reader_compares", lambda: True)
    monkeypatch.setattr(similar, "read_relations", read)
    return pairs


def chances(replaces: float) -> list[float]:
    return [replaces, *[0.0] * (len(RELATIONS) - 2), 1 - replaces]


def in_use(actor: Actor) -> list[str]:
    return [row.l2_content for row in memories_of(actor) if row.valid_to is None]


def said(actor: Actor, *texts: str) -> UUID:
    talk = conversation(actor)
    say(actor, talk, *texts, role="user")
    remember(actor, talk)
    return talk


def test_a_statement_of_another_chat_ends_a_memory(alice: Actor, compared: Pairs) -> None:
    said(alice, FLAT, BRIDGE)
    said(alice, BILLS)
    assert in_use(alice) == [BRIDGE, BILLS]
    assert (FLAT, BILLS) in compared


def test_a_statement_of_the_same_messages_ends_an_earlier_one(alice: Actor, compared: Pairs) -> None:
    said(alice, FLAT, BRIDGE, BILLS)
    assert in_use(alice) == [BRIDGE, BILLS]


def test_in_doubt_both_are_in_use_and_a_person_is_asked(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similar, "reader_compares", lambda: True)
    monkeypatch.setattr(similar, "read_relations", lambda pairs: [chances(0.7) for _ in pairs])
    said(alice, FLAT)
    said(alice, BILLS)
    assert in_use(alice) == [BILLS, FLAT]
    with workspace(alice.workspace_id):
        assert MemConflict.objects.count() == 1


def test_memories_are_compared_with_few_statements(alice: Actor, compared: list[tuple[str, str]]) -> None:
    said(alice, *(f"I count {number} swans on the lake." for number in range(20)))
    compared.clear()
    said(alice, "I count no swans on the lake.")
    assert len(compared) == 4
