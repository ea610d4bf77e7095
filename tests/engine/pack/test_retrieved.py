"""What is looked up for a message: what of it is chosen, how it is quoted, and that nothing is told twice."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.message import Role
from apps.engine.pack.builder import build_pack
from apps.engine.pack.context_pack import PackSources
from apps.engine.pack.provider_formats import render_anthropic, render_openai, render_plain
from apps.engine.pack.retrieved import Found, chosen_found, found_text, found_tokens, unseen
from apps.engine.policy import Policy
from apps.engine.summary.rendering import Pin
from tests.engine.conversations import placed, says
from tests.engine.packs import NOTHING, budgets, packed, policies, sources_of_any_kind

BOAT = Found("m3", "3 Ann 2024-03-01", "I sold the boat in May.", 3)
CAT = Found("m1", "1 Ann 2024-02-01", "The cat is called Mo.", 1)
STYLE = Found("n1", "mem://user/profile/style", "Short answers.")
texts = st.text(max_size=600)
found_lists = st.lists(
    st.builds(Found, st.uuids().map(str), st.text(max_size=30), texts, st.none() | st.integers(0, 90)), max_size=8
)


@given(found_lists, st.integers(-50, 1_000))
def test_what_is_chosen_fits_its_room(found: list[Found], room: int) -> None:
    assert found_tokens(chosen_found(found, room)) <= max(0, room)


@given(found_lists)
def test_with_room_for_all_of_it_all_of_it_is_chosen(found: list[Found]) -> None:
    assert sorted(map(repr, chosen_found(found, 100_000))) == sorted(map(repr, found))


@given(texts, texts)
def test_no_text_passes_for_an_origin_or_a_heading(text: str, origin: str) -> None:
    shown = found_text([Found("m1", origin, text, 1)])
    heading, notice, label, *lines = shown.splitlines()
    assert heading.startswith("## ") and notice.startswith("Quoted") and label.startswith("[") and label.endswith("]")
    assert all(line.startswith("> ") for line in lines)


def test_the_best_come_first_to_be_chosen_and_stand_in_their_order() -> None:
    assert chosen_found([BOAT, STYLE, CAT], 1_000) == (STYLE, CAT, BOAT)
    assert chosen_found([BOAT, CAT], found_tokens([BOAT])) == (BOAT,)


def test_what_is_shown_or_pinned_already_is_not_told_again() -> None:
    assert unseen([BOAT, STYLE, CAT], frozenset(), 3) == (STYLE, CAT)
    assert unseen([BOAT, STYLE, CAT], {"m1", "n1"}, 9) == (BOAT,)


def test_a_memory_is_not_told_beside_all_the_messages_that_it_was_made_of() -> None:
    once, twice = replace(STYLE, sources=("m1",)), replace(STYLE, sources=("m1", "m5"))
    assert unseen([STYLE, once, twice], {"m1"}, 3) == (STYLE, twice)
    assert unseen([once, twice], {"m1", "m5"}, 3) == ()
    assert build_pack(replace(_asked(), found=(replace(STYLE, sources=("m5",)), CAT)), 4_000, Policy()).found == (CAT,)


def test_it_stands_right_before_the_message_that_it_was_looked_up_for() -> None:
    pack = build_pack(_asked(), 4_000, Policy())
    assert pack.found == (STYLE, CAT)
    assert render_plain(pack).endswith(f"{found_text(pack.found)}\n\nuser: What is the cat called?")
    *_, looked_up, current = render_openai(pack)["messages"]
    assert looked_up == {"role": "user", "content": found_text(pack.found)}
    assert current == {"role": "user", "content": "What is the cat called?"}


def test_the_cache_is_not_asked_to_keep_what_does_not_come_again() -> None:
    newest = render_anthropic(build_pack(_asked(), 4_000, Policy()))["messages"][-1]
    assert [block["text"] for block in newest["content"]][-1] == "What is the cat called?"
    assert not any("cache_control" in block for block in newest["content"])
    plain = render_anthropic(build_pack(replace(_asked(), found=()), 4_000, Policy()))["messages"][-1]
    assert "cache_control" in plain["content"][-1]


def test_a_message_that_a_pin_holds_is_not_looked_up() -> None:
    sources = replace(_asked(), pins=[Pin("p1", "other", "The cat is called Mo.", "m1")])
    assert build_pack(sources, 4_000, Policy()).found == (STYLE,)


def test_without_a_message_that_waits_nothing_is_looked_up() -> None:
    sources = replace(_asked(), newest=placed([says(Role.USER, "Hello."), says(Role.ASSISTANT, "Hi.")]))
    assert build_pack(sources, 4_000, Policy()).found == ()


@given(sources_of_any_kind, budgets, policies)
def test_nothing_that_is_looked_up_stands_in_the_window_too(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    shown = {message.index for message in pack.recent}
    assert not shown & {one.index for one in pack.found}


def _asked() -> PackSources:
    """Folded through message 4; the message before the question is a reply."""
    asked = placed([*(says(Role.USER, f"word {place}") for place in range(5)), says(Role.ASSISTANT, "Fine.")])
    newest = [asked[5], replace(says(Role.USER, "What is the cat called?"), id="m6", index=6)]
    return replace(NOTHING, newest=newest, found=(CAT, STYLE))
