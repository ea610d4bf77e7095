"""Whether a memory still holds after a new statement, as the reader judges both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

OLD, NEW = "The church ladies come for dominoes on Thursdays.", "Dominoes is on Tuesdays these days."
Judge = Callable[[float], list[tuple[str, str]]]


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Let the reader give every earlier statement this chance of having ended; the list has what was compared."""

    def judges(chance: float) -> list[tuple[str, str]]:
        compared: list[tuple[str, str]] = []

        def read(pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
            compared.extend(pairs)
            return [[chance, *[0.0] * (len(RELATIONS) - 2), 1 - chance] for _ in pairs]

        monkeypatch.setattr(similar, "reader_compares", lambda: True)
        monkeypatch.setattr(similar, "read_relations", read)
        return compared

    return judges


def in_use(actor: Actor) -> list[str]:
    return [row.l2_content for row in memories_of(actor) if row.valid_to is None]


def said(actor: Actor, *texts: str) -> UUID:
    talk = conversation(actor)
    say(actor, talk, *texts, role="user")
    remember(actor, talk)
    return talk


def test_a_memory_on_the_same_topic_that_no_longer_holds_is_replaced(alice: Actor, judge: Judge) -> None:
    compared = judge(0.9)
    said(alice, OLD)
    said(alice, NEW)
    assert in_use(alice) == [NEW]
    assert (OLD, NEW) in compared


def test_what_the_reader_takes_to_hold_stays_and_nobody_is_asked(alice: Actor, judge: Judge) -> None:
    judge(0.1)
    said(alice, OLD)
    said(alice, NEW)
    assert sorted(in_use(alice)) == sorted([OLD, NEW])
    with workspace(alice.workspace_id):
        assert MemConflict.objects.count() == 0


def test_a_statement_of_the_same_messages_is_compared_too(alice: Actor, judge: Judge) -> None:
    judge(0.1)
    said(alice, OLD, NEW)
    assert sorted(in_use(alice)) == sorted([OLD, NEW])


def test_what_is_on_another_topic_stays_whatever_the_reader_says(alice: Actor, judge: Judge) -> None:
    judge(0.99)
    said(alice, "We are four in the flat.")
    said(alice, "I cross the bridge by bike.")
    assert len(in_use(alice)) == 2


def test_memories_are_compared_with_few_statements(alice: Actor, judge: Judge) -> None:
    compared = judge(0.1)
    said(alice, *(f"I count {number} swans on the lake." for number in range(20)))
    compared.clear()
    said(alice, "I count no swans on the lake.")
    assert len(compared) == 4
