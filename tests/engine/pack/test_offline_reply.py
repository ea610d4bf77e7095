"""The offline reply: it says that no model is configured, quotes matching content and is deterministic."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.canned_replies import ABOUT_YOU, ADD_KEY, INTRODUCTION, NO_MATCHES, NO_MODEL, QUOTED
from apps.engine.messages.message import Message, Part, PartKind, Role
from apps.engine.pack.builder import build_pack
from apps.engine.pack.context_pack import ContextPack, PackSources
from apps.engine.pack.offline_reply import chunks, offline_reply
from apps.engine.pack.profile import ProfileMemory
from apps.engine.pack.retrieved import RetrievedItem
from apps.engine.policy import Policy
from apps.engine.summary.rendering import MemoryItem, Pin
from apps.engine.summary.rolling_summary import Decision, Line, RollingSummary
from apps.engine.tokens.estimate import estimate_message

SUMMARY = RollingSummary(
    goals=(Line("Build a booking service for climbing gyms", ("a",)),),
    decisions=(
        Decision("PostgreSQL over MongoDB", "we need strong consistency", ("b",)),
        Decision("Deploy on Fridays", "", ("c",)),
    ),
    open_questions=(Line("Which payment provider?", ("d",)),),
)


def message(index: int, content: str, role: Role = Role.USER, *parts: Part) -> Message:
    return Message(f"m{index}", index, role, content, estimate_message(content), parts=parts)


def pack(question: str, *before: Message) -> ContextPack:
    sources = PackSources(
        system_prompt="",
        user_memory=(MemoryItem("u1", "preference", "language", "Answers in German, please"),),
        pins=(Pin("p1", "requirement", "Slots must never be double-booked"),),
        summary=SUMMARY,
        newest=(*before, message(99, question)),
    )
    return build_pack(sources, 12_000, Policy())


def test_every_reply_states_that_no_model_is_connected() -> None:
    for question in ("Hello?", "Which database?", "Do zebras sleep?"):
        assert NO_MODEL in offline_reply(pack(question))


@pytest.mark.parametrize(
    "greeting", ["Hi!", "Hello, what can you do?", "Was kannst du?", "Hola, buenos días", "Bonjour"]
)
def test_a_greeting_is_answered_with_an_introduction_and_a_way_to_add_a_key(greeting: str) -> None:
    assert offline_reply(pack(greeting)) == INTRODUCTION
    assert ADD_KEY in INTRODUCTION


def test_a_question_after_a_greeting_is_answered_like_any_other() -> None:
    assert offline_reply(pack("Hello! Which payment provider?")).startswith(QUOTED)


def test_without_a_match_it_states_so_and_quotes_nothing() -> None:
    reply = offline_reply(pack("Do zebras sleep?"))
    assert reply == NO_MATCHES


def test_a_question_is_answered_from_the_summary_with_the_field_named() -> None:
    assert "“PostgreSQL over MongoDB (because: we need strong consistency)” (summary, decisions)" in offline_reply(
        pack("Why PostgreSQL?")
    )


def test_a_question_about_decisions_quotes_all_of_them() -> None:
    reply = offline_reply(pack("What did we decide?"))
    assert "PostgreSQL over MongoDB" in reply
    assert "Deploy on Fridays" in reply
    assert "climbing" not in reply


def test_pins_memory_and_messages_are_quoted_with_their_source() -> None:
    earlier = message(7, "The gym in Leipzig opens at nine. It is small.", Role.ASSISTANT)
    assert "(pinned requirement)" in offline_reply(pack("May slots be double-booked?"))
    assert "(your memory, preference)" in offline_reply(pack("In which language?"))
    assert "- “The gym in Leipzig opens at nine.” (message 8, the assistant)" in offline_reply(
        pack("When does Leipzig open?", earlier)
    )


def found(item_id: str, text: str, score: float, index: int | None = None) -> RetrievedItem:
    return RetrievedItem(item_id, "" if index is not None else f"mem://user/{item_id}", text, index, score=score)


@pytest.mark.parametrize(
    ("title", "source"), [("Pets", "“Pets”, message 4"), ("", "another chat, message 4")], ids=["named", "untitled"]
)
def test_a_message_of_another_chat_is_quoted_with_that_chats_title(title: str, source: str) -> None:
    message = replace(found("m3", "The cat is called Mo.", 4.0, 3), conversation_id="c1", conversation_title=title)
    assert f"- “The cat is called Mo.” ({source})" in offline_reply(pack("What is the cat's name?"), [message])


def test_a_memory_that_search_found_is_quoted_although_it_shares_no_word() -> None:
    reply = offline_reply(pack("Any food to avoid?"), [found("events/nuts", "Peanuts make Alice ill.", 4.0)])
    assert "- “Peanuts make Alice ill.” (memory, mem://user/events/nuts)" in reply


def test_a_line_of_the_summary_is_as_near_as_the_message_that_it_is_from() -> None:
    reply = offline_reply(pack("Where is the data kept?"), [found("b", "Mongo or Postgres? Postgres.", 4.0, 1)])
    assert "PostgreSQL over MongoDB" in reply.splitlines()[2]
    assert "climbing" not in reply


def test_a_message_that_left_the_window_is_quoted_by_its_best_sentence() -> None:
    text = "It rained all day. The cat is called Minka."
    reply = offline_reply(pack("What is the cat's name?"), [found("m3", text, 4.0, 3)])
    assert "“The cat is called Minka.” (message 4)" in reply
    assert "rained" not in reply


def test_a_superseded_message_is_quoted_with_what_replaced_it() -> None:
    old = replace(found("m3", "I live in Rome.", 4.0, 3), correction="No longer true since 2026-03-01.")
    assert "“I live in Rome.” (message 4) No longer true since 2026-03-01." in offline_reply(pack("Where?"), [old])
    shown = message(3, "I live in Rome.")
    assert "(message 4, you) No longer true" in offline_reply(pack("Where do I live?", shown), [replace(old, id="m3")])


def test_one_or_two_quotes_answer_and_weak_matches_are_left_away() -> None:
    items = [found(f"events/{number}", f"Fact number {number}.", 4.0 - number) for number in range(4)]
    reply = offline_reply(pack("Tell me."), items)
    assert reply.count("\n- “") == 2
    assert "Fact number 0." in reply.splitlines()[2]


def test_a_word_shared_by_accident_is_no_answer() -> None:
    question = "How do the payment terms of the freight contract with the Rotterdam carrier look?"
    assert offline_reply(pack(question)) == NO_MATCHES


def test_tool_results_are_quoted_line_by_line() -> None:
    result = Part(PartKind.TOOL_RESULT, text="total 2\nsettings.py 120 lines", call_id="c1", name="ls")
    earlier = message(3, "", Role.TOOL, result)
    call = message(2, "", Role.ASSISTANT, Part(PartKind.TOOL_CALL, text="{}", call_id="c1", name="ls"))
    assert "“settings.py 120 lines” (message 4, a tool)" in offline_reply(
        pack("How long is settings.py?", call, earlier)
    )


@pytest.mark.parametrize(
    "question",
    ["What do you know about me?", "Was weißt du über mich?", "¿Qué sabes de mí?", "私について教えて？"],
)
def test_a_question_about_oneself_is_answered_with_all_that_stands_in_every_chat(question: str) -> None:
    about = replace(pack(question), identity=(ProfileMemory("n1", "mem://user/profile/home", "I live in Porto."),))
    reply = offline_reply(about)
    assert reply.startswith(ABOUT_YOU)
    assert "“language: Answers in German, please” (your memory, preference)" in reply
    assert "“I live in Porto.” (memory, mem://user/profile/home)" in reply


def test_nothing_is_made_up_about_a_person_of_whom_nothing_is_known() -> None:
    unknown = replace(pack("What do you know about me?"), user_memory=())
    assert not offline_reply(unknown).startswith(ABOUT_YOU)


def test_a_duplicate_line_is_quoted_once() -> None:
    earlier = message(1, "Slots must never be double-booked!")
    assert offline_reply(pack("double-booked slots?", earlier)).lower().count("double-booked") == 1


@given(st.text(max_size=200), st.lists(st.text(max_size=200), max_size=6))
def test_any_pack_gives_the_same_honest_reply_every_time(question: str, before: list[str]) -> None:
    context_pack = pack(question, *(message(index, text) for index, text in enumerate(before)))
    reply = offline_reply(context_pack)
    assert NO_MODEL in reply
    assert reply == offline_reply(context_pack)
    assert reply.count("\n- “") <= 5


@given(st.text(max_size=400))
def test_the_chunks_join_to_the_text_and_are_small(text: str) -> None:
    parts = list(chunks(text))
    assert "".join(parts) == text
    assert all(0 < len(part) <= 24 for part in parts)
