"""Parsing of questions: the actor, the dates and the search terms."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.language.dates import NamedDate
from apps.engine.memory.ranking_features import Question, earlier_share, phrases, read_question


def read(text: str, *speakers: str, asker: tuple[str, ...] = ()) -> Question:
    return read_question(text, speakers=speakers, asker=asker, today=date(2026, 1, 1))


@pytest.mark.parametrize(
    ("text", "left", "actor"),
    [
        ("What did Melanie's sister paint?", "What did sister paint?", "melanie"),
        ("What did Mel paint?", "What did paint?", "melanie"),
        ("what did mel paint?", "what did mel paint?", None),
        ("Can Candice sing?", "Can sing?", "candice"),
        ("When did Caroline meet Melanie?", "When did meet ?", None),
        ("Who painted the boat?", "Who painted the boat?", None),
        ("What is the assistant for?", "What is the assistant for?", None),
    ],
)
def test_a_single_speaker_is_removed_from_the_text_and_becomes_the_actor(
    text: str, left: str, actor: str | None
) -> None:
    question = read(text, "melanie", "caroline", "candice", "assistant")
    assert (question.text, question.actor(())) == (left, actor)


@pytest.mark.parametrize("text", ["What did I read last summer?", "Was habe ich letzten Sommer gelesen?"])
def test_a_date_relative_to_today_becomes_a_range(text: str) -> None:
    assert read(text).named == NamedDate(date(2025, 6, 1), date(2025, 8, 31))


def test_the_first_person_refers_to_a_known_asker() -> None:
    assert read("What do I drink?", "user", "assistant", asker=("user",)).actor(()) == "user"
    assert read("What do we drink?", "ann", asker=("ann",)).actor(()) == "ann"
    assert read("What do I drink?", "ann").actor(()) is None
    assert read("What did I tell Ann?", "user", "ann", asker=("user",)).actor(()) is None


def test_the_subject_of_a_memory_stays_in_the_question() -> None:
    question = read("What is the limit of the Acme-API?")
    assert question.text == "What is the limit of the Acme-API?"
    assert question.actor(["acme api", "user"]) == "acme api"
    assert question.actor(["acme api", "limit"]) is None
    assert question.actor(["bob"]) is None


def test_the_phrases_include_any_possible_name() -> None:
    assert "acme api" in phrases("the Acme API, please")
    assert phrases("") == ()


@given(st.text(max_size=200), st.lists(st.text(max_size=12).map(str.lower), max_size=4))
def test_any_text_can_be_parsed(text: str, names: list[str]) -> None:
    question = read(text, *names, asker=("user",))
    assert question.actor(names) in {None, *names, "user"}


@given(st.integers(0, 10**6))
def test_a_longer_message_uses_less_of_the_previous_one(length: int) -> None:
    assert 0 < earlier_share(length + 1) <= earlier_share(length) <= 1
