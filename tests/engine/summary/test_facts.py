"""Statements of fact fill the free places of the offline summary; what is not asserted stays out."""

from __future__ import annotations

import pytest

from apps.engine.messages.message import Role
from apps.engine.messages.parsing import read_messages
from apps.engine.policy import Level
from apps.engine.summary.extractive import summarize
from apps.engine.summary.facts import facts
from apps.engine.summary.rolling_summary import RollingSummary
from apps.engine.summary.salience import entry_text
from apps.engine.summary.vocabulary import Vocabulary
from tests.engine.conversations import POLICY, indexed, text_message


def found(*said: tuple[Role, str]) -> list[tuple[str, str]]:
    readings = read_messages(indexed([text_message(role, text) for role, text in said]))
    return [(field, entry_text(placed.entry)) for field, placed in facts(readings, Vocabulary.of(readings))]


def of_user(text: str) -> list[tuple[str, str]]:
    return found((Role.USER, text))


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("My sister Noor moved to Ghent with the twins in March.", "definitions"),
        ("I get hives from sesame, even traces.", "requirements"),
        ("And never suggest that I go jogging in the 2 parks.", "requirements"),
        ("Timescale is out after all: events go to PostgreSQL.", "decisions"),
        ("The dentist is on the 19th, not the 9th.", "decisions"),
    ],
)
def test_a_fact_gets_the_field_it_belongs_to(text: str, field: str) -> None:
    assert [name for name, _ in of_user(text)] == [field]


def test_the_term_of_a_fact_is_what_it_names() -> None:
    ((_, text),) = of_user("My sister Noor moved to Ghent with the twins in May.")
    assert text == "Noor, Ghent, May: My sister Noor moved to Ghent with the twins in May."


@pytest.mark.parametrize(
    "text",
    [
        "Did Noor move to Ghent on 3 May?",
        "I guess production runs on 3 machines in Ghent.",
        "If we sold the 3 boats in Ghent we would have to rent one.",
        'The publisher: "We expect 3 battle passes by June in Ghent."',
        "<private>Daniel fudged the 3 gauges in Ghent.</private>",
        "The wifi password is Pfefferminz-7714 in Ghent.",
    ],
)
def test_what_nobody_asserts_or_may_repeat_is_no_fact(text: str) -> None:
    assert of_user(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "You should run 3 times a week in Ghent.",
        "Done, the go-live is on Monday the 13th.",
        "Ask Stef for 2 dust walls in Ghent.",
        "I'd take the train on 3 May.",
    ],
)
def test_advice_and_echoes_of_an_assistant_are_no_facts(text: str) -> None:
    assert found((Role.ASSISTANT, text)) == []


def test_what_an_assistant_found_out_is_a_fact() -> None:
    ((field, text),) = found((Role.ASSISTANT, "The cent is lost because sumLines rounds 2 times."))
    assert (field, text.split(": ")[1]) == ("definitions", "The cent is lost because sumLines rounds 2 times.")


def test_what_is_said_again_and_again_is_no_fact() -> None:
    repeated = [(Role.USER, "Sundays in Ghent have 2 bells.")] * 4
    assert found(*repeated) == []


def test_the_summary_states_the_last_word_and_not_what_it_overturned() -> None:
    said = ["We decided to store events in TimescaleDB.", "Timescale is out after all: events go to PostgreSQL."]
    messages = indexed([text_message(Role.USER, text) for text in said])
    summary = summarize(RollingSummary(), messages, Level.LIGHT, POLICY)
    assert [decision.text for decision in summary.decisions] == [said[1]]


def test_a_fact_and_the_line_that_says_it_are_not_both_in_the_summary() -> None:
    messages = indexed([text_message(Role.USER, "We decided to keep 3 replicas in Ghent because two failed.")])
    summary = summarize(RollingSummary(), messages, Level.LIGHT, POLICY)
    assert [name for name, _ in summary.entries() if name != "references"] == ["decisions"]
