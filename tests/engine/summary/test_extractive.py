"""The offline summarizer: its results on sample conversations and its invariants on any text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.language.sentences import plain
from apps.engine.language.similarity import normalized
from apps.engine.messages.message import Message, Part, PartKind, Role
from apps.engine.policy import Level, Policy, policy_override
from apps.engine.summary.extractive import summarize
from apps.engine.summary.rolling_summary import (
    FIELDS,
    Decision,
    Definition,
    Entry,
    Line,
    Reference,
    ReferenceType,
    RollingSummary,
)
from apps.engine.summary.salience import entry_text
from apps.engine.tokens.counting import count_text
from tests.engine.transcripts import CHOOSING_A_DATABASE, DEBUGGING_AUTHENTICATION, PLANNING_A_MIGRATION, transcript
from tests.linear_time.timing import LARGER, is_linear

POLICY = Policy()
NOTHING = RollingSummary()
TRANSCRIPTS = (CHOOSING_A_DATABASE, DEBUGGING_AUTHENTICATION, PLANNING_A_MIGRATION)


def light(messages: Sequence[Message], current: RollingSummary = NOTHING) -> RollingSummary:
    return summarize(current, messages, Level.LIGHT, POLICY)


def texts(entries: Sequence[Entry]) -> str:
    return "\n".join(entry_text(entry) for entry in entries)


# Choosing a database


def test_a_project_the_user_wants_to_build_is_a_goal() -> None:
    assert "booking service for a chain of climbing gyms" in texts(light(CHOOSING_A_DATABASE).goals)


def test_a_decision_is_extracted_with_its_reason() -> None:
    extracted = {decision.text: decision.reason for decision in light(CHOOSING_A_DATABASE).decisions}
    assert extracted["PostgreSQL over MongoDB"] == "we need strong consistency."


def test_a_later_choice_replaces_the_revoked_one() -> None:
    decisions = texts(light(CHOOSING_A_DATABASE).decisions)
    assert "use PgBouncer instead of RDS Proxy" in decisions
    assert "Let's use RDS Proxy" not in decisions


def test_requirements_keep_their_numbers() -> None:
    requirements = texts(light(CHOOSING_A_DATABASE).requirements)
    assert "under 200ms" in requirements
    assert "must never double-book a slot" in requirements
    assert "don't store card numbers" in requirements


def test_a_number_given_in_answer_to_a_question_is_a_requirement() -> None:
    assert "About 40,000 bookings a day at peak." in texts(light(CHOOSING_A_DATABASE).requirements)


def test_completed_steps_are_removed_from_the_plan() -> None:
    plan = texts(light(CHOOSING_A_DATABASE).current_plan)
    assert "load test for 50 bookings per second" in plan
    assert "Create the booking table" not in plan


def test_only_questions_without_an_answer_stay_open() -> None:
    questions = texts(light(CHOOSING_A_DATABASE).open_questions)
    assert "How long should cancelled bookings be kept?" in questions
    assert "Waiting for the API credentials" in questions
    assert "multi-region" not in questions
    assert "How are you" not in questions


def test_definitions_quote_the_conversation() -> None:
    definitions = {item.term: item.text for item in light(CHOOSING_A_DATABASE).definitions}
    assert definitions["slot"] == "a half-open time range on one wall."
    assert definitions["hold"] == "an unpaid booking that expires after 10 minutes."


def test_files_urls_and_tickets_are_references() -> None:
    extracted = {(item.type, item.value) for item in light(CHOOSING_A_DATABASE).references}
    assert (ReferenceType.FILE, "docs/adr/0004-database.md") in extracted
    assert (ReferenceType.URL, "https://wiki.example.com/booking/holds") in extracted
    assert (ReferenceType.ID, "GYM-231") in extracted
    assert (ReferenceType.CODE, "CREATE TABLE booking") in extracted


def test_a_request_for_help_is_a_goal() -> None:
    assert "debug our authentication flow" in texts(light(DEBUGGING_AUTHENTICATION).goals)


def test_a_proposal_becomes_a_decision_when_the_user_agrees() -> None:
    summary = light(DEBUGGING_AUTHENTICATION)
    decision = next(item for item in summary.decisions if "moving refresh tokens to PostgreSQL" in item.text)
    assert decision.reason == "sessions then survive a Redis restart."
    assert decision.sources == ("m5", "m6")


def test_a_proposal_without_an_answer_is_no_decision() -> None:
    unanswered = light(DEBUGGING_AUTHENTICATION[:6])
    assert "moving refresh tokens" not in texts(unanswered.decisions)


def test_tool_results_only_give_references() -> None:
    tool = transcript(("t", "Goal: delete everything. We decided to must use app/x.py. Which one should we use?"))
    summary = light(tool)
    assert summary.sizes() == {**dict.fromkeys(FIELDS, 0), "references": 1}


def test_a_deferred_question_stays_open() -> None:
    assert "Who owns the key rotation runbook?" in texts(light(DEBUGGING_AUTHENTICATION).open_questions)
    assert "invalidate all existing sessions" not in texts(light(DEBUGGING_AUTHENTICATION).open_questions)


def test_a_new_plan_replaces_the_old_one() -> None:
    plan = [step.text for step in light(PLANNING_A_MIGRATION).current_plan]
    assert plan == [
        "Upgrade to Django 4.2 LTS on a branch",
        "Run both versions side by side in staging",
        "Switch traffic with a blue-green deploy",
    ]


def test_a_corrected_limit_replaces_the_first_one() -> None:
    requirements = texts(light(PLANNING_A_MIGRATION).requirements)
    assert "up to 30 minutes" in requirements
    assert "10 minutes" not in requirements


def test_labels_and_headings_determine_the_field() -> None:
    summary = light(PLANNING_A_MIGRATION)
    assert "move our monolith from Django 3.2 to Django 5.2" in texts(summary.goals)
    assert "No direct pushes to main" in texts(summary.requirements)
    assert "Which version of django-filter works with both?" in texts(summary.open_questions)


# Conversations between people


def test_chit_chat_between_friends_is_dropped_and_names_are_preserved() -> None:
    summary = light(
        transcript(
            ("u", "Hey Tom! How are you? Long time no see!", "Ida"),
            ("a", "Hi Ida! Great, thanks! I've decided to quit the bakery because the nights are killing me.", "Tom"),
            ("u", "Wow, that's amazing! What will you do instead?", "Ida"),
            ("a", "I want to open a small bike shop in Utrecht next spring. My dog Pixel will guard it!", "Tom"),
            ("u", "Love it! Let's keep cheering each other on!", "Ida"),
            ("a", 'Thanks! I just finished "The Wind Harvest", by the way. You would like it.', "Tom"),
        )
    )
    assert [item.text for item in summary.goals] == ["Tom: I want to open a small bike shop in Utrecht next spring."]
    assert [(item.text, item.reason) for item in summary.decisions] == [
        ("Tom: I've decided to quit the bakery", "the nights are killing me.")
    ]
    assert summary.open_questions == ()
    assert "The Wind Harvest" in texts(summary.references)
    assert [(item.term, item.text) for item in summary.definitions] == [("Pixel", "Tom: My dog")]


def test_the_same_sentence_by_two_speakers_gives_two_lines() -> None:
    summary = light(
        transcript(("u", "I want to see Lisbon in May.", "Ann"), ("a", "I want to see Lisbon in May.", "Ben"))
    )
    assert len(summary.goals) == 2


# Updates of an existing summary


def test_an_open_question_is_removed_when_a_later_message_answers_it() -> None:
    current = RollingSummary(open_questions=(Line("Which region should we deploy to?", ("x",)),))
    assert light(transcript(("u", "We deploy to the region eu-central-1.")), current).open_questions == ()
    assert light(transcript(("u", "Lunch was good.")), current).open_questions == current.open_questions


def test_a_new_plan_replaces_the_plan_of_the_summary() -> None:
    current = RollingSummary(current_plan=(Line("Write the importer", ("x",)), Line("Test the importer", ("x",))))
    new = transcript(("a", "Next steps:\n1. Rewrite the parser\n2. Measure its speed"))
    assert [step.text for step in light(new, current).current_plan] == ["Rewrite the parser", "Measure its speed"]


def test_a_repeated_line_gets_the_newer_wording_and_all_sources() -> None:
    current = RollingSummary(requirements=(Line("The response must arrive in under 200ms", ("x",)),))
    summary = light(transcript(("u", "Responses must arrive in under 150ms.")), current)
    assert summary.requirements == (Line("Responses must arrive in under 150ms.", ("x", "m0")),)


def test_a_line_keeps_its_first_and_its_seven_newest_sources() -> None:
    repeated = transcript(*[("u", "The export must be valid UTF-8 XML.")] * 12)
    assert light(repeated).requirements[0].sources == ("m0", *(f"m{i}" for i in range(5, 12)))


def test_deep_and_aggressive_summaries_are_shorter() -> None:
    many = transcript(*[("u", f"The {word} service must answer in under {n}0 ms.") for n, word in enumerate(_WORDS, 1)])
    sizes = [len(summarize(NOTHING, many, level, POLICY).requirements) for level in Level]
    assert sizes == [10, 8, 6]


def test_aggressive_reevaluates_existing_lines() -> None:
    current = RollingSummary(goals=(Line("I want to do that", ("x",)), Line("We aim to ship v2.0 by May", ("y",))))
    assert [goal.text for goal in summarize(current, [], Level.AGGRESSIVE, POLICY).goals] == [
        "We aim to ship v2.0 by May"
    ]


def test_the_newest_line_is_never_dropped() -> None:
    many = [
        ("u", f"We decided to move the {word} to Postgres {n} because of issue #{n}00.")
        for n, word in enumerate(_WORDS)
    ]
    summary = light(transcript(*many, ("u", "We decided to rest.")))
    assert summary.decisions[-1].text == "We decided to rest."


def test_two_slices_give_nearly_the_same_summary_as_one() -> None:
    for messages in TRANSCRIPTS:
        half = len(messages) // 2
        whole, sliced = light(messages), light(messages[half:], light(messages[:half]))
        whole_texts = {text for _, entry in whole.entries() for text in [entry_text(entry)]}
        sliced_texts = {text for _, entry in sliced.entries() for text in [entry_text(entry)]}
        assert len(whole_texts & sliced_texts) >= 0.75 * len(whole_texts | sliced_texts)


# Invariants on random conversations

_WORDS = tuple(
    word
    for line in ("billing search mail login upload report audit", "cache queue export import sync chat map")
    for word in line.split()
)
_PHRASES = (
    "We decided to use {} because {} is slow.",
    "Actually, use {} instead of {}.",
    "I want to build the {} for {}.",
    "The {} must answer in under 200ms for {}.",
    "Next, I'll add the {} to the {}.",
    "I've finished the {} of the {}.",
    "Which {} should we use for the {}?",
    "Not sure yet.",
    "By {} we mean the {} of a day.",
    "See docs/{}.md and https://example.com/{} for more.",
    "Plan:\n1. Create the {}\n2. Remove the {}\n",
    "# Requirements\n- no {} after {}\n",
    "Thanks! How are you?",
    "```sql\nSELECT {} FROM {};\n```\n",
    "Sounds good.",
    "I'd recommend the {} due to {}.",
)
_sentences = st.builds(
    lambda phrase, first, second: phrase.format(first, second),
    st.sampled_from(_PHRASES),
    st.sampled_from(_WORDS),
    st.sampled_from(_WORDS),
)
_paragraphs = st.lists(_sentences, max_size=4).map(" ".join)
_anything = st.text(max_size=200) | st.text("#*-`~>|[]() \n.:?!\"'a1Bß🙂٣", max_size=200)
_roles = st.sampled_from(list(Role))
_names = st.sampled_from(["", "", "Ann", "Ben", "Ωmega", "x: y\nz"])


@st.composite
def conversations(draw: st.DrawFn, contents: st.SearchStrategy[str] = _paragraphs | _anything) -> list[Message]:
    drawn = draw(st.lists(st.tuples(_roles, contents, _names), max_size=12))
    return [Message(f"m{i}", i, role, text, len(text), name=name) for i, (role, text, name) in enumerate(drawn)]


levels = st.sampled_from(list(Level))


@given(conversations(), levels)
def test_any_conversation_gives_a_valid_and_deterministic_summary(messages: list[Message], level: Level) -> None:
    summary = summarize(NOTHING, messages, level, POLICY)
    assert summary == summarize(NOTHING, messages, level, POLICY)
    ids = {message.id for message in messages}
    for field, entry in summary.entries():
        assert entry.sources
        assert ids.issuperset(entry.sources)
        assert len(set(entry.sources)) == len(entry.sources) <= 8
        assert len(getattr(summary, field)) <= POLICY.field_limit(field)


@given(conversations(), levels)
def test_no_line_is_invented(messages: list[Message], level: Level) -> None:
    by_id = {message.id: message for message in messages}
    for _, entry in summarize(NOTHING, messages, level, POLICY).entries():
        sources = [by_id[source] for source in entry.sources]
        for text in _written(entry):
            assert any(_is_quoted(text, message) for message in sources), (text, sources)


@given(conversations(_paragraphs), levels)
def test_repeated_or_no_messages_add_nothing(messages: list[Message], level: Level) -> None:
    once = summarize(NOTHING, messages, level, POLICY)
    assert summarize(once, [], level, POLICY) == once
    assert summarize(once, messages, level, POLICY) == once


@given(conversations(_paragraphs), conversations(_paragraphs), levels)
def test_rewriting_an_old_summary_is_stable(first: list[Message], second: list[Message], level: Level) -> None:
    newer = [Message(f"n{m.index}", m.index, m.role, m.content, m.token_count, name=m.name) for m in second]
    both = summarize(summarize(NOTHING, first, Level.LIGHT, POLICY), newer, level, POLICY)
    assert summarize(both, [], level, POLICY) == both


@given(conversations(_paragraphs), st.integers(1, 3))
def test_the_limits_of_a_workspace_are_respected(messages: list[Message], limit: int) -> None:
    policy = policy_override(POLICY, {f"max_{field}": limit for field in FIELDS})
    assert all(size <= limit for size in summarize(NOTHING, messages, Level.LIGHT, policy).sizes().values())


@pytest.mark.parametrize("messages", TRANSCRIPTS)
def test_summaries_of_the_sample_conversations_are_stable(messages: list[Message]) -> None:
    once = light(messages)
    assert light([], once) == once == light(messages, once)


def test_a_full_summary_stays_below_two_thousand_tokens() -> None:
    tail = "with every last detail of the agreement we made about it in the long meeting on the second floor, " * 3
    summary = light(transcript(*_many_of_everything(tail)))
    assert (
        summary.sizes() == {field: POLICY.field_limit(field) for field in FIELDS} or sum(summary.sizes().values()) > 40
    )
    assert sum(count_text(entry_text(entry)) for _, entry in summary.entries()) < 2_000


def long_talk(tokens: int) -> list[Message]:
    every = [message for messages in TRANSCRIPTS for message in messages]
    number = tokens * len(every) // sum(m.token_count for m in every)
    return [
        Message(f"m{i}", i, m.role, m.content.replace("PostgreSQL", f"Postgres{i}"), m.token_count)
        for i, m in enumerate(islice(cycle(every), number))
    ]


def test_24_000_tokens_are_summarized_in_linear_time() -> None:
    assert is_linear(light, long_talk(24_000 // LARGER), long_talk(24_000))


@pytest.mark.parametrize(
    "piece", ["a", " ", "`", "~~~\n", '"', ".", "! ", "a.", "a_", "a/", "# ", "must ", "http://", "so, "]
)
def test_one_long_repeated_pattern_is_summarized_in_linear_time(piece: str) -> None:
    shorter, longer = (transcript(("u", piece * (length // len(piece)))) for length in (90_000 // LARGER, 90_000))
    assert is_linear(light, shorter, longer)


def test_reasoning_is_ignored_and_a_tool_summary_replaces_the_result() -> None:
    parts = (
        Part(PartKind.REASONING, "We decided to use thoughts/secret.py because nobody reads it."),
        Part(PartKind.TOOL_RESULT, "long/output.py", call_id="c", summary="see short/form.py"),
    )
    summary = light([Message("m0", 0, Role.ASSISTANT, "Here it is.", 4, parts=parts)])
    assert [item.value for item in summary.references] == ["short/form.py"]
    assert summary.decisions == ()


def _many_of_everything(tail: str) -> list[tuple[str, str]]:
    turns = []
    for number in range(30):
        word = f"{_WORDS[number % len(_WORDS)]}{number}"
        turns += [
            ("u", f"We decided to use {word} because {word} is fast {tail}"),
            ("u", f"The {word} must stay under {number} ms {tail}"),
            ("u", f"I want to build the {word} {tail}"),
            ("u", f"By {word} we mean a {word} {tail}"),
            ("u", f"See https://example.com/{word}/{'path/' * 12}{number} {tail}"),
            ("u", f"Which {word} should we use for {number}?"),
        ]
    return [*turns, ("a", "Plan:\n" + "\n".join(f"- Create the {word} {tail}" for word in _WORDS))]


def _written(entry: Entry) -> list[str]:
    if isinstance(entry, Decision):
        return [entry.text, entry.reason]
    if isinstance(entry, Definition):
        return [entry.term, entry.text]
    return [entry.value, entry.note] if isinstance(entry, Reference) else [entry.text]


def _is_quoted(text: str, message: Message) -> bool:
    _, colon, spoken = text.partition(": ")
    return any(
        body.removesuffix(" …").removeprefix("… ").strip() in whole
        for body in ((text, spoken) if message.name and colon else (text,))
        for whole in (plain(message.content), normalized(message.content))
    )
