"""Memories in what people say."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.extraction.candidate import Speaker
from apps.engine.extraction.extract import extract
from apps.engine.extraction.naming import address_of
from apps.engine.memory.slots import Slot
from apps.engine.memory.trust import Source
from tests.engine.extraction.talk import found, quotes, refusals, utterance

_TALK = (
    "We decided to move the launch to 3 June. Is that ok?",
    "I'm a vet and I live in Porto, btw please keep answers short",
    "The backlog is 40 tickets; if we hired someone we'd be faster. Tests run every night.",
    "The crash came from a stale cache, clearing it fixed it.",
    "Ana does the design, Luis is our lawyer",
    "ok thanks!",
)


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("I prefer tabs to spaces", "preferences"),
        ("From now on write commit messages in German", "preferences"),
        ("I'm a piano teacher", "profile"),
        ("My mother tongue is Finnish", "profile"),
        ("Our lawyer is Luisa Campos", "entities"),
        ("The database is PostgreSQL 17", "entities"),
        ("Standups are on Mondays", "patterns"),
        ("We decided to cancel the trip", "events"),
        ("The exam is on 12 June", "events"),
        ("The leak turned out to be a loose washer", "cases"),
        ("Ich wohne in Graz", "profile"),
        ("Prefiero respuestas cortas", "preferences"),
        ("Je préfère les réponses courtes", "preferences"),
        ("横浜に住んでいます", "entities"),
    ],
)
def test_facts_are_found_in_their_category(text: str, category: str) -> None:
    assert [str(candidate.category) for candidate in found(text)] == [category]


def test_a_quote_is_the_exact_words_of_the_message() -> None:
    text = "Ok — it’s   called “Feu blanc”, and we use Ardour."
    for candidate in found(text):
        span = candidate.quote.span
        assert candidate.quote.text == text[span.start : span.end]


@pytest.mark.parametrize("speaker", [Speaker.ASSISTANT, Speaker.TOOL, Speaker.SYSTEM])
def test_assistants_tools_and_system_text_are_no_sources(speaker: Speaker) -> None:
    assert quotes("We use PostgreSQL 17 and I prefer tabs.", speaker) == []


def test_what_another_person_says_is_marked_as_theirs() -> None:
    [candidate] = extract([utterance("we use PostgreSQL 17", Speaker.MEMBER, name="Bob")]).candidates
    assert (candidate.source, candidate.statement) == (Source.OTHER_MEMBER, "Bob: We use PostgreSQL 17")


def test_a_trap_in_the_same_sentence_does_not_become_part_of_the_quote() -> None:
    text = "Our budget is 40,000 euros, the neighbours paid 70,000."
    assert quotes(text) == ["Our budget is 40,000 euros"]


def test_a_greeting_is_no_memory() -> None:
    assert quotes("Hi there! Thanks a lot, see you tomorrow") == []


@given(order=st.permutations(_TALK), cut=st.integers(0, len(_TALK)))
def test_the_same_talk_in_any_split_into_runs_gives_the_same_memories(order: list[str], cut: int) -> None:
    talk = [utterance(text, index=index) for index, text in enumerate(order)]
    whole = extract(talk).candidates
    assert whole == extract(talk[:cut]).candidates + extract(talk[cut:]).candidates


@given(
    text=st.text(
        alphabet=st.sampled_from("ab I'm we use is my. ,;:\n\"“”«»「」<>/private-—()?!0123€🙂あの"), max_size=300
    )
)
def test_any_text_gives_verbatim_quotes_outside_its_foreign_parts(text: str) -> None:
    for candidate in found(text):
        span = candidate.quote.span
        assert candidate.quote.text == text[span.start : span.end]
        assert address_of(candidate).text.startswith("mem://")


def test_a_sentence_longer_than_people_make_is_not_read() -> None:
    assert quotes("We use PostgreSQL 17 " + "and so on " * 200) == []


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("I don't work at Zenit any more, I'm at Polaris.", "profile"),
        ("Sanne is no longer our bookkeeper, Pavel is.", "entities"),
        ("Pavel replaced Sanne as our bookkeeper.", "entities"),
        ("We have a new bookkeeper: Pavel.", "entities"),
        ("We have until 9 April for the tender.", "events"),
        ("Ledgerly uses Redis.", "entities"),
    ],
)
def test_a_sentence_that_gives_a_new_value_is_remembered_as_a_whole(text: str, category: str) -> None:
    assert [(one.quote.text, str(one.category)) for one in found(text)] == [(text, category)]


def test_a_sentence_that_only_denies_a_value_is_not_remembered() -> None:
    assert found("I don't work at Zenit any more.") == []


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "Our chef is Beatriz, and we use Square for the till",
            ["Our chef is Beatriz", "and we use Square for the till"],
        ),
        (
            "I use Reaper for the cutting and it goes up on Acast",
            ["I use Reaper for the cutting", "and it goes up on Acast"],
        ),
        (
            "We moved the mail to a queue and the duplicates stopped",
            ["We moved the mail to a queue and the duplicates stopped"],
        ),
        ("Lena is leaving for Oslo, so Marek takes over", ["Lena is leaving for Oslo, so Marek takes over"]),
        ("The fleet is nine boats, all moored at Lyme", ["The fleet is nine boats, all moored at Lyme"]),
    ],
)
def test_independent_facts_of_a_sentence_are_memories_of_their_own(text: str, facts: list[str]) -> None:
    assert quotes(text) == facts


def test_a_negated_statement_is_refused_as_such() -> None:
    assert refusals("Our lawyer is not Luisa Campos.") == ["negated"]


def test_a_quotation_over_several_lines_is_not_read() -> None:
    assert quotes('She wrote "hi all,\nour lawyer is Luisa Campos\nbye" and left.') == []


def test_inches_are_no_quotation() -> None:
    assert "Our lawyer is Luisa Campos." in quotes('The board is 5" wide.\nOur lawyer is Luisa Campos.\nIt is 7" long.')


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("I live in Porto now", Slot("user", "lives_in", "Porto")),
        ("I moved back to São Paulo", Slot("user", "lives_in", "São Paulo")),
        ("I work at Harrow & Sons", Slot("user", "employer", "Harrow & Sons")),
        ("My name is Ada Byron", Slot("user", "name", "Ada Byron")),
        ("I'm a night nurse", Slot("user", "job", "night nurse")),
        ("I'm vegetarian", Slot("user", "diet", "vegetarian")),
        ("My husband is called Wim", Slot("user", "partner", "Wim")),
        ("I'm allergic to peanuts", Slot("user", "allergy", "peanuts", many=True)),
        ("My manager is Rafael Costa", Slot("user", "manager", "Rafael Costa")),
        ("Ich wohne in Graz", Slot("user", "lives_in", "Graz")),
        ("Slotwise runs on Postgres 16", Slot("slotwise", "database", "Postgres 16")),
        ("I live in a small flat", None),
        ("We moved to Postgres", None),
    ],
)
def test_certain_words_fill_a_slot(text: str, slot: Slot | None) -> None:
    [candidate] = found(text)
    assert candidate.slot == slot


def test_another_person_is_the_subject_of_what_they_say_of_themselves() -> None:
    [candidate] = extract([utterance("I live in Porto", Speaker.MEMBER, name="Bob Ray")]).candidates
    assert candidate.slot == Slot("bob-ray", "lives_in", "Porto")


def test_a_candidate_has_the_sentence_before_as_its_context() -> None:
    [*_, candidate] = found("The choir is too late for the kids. Our lawyer is Luisa Campos.")
    assert candidate.context == "The choir is too late for the kids."


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("We switched to Postgres yesterday", date(2026, 2, 4)),
        ("I moved to Porto in March", date(2025, 3, 1)),
        ("We're on Postgres since Monday", date(2026, 2, 2)),
        ("The flat was sold on 15 December", date(2025, 12, 15)),
        ("The launch is on 3 May", None),
        ("We decided that the shop opens on 1 April", None),
    ],
)
def test_a_fact_of_the_past_has_its_own_date(text: str, day: date | None) -> None:
    stated = replace(utterance(text), stated_at=datetime(2026, 2, 5, 9, 30, tzinfo=UTC))
    [candidate] = extract([stated]).candidates
    assert (candidate.occurred_at and candidate.occurred_at.date()) == day


def test_a_passing_state_has_an_end_and_fills_no_slot() -> None:
    said = datetime(2026, 2, 5, tzinfo=UTC)
    [candidate] = extract([replace(utterance("I live in Rome until 20 March."), stated_at=said)]).candidates
    assert (candidate.until, candidate.slot) == (datetime(2026, 3, 21, tzinfo=UTC), None)
