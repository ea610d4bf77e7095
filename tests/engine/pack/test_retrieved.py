"""Retrieved items: selection within a budget, quoting, and no repetition of shown content."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.message import Role
from apps.engine.pack.builder import build_pack
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.provider_formats import render_anthropic, render_openai, render_plain
from apps.engine.pack.retrieved import RetrievedItem, retrieved_text, retrieved_tokens, select_retrieved, without_shown
from apps.engine.policy import Policy
from apps.engine.summary.rendering import Pin
from tests.engine.conversations import indexed, text_message
from tests.engine.packs import EMPTY_SOURCES, budgets, packed, policies, sources_of_any_kind

BOAT = RetrievedItem("m3", "3 Ann 2024-03-01", "I sold the boat in May.", 3)
CAT = RetrievedItem("m1", "1 Ann 2024-02-01", "The cat is called Mo.", 1)
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
    shown = retrieved_text([RetrievedItem("m1", origin, text, 1)])
    heading, notice, label, *lines = shown.splitlines()
    assert heading.startswith("## ") and notice.startswith("Quoted") and label.startswith("[") and label.endswith("]")
    assert all(line.startswith("> ") for line in lines)


def test_the_best_items_are_selected_first_and_listed_in_order() -> None:
    assert select_retrieved([BOAT, STYLE, CAT], 1_000) == (STYLE, CAT, BOAT)
    assert select_retrieved([BOAT, CAT], retrieved_tokens([BOAT])) == (BOAT,)


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
    assert render_plain(pack).endswith(f"{retrieved_text(pack.retrieved)}\n\nuser: What is the cat called?")
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
    assert not shown & {item.index for item in pack.retrieved}


def _question_sources() -> PackSources:
    """Sources compacted through message 4, whose last messages are a reply and a question."""
    messages = indexed(
        [*(text_message(Role.USER, f"word {place}") for place in range(5)), text_message(Role.ASSISTANT, "Fine.")]
    )
    newest = [messages[5], replace(text_message(Role.USER, "What is the cat called?"), id="m6", index=6)]
    return replace(EMPTY_SOURCES, newest=newest, retrieved=(CAT, STYLE))
