"""Messages that nobody writes by hand: what is around them is learned, and they are read in part."""

from __future__ import annotations

from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from tests.conversations.long_conversations import conversation, say
from tests.extraction.runs import last_result, make_due, remember, texts_of
from tests.linear_time.shapes import SHAPES

pytestmark = pytest.mark.django_db

_HARD = ("curly_quotes", "spaced_lines", "letters", "marks", "percent")


@pytest.fixture
def talk(alice: Actor) -> UUID:
    return conversation(alice, title="Clinic")


def test_a_hard_message_does_not_stop_the_conversation_from_being_learned(alice: Actor, talk: UUID) -> None:
    hard = [shape.text(60_000) for shape in SHAPES if shape.name in _HARD]
    say(alice, talk, "I live in Porto.", *hard, "I'm a vet.", role="user")
    result = remember(alice, talk)
    assert (result["messages"], result["read_in_part"]) == (len(_HARD) + 2, len(_HARD))
    assert texts_of(alice) == ["I live in Porto.", "I'm a vet."]


@pytest.mark.slow("it reads 30,000 characters")
def test_the_beginning_of_a_very_long_message_is_read(alice: Actor, talk: UUID) -> None:
    say(alice, talk, "Nuts make me ill." + "\n" * 4 + "step done\n" * 3_000)
    make_due()
    assert "Nuts make me ill." in texts_of(alice)
    assert last_result(alice, talk)["read_in_part"] == 0
