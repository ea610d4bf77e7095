"""What people say is summarized by what the reader takes it to be worth, and by what it says."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apps.engine.memory.categories import Category
from apps.engine.messages.message import Message, Role
from apps.engine.policy import Level, policy_override
from apps.engine.summary.by_reader.judge import Judge
from apps.engine.summary.by_reader.sentence_reads import SentenceRead, SentenceReads, sentence_reads, sentences_to_read
from apps.engine.summary.extractive import summarize
from apps.engine.summary.rolling_summary import Decision, Line, RollingSummary
from apps.engine.summary.salience import entry_text
from tests.engine.conversations import POLICY, indexed, text_message
from tests.engine.extraction.talk import read_of, span_of

HERON = "There was a heron at the pond on 3 May in Ghent, very proud."
COELIAC = "shes coeliac since always"
GLUTEN = SentenceRead(0.9, Category.PROFILE, "health", "Ada")


def said(*texts: str) -> list[Message]:
    return indexed([text_message(Role.USER, text) for text in texts])


def lines(messages: Sequence[Message], reads: SentenceReads) -> list[tuple[str, str]]:
    summary = summarize(RollingSummary(), messages, Level.LIGHT, POLICY, Judge(reads))
    return [(field, entry_text(entry)) for field, entry in summary.entries()]


def test_what_is_worth_keeping_is_in_the_summary_whatever_its_words() -> None:
    assert lines(said(COELIAC), {COELIAC: GLUTEN}) == [("definitions", f"Ada, health, shes: {COELIAC}")]


def test_what_is_worth_nothing_is_left_out_whatever_its_words() -> None:
    assert lines(said(HERON), {}) != []
    assert lines(said(HERON), {HERON: SentenceRead(0.05)}) == []


def test_what_an_assistant_says_is_not_read() -> None:
    answered = indexed([text_message(Role.ASSISTANT, HERON)])
    assert lines(answered, {HERON: SentenceRead(0.9)}) == lines(answered, {})


def test_a_sentence_that_is_repeated_is_read_where_it_is_first_said() -> None:
    asked = sentences_to_read(RollingSummary(), said(f"Hello. {COELIAC}. {COELIAC}."))
    assert [(one.text, one.before) for one in asked] == [("Hello.", ""), (f"{COELIAC}.", "Hello.")]


def test_a_first_sentence_is_read_after_the_question_that_it_may_answer() -> None:
    asked = text_message(Role.ASSISTANT, "Nice to meet you. Which city do you live in? I can look up the weather.")
    told = text_message(Role.USER, "Tbilisi. I like it.")
    found = sentences_to_read(RollingSummary(), indexed([asked, told, text_message(Role.USER, "Thanks.")]))
    assert [(one.text, one.before) for one in found] == [
        ("Tbilisi.", "Which city do you live in?"),
        ("I like it.", "Tbilisi."),
        ("Thanks.", ""),
    ]


@pytest.mark.parametrize(
    ("read", "field"),
    [
        (SentenceRead(0.9, change="ended", attribute="diet"), "decisions"),
        (SentenceRead(0.9, attribute="deadline"), "requirements"),
        (SentenceRead(0.9, Category.PREFERENCES, "likes"), "requirements"),
        (SentenceRead(0.9, attribute="goal"), "goals"),
        (SentenceRead(0.9, Category.EVENTS, "trip"), "decisions"),
        (SentenceRead(0.9, Category.ENTITIES, "pet"), "definitions"),
    ],
)
def test_the_field_follows_from_what_a_sentence_says(read: SentenceRead, field: str) -> None:
    assert [name for name, _ in lines(said(COELIAC), {COELIAC: read})] == [field]


def test_sentences_are_read_after_the_one_before_and_lines_of_the_summary_alone() -> None:
    current = RollingSummary(
        goals=(Line("A quiet week", ("a",)),), decisions=(Decision("We stay", "it rains", ("a",)),)
    )
    asked = sentences_to_read(current, said("It rains. We stay home."))
    assert [(one.text, one.before) for one in asked] == [
        ("A quiet week", ""),
        ("We stay", ""),
        ("It rains.", ""),
        ("We stay home.", "It rains."),
    ]


def test_a_sentence_says_what_its_surest_span_says() -> None:
    asked = sentences_to_read(RollingSummary(), said("My dog Rex is three and I like rain."))
    dog = span_of(asked[0].text, "My dog Rex is three", chance=0.9, about="Rex", attribute="age")
    rain = span_of(asked[0].text, "I like rain", chance=0.4)
    read = sentence_reads(asked, [read_of(rain, dog)])[asked[0].text]
    assert (round(read.chance, 2), read.about, read.attribute) == (0.9, "Rex", "age")


def test_a_line_of_the_summary_has_its_worth_when_its_message_is_gone() -> None:
    policy = policy_override(POLICY, {"max_definitions": 2})
    moved, late, cake = "My sister Noor moved to Ghent.", "The bus was late again.", "My colleague brought cake."
    reads = {moved: SentenceRead(0.95), late: SentenceRead(0.5), cake: SentenceRead(0.6)}
    first = summarize(RollingSummary(), said(moved), Level.LIGHT, policy, Judge(reads))
    later = summarize(first, said(late, cake), Level.LIGHT, policy, Judge(reads))
    assert {one.text for one in later.definitions} == {moved, cake}
