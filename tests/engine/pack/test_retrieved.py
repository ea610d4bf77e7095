"""Retrieved items: selection within a budget, quoting, and no repetition of shown content."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.message import Role
from apps.engine.pack.builder import build_pack
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.layers import max_just_in_time_tokens
from apps.engine.pack.provider_formats import render_anthropic, render_openai, render_plain
from apps.engine.pack.retrieved import RetrievedItem, retrieved_text, retrieved_tokens, select_retrieved, without_shown
from apps.engine.policy import Policy
from apps.engine.summary.rendering import Pin
from tests.engine.conversations import indexed, text_message
from tests.engine.packs import EMPTY_SOURCES, budgets, packed, policies, sources_of_any_kind

BOAT = RetrievedItem("m3", "3 Ann 2024-03-01", "I sold the boat in May.", 3)
CAT = RetrievedItem("m1", "1 Ann 2024-02-01", "The cat is called Mo.", 1)
ROME = RetrievedItem(
    "o1",
    "Ann 2024-01-05",
    "The cat stays with Bob.",
    7,
    conversation_id="c1",
    conversation_title="Rome",
    date="2024-01-05",
)
OSLO = RetrievedItem("o2", "Ann 2023-12-05", "We took the ferry.", 9, conversation_id="c2", date="2023-12-05")
STYLE = RetrievedItem("n1", "mem://user/profile/style", "Short answers.")
texts = st.text(max_size=600)
item_lists = st.lists(
    st.builds(RetrievedItem, st.uuids().map(str), st.text(max_size=30), texts, st.none() | st.integers(0, 90)),
    max_size=8,
)


@given(item_lists, st.integers(-50, 1_000))
def test_selected_items_fit_their_budget(items: list[RetrievedItem], budget: int) -> None:
    assert retrieved_tokens(select_retrieved(items, budget)) <= max(0, budget)


@given(item_lists)
def test_with_enough_tokens_every_item_is_selected(items: list[RetrievedItem]) -> None:
    assert sorted(map(repr, select_retrieved(items, 100_000))) == sorted(map(repr, items))


@given(texts, texts)
def test_no_text_impersonates_an_origin_or_a_heading(text: str, origin: str) -> None:
    shown = retrieved_text([RetrievedItem("m1", origin, text, 1, conversation_id="c1", conversation_title=origin)])
    heading, notice, _, conversation, label, *lines = shown.splitlines()
    assert heading.startswith("## ") and notice.startswith("Quoted") and label.startswith("[") and label.endswith("]")
    assert conversation.startswith("In another conversation") and conversation.endswith(":")
    assert all(line.startswith("> ") for line in lines)


def test_the_best_items_are_selected_first_and_listed_in_order() -> None:
    assert select_retrieved([BOAT, STYLE, CAT], 1_000) == (STYLE, CAT, BOAT)
    assert select_retrieved([BOAT, CAT], retrieved_tokens([BOAT])) == (BOAT,)


def test_messages_of_other_conversations_follow_the_memories_by_date() -> None:
    assert select_retrieved([BOAT, ROME, OSLO, STYLE, CAT], 1_000) == (STYLE, OSLO, ROME, CAT, BOAT)


def test_messages_of_one_conversation_are_one_excerpt_oldest_first() -> None:
    late = replace(OSLO, id="o3", text="The ferry is cancelled.", index=11, date="2024-02-01")
    chosen = select_retrieved([late, ROME, replace(STYLE, date="2024-01-01"), OSLO, BOAT], 1_000)
    assert [one.id for one in chosen] == ["n1", "o2", "o3", "o1", "m3"]
    lines = retrieved_text(chosen).splitlines()[3:]
    assert [line for line in lines if not line.startswith("> ")] == [
        "[mem://user/profile/style 2024-01-01]",
        "In another conversation:",
        "[Ann 2023-12-05]",
        "[Ann 2023-12-05]",
        "In another conversation, “Rome”:",
        "[Ann 2024-01-05]",
        "Earlier in this conversation:",
        "[3 Ann 2024-03-01]",
    ]


def test_messages_of_other_conversations_have_a_limit_of_their_own() -> None:
    assert select_retrieved([ROME, OSLO, BOAT], 1_000, ROME.tokens + 10) == (ROME, BOAT)
    assert select_retrieved([BOAT, CAT], 1_000, 0) == (CAT, BOAT)


@given(item_lists, st.integers(0, 500))
def test_messages_of_other_conversations_fit_their_limit(items: list[RetrievedItem], limit: int) -> None:
    others = [replace(one, index=one.index or 0, conversation_id="c1") for one in items]
    assert retrieved_tokens(select_retrieved(others, 100_000, limit)) <= limit + retrieved_tokens([STYLE])


def test_a_message_and_the_memory_derived_from_it_are_not_both_selected() -> None:
    memory = replace(STYLE, sources=("o1",))
    assert select_retrieved([memory, ROME], 1_000) == (memory,)
    assert select_retrieved([ROME, memory], 1_000) == (ROME,)


def test_a_memory_that_says_more_than_a_selected_message_is_selected_too() -> None:
    long = replace(ROME, text="The cat stays with Bob. " * 100)
    for message, memory in (
        (long, replace(STYLE, sources=("o1",))),
        (ROME, replace(STYLE, sources=("o1", "o2"))),
        (ROME, replace(STYLE, sources=("o1",), correction="Said later.")),
        (ROME, STYLE),
    ):
        assert select_retrieved([message, memory], 1_000) == (memory, message)


def test_only_items_without_room_are_listed_as_omitted() -> None:
    pack = build_pack(replace(_question_sources(), retrieved=(ROME, replace(STYLE, sources=("o1",)))), 4_000, Policy())
    assert (pack.retrieved, pack.omitted.retrieved) == ((ROME,), ())
    many = tuple(replace(ROME, id=f"x{place}", text=f"{place} " * 400) for place in range(20))
    packed_many = build_pack(replace(_question_sources(), retrieved=many), 4_000, Policy())
    assert 0 < len(packed_many.retrieved) < 20
    assert len(packed_many.retrieved) + len(packed_many.omitted.retrieved) == 20
    assert sum(one.tokens for one in packed_many.retrieved) <= max_just_in_time_tokens(4_000)


def test_included_or_pinned_messages_are_not_repeated() -> None:
    assert without_shown([BOAT, STYLE, CAT], {"m1", "n1"}) == (BOAT,)


def test_a_memory_is_not_repeated_next_to_all_its_source_messages() -> None:
    once, twice = replace(STYLE, sources=("m1",)), replace(STYLE, sources=("m1", "m5"))
    assert without_shown([STYLE, once, twice], {"m1"}) == (STYLE, twice)
    assert without_shown([once, twice], {"m1", "m5"}) == ()
    assert build_pack(
        replace(_question_sources(), retrieved=(replace(STYLE, sources=("m5",)), CAT)), 4_000, Policy()
    ).retrieved == (CAT,)


def test_retrieved_items_directly_precede_the_current_message() -> None:
    pack = build_pack(_question_sources(), 4_000, Policy())
    assert pack.retrieved == (STYLE, CAT)
    assert render_plain(pack).endswith(f"{retrieved_text(pack.retrieved)}\n\n§ user: What is the cat called?")
    *_, usable_items, current = render_openai(pack)["messages"]
    assert usable_items == {"role": "user", "content": retrieved_text(pack.retrieved)}
    assert current == {"role": "user", "content": "What is the cat called?"}


def test_retrieved_items_get_no_cache_breakpoint() -> None:
    newest = render_anthropic(build_pack(_question_sources(), 4_000, Policy()))["messages"][-1]
    assert [block["text"] for block in newest["content"]][-1] == "What is the cat called?"
    assert not any("cache_control" in block for block in newest["content"])
    plain = render_anthropic(build_pack(replace(_question_sources(), retrieved=()), 4_000, Policy()))["messages"][-1]
    assert "cache_control" in plain["content"][-1]


def test_a_pinned_message_is_not_retrieved() -> None:
    sources = replace(_question_sources(), pins=[Pin("p1", "other", "The cat is called Mo.", "m1")])
    assert build_pack(sources, 4_000, Policy()).retrieved == (STYLE,)


def test_without_a_current_message_nothing_is_retrieved() -> None:
    sources = replace(
        _question_sources(), newest=indexed([text_message(Role.USER, "Hello."), text_message(Role.ASSISTANT, "Hi.")])
    )
    assert build_pack(sources, 4_000, Policy()).retrieved == ()


@given(sources_of_any_kind, budgets, policies)
def test_no_retrieved_item_is_also_in_the_window(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    shown = {message.index for message in pack.recent}
    assert not shown & {item.index for item in pack.retrieved if not item.conversation_id}


def _question_sources() -> PackSources:
    """Sources compacted through message 4, whose last messages are a reply and a question."""
    messages = indexed(
        [*(text_message(Role.USER, f"word {place}") for place in range(5)), text_message(Role.ASSISTANT, "Fine.")]
    )
    newest = [messages[5], replace(text_message(Role.USER, "What is the cat called?"), id="m6", index=6)]
    return replace(EMPTY_SOURCES, newest=newest, retrieved=(CAT, STYLE))
