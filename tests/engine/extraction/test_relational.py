"""What shows how a person likes to work, what does not, and the profile made of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.extraction.relational.own_edits import Edition, profile_content, removed_traits, supported_history
from apps.engine.extraction.relational.profile import Evidence, merged, profile_lines, profile_text
from apps.engine.extraction.relational.signs import signs_of
from apps.engine.extraction.relational.traits import TRAITS, statement_of, trait_of

REPLY = "A long reply that explains everything at length. " * 10
START = datetime(2026, 11, 1, 9, tzinfo=UTC)


def shown(text: str, reply: str = REPLY) -> list[tuple[str, str]]:
    return [(sign.trait, sign.value) for sign in signs_of(text, reply)]


def evidence(trait: str, value: str, day: int = 0, session: str = "a") -> Evidence:
    name = f"{trait}-{value}-{day}-{session}"
    return Evidence(trait, value, name, session, f"message-{name}", START + timedelta(days=day))


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("too long", ("feedback_length", "long")),
        ("Shorter please", ("feedback_length", "long")),
        ("More detail please.", ("feedback_length", "short")),
        ("Don't apologise.", ("apologies", "no")),
        ("Please skip the intro.", ("intro", "no")),
        ("From now on, keep your answers short.", ("length", "short")),
        ("I prefer detailed answers.", ("length", "long")),
        ("shorter. two lines, tops, whatever you write for me.", ("length", "short")),
        ("Please always answer me in French.", ("language", "French")),
        ("You can call me Sam.", ("name", "Sam")),
        ("and I prefer just a table, skip the pep talk", ("tables", "yes")),
        ("No bullet points, and no emoji please.", ("emoji", "no")),
        ("Be direct.", ("honesty", "direct")),
        ("Code first please, then the explanation.", ("code", "first")),
        ("Give me options, not one answer.", ("options", "several")),
        ("Just pick one.", ("options", "one")),
        ("One step at a time please.", ("steps", "one")),
        ("I'd like you to point at what's wrong and leave the rewriting to me.", ("solutions", "hints")),
        ("No, I meant the blue one.", ("corrected_meaning", "yes")),
        ("That's wrong, it is 42.", ("corrected_number", "yes")),
        ("That’s wrong. It's on Tuesday.", ("corrected_date", "yes")),
        ("That's not right, her name is Marta.", ("corrected_name", "yes")),
        ("I told you not to use tables.", ("corrected_instruction", "yes")),
        ("Perfect, exactly like that!", ("praised_short", "yes")),
        ("Great answer!", ("praised_short", "yes")),
        ("und bitte duzen, beim Sie komm ich mir vor wie am Elternabend", ("address", "informal")),
        ("Bitte kurze Antworten.", ("length", "short")),
        ("Por favor, respuestas más cortas.", ("length", "short")),
        ("Réponses courtes, s'il te plaît.", ("length", "short")),
        ("もっと短くお願いします。", ("length", "short")),
        ("日本語で答えてください。", ("language", "Japanese")),
    ],
)
def test_what_people_write_about_replies_shows_how_they_like_to_work(text: str, sign: tuple[str, str]) -> None:
    assert sign in shown(text)


@pytest.mark.parametrize(
    "text",
    [
        "Call me later.",
        "Write short replies to the reviews.",
        "Write a poem for Ines and keep it short.",
        "Commit messages in the imperative, no emoji.",
        "If I were you I'd keep answers short.",
        "He says: keep your answers short.",
        'The sign said "keep your answers short".',
        "> keep your answers short",
        "<private>Keep your answers short.</private>",
        "```\nKeep your answers short.\n```",
        "Is your answer too long?",
        "Great, exactly what I needed, another bug.",
        "I meant to ask about the dog.",
        "The flight is too long for me.",
        "What's wrong with it?",
        "Thanks, perfect.",
        "My manager wants one recommendation.",
    ],
)
def test_what_is_about_something_else_shows_nothing(text: str) -> None:
    assert shown(text) == []


@pytest.mark.parametrize("text", ["Too long.", "That's wrong, it is 42.", "Great answer!", "No, I meant the blue one."])
def test_a_judgement_needs_a_reply_that_it_judges(text: str) -> None:
    assert shown(text, "") == []


def test_an_answer_to_a_question_corrects_nothing() -> None:
    assert shown("No, it is Tuesday, not Monday.", "Is it on Monday?") == []


def test_a_long_pasted_text_is_read_at_its_ends_alone() -> None:
    pasted = "The form has many fields. " * 60
    assert shown(f"{pasted}Keep your answers short. {pasted}") == []
    assert shown(f"{pasted}Keep your answers short.") == [("length", "short")]


def test_praise_names_what_was_praised() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert shown("Perfect, exactly like that.", table) == [("praised_table", "yes"), ("praised_short", "yes")]


def test_every_statement_leads_back_to_its_trait() -> None:
    for trait, known in TRAITS.items():
        for value in known.statements:
            assert trait_of(statement_of(trait, value)) == trait


def test_lines_count_conversations_and_cite_their_messages_newest_first() -> None:
    lines = profile_lines([evidence("length", "short", day, f"chat {day // 2}") for day in range(4)])
    assert [line.text for line in lines] == ["- Wants short replies (seen in 2 chats, last on 2026-11-04)"]
    assert lines[0].message_ids[0] == evidence("length", "short", 3, "chat 1").message_id


def test_a_later_contrary_line_replaces_the_earlier_one() -> None:
    profile = [evidence("length", "short", day) for day in range(3)]
    assert [line.value for line in profile_lines([*profile, evidence("length", "long", 9)])] == ["long"]
    assert [line.value for line in profile_lines([evidence("length", "long", -1), *profile])] == ["short"]


def test_the_text_has_a_section_for_each_kind_of_line() -> None:
    lines = profile_lines([evidence("praised_short", "yes"), evidence("length", "short"), evidence("code", "first")])
    headings = [line for line in profile_text(lines).splitlines() if line.startswith("#")]
    assert headings == ["## How to answer", "## Working together", "## What was right"]


LISTS_OF_EVIDENCE = st.lists(
    st.builds(
        evidence,
        st.sampled_from(["length", "code"]),
        st.sampled_from(["short", "long", "first"]),
        st.integers(0, 9),
        st.sampled_from("abc"),
    )
)


@given(LISTS_OF_EVIDENCE, LISTS_OF_EVIDENCE)
def test_profiles_merge_in_any_order_and_count_the_same_evidence_once(
    one: list[Evidence], other: list[Evidence]
) -> None:
    assert merged(one, other) == merged(other, one) == merged(one, merged(other, one), other)
    assert profile_lines(merged(one, other)) == profile_lines([*reversed(other), *one, *other])


def test_a_persons_lines_stay_and_what_they_removed_does_not_return() -> None:
    compiled = profile_text(profile_lines([evidence("length", "short"), evidence("code", "first")]))
    edited = "\n".join(line for line in compiled.splitlines() if "short" not in line) + "\n- Likes tea breaks."
    code = [evidence("code", "first"), evidence("code", "first", 5, "b")]
    lines = profile_lines([evidence("length", "short", 5), *code, evidence("emoji", "no", 5)])
    editions = [Edition(compiled, False), Edition(edited, True)]
    new = profile_content(editions, lines)
    assert "- Likes tea breaks." in new.splitlines()
    assert "short replies" not in new
    assert "- Wants code first, the explanation after it (seen in 2 chats, last on 2026-11-06)" in new.splitlines()
    assert "## How to answer\n- Wants no emoji (seen in 1 chat, last on 2026-11-06)" in new
    assert profile_content([*editions, Edition(new, False)], lines) == new


def test_what_they_removed_is_known_from_a_history_without_its_words() -> None:
    compiled = profile_text(profile_lines([evidence("name", "Sam")]))
    history = supported_history(compiled, ())
    assert "Sam" not in history
    assert removed_traits([Edition(history, False), Edition("Mine.", True)]) == {"name"}
    assert supported_history(history, ()) == history
    assert profile_content([Edition(history, True)], profile_lines([evidence("code", "first")])).startswith("##")


def test_a_line_that_a_person_puts_back_is_updated_again() -> None:
    first, later = (profile_lines([evidence("length", "short", day)]) for day in (0, 5))
    editions = [Edition(profile_text(first), False), Edition("Mine.", True), Edition(profile_text(first), True)]
    assert profile_content(editions, later) == profile_text(later)
