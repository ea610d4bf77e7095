"""The pack: what must stand in it, what gives way, and what it says about what is missing."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from apps.engine.messages import Message, Part, PartKind, Role
from apps.engine.pack import BudgetExceeded, ContextPack, PackSources, build_pack, section_tokens, shown_tokens
from apps.engine.policy import Policy
from apps.engine.sections import MemoryItem, Pin, pins_text, summary_text, user_memory_text
from apps.engine.summary import Line, RollingSummary
from tests.engine.conversations import (
    POLICY,
    SMALL,
    call,
    conversations,
    memories,
    pins,
    placed,
    result,
    says,
    short_texts,
    sized,
    summaries,
    talk,
)

sources_of_any_kind = st.builds(
    PackSources,
    system_prompt=short_texts,
    user_memory=memories,
    pins=pins,
    summary=summaries,
    newest=conversations,
    more_before=st.booleans(),
)
budgets = st.integers(0, 400) | st.integers(0, 6_000)
NOTHING = PackSources("", (), (), RollingSummary(), ())
SUMMARY = RollingSummary(goals=tuple(Line(f"goal number {place} of many", (f"s{place}",)) for place in range(40)))


def packed(sources: PackSources, budget: int, policy: Policy = SMALL) -> ContextPack:
    """The pack, where the budget allows one at all."""
    try:
        return build_pack(sources, budget, policy)
    except BudgetExceeded:
        assume(False)
        raise


def of(messages: list[Message], budget: int, policy: Policy = POLICY) -> ContextPack:
    return build_pack(replace(NOTHING, newest=messages), budget, policy)


# What always holds.


@given(sources_of_any_kind, budgets)
def test_a_pack_never_exceeds_its_budget(sources: PackSources, budget: int) -> None:
    pack = packed(sources, budget)
    assert pack.total_tokens <= budget == pack.budget


@given(sources_of_any_kind, budgets)
def test_the_tokens_by_part_are_those_of_what_stands_in_it(sources: PackSources, budget: int) -> None:
    pack = packed(sources, budget)
    assert list(pack.tokens) == [
        "system",
        "user_memory",
        "pinned_memory",
        "rolling_summary",
        "recent_messages",
        "current_message",
    ]
    assert pack.tokens["user_memory"] == section_tokens(user_memory_text(pack.user_memory))
    assert pack.tokens["pinned_memory"] == section_tokens(pins_text(pack.pins))
    assert pack.tokens["rolling_summary"] == section_tokens(summary_text(pack.summary))
    assert pack.tokens["current_message"] == (shown_tokens(pack.current) if pack.current else 0)
    assert 0 <= pack.tokens["recent_messages"] - sum(map(shown_tokens, pack.recent)) <= 5


@given(sources_of_any_kind, budgets)
def test_a_refusal_names_the_parts_and_the_smallest_budget_that_works(sources: PackSources, budget: int) -> None:
    with pytest.raises(BudgetExceeded) as refused:
        build_pack(sources, -1, SMALL)
    smallest = refused.value.smallest
    assert set(refused.value.parts) == {"system", "pinned_memory", "current_message"}
    assert smallest == sum(refused.value.parts.values())
    assert build_pack(sources, max(smallest, budget), SMALL).total_tokens <= max(smallest, budget)
    with pytest.raises(BudgetExceeded):
        build_pack(sources, smallest - 1, SMALL)


@given(sources_of_any_kind, budgets)
def test_what_must_stand_in_it_stands_whole(sources: PackSources, budget: int) -> None:
    pack = packed(sources, budget)
    assert (pack.system_prompt, pack.pins) == (sources.system_prompt, tuple(sources.pins))
    newest = sources.newest[-1] if sources.newest else None
    assert pack.current is (newest if newest and newest.role is Role.USER else None)


@given(sources_of_any_kind, budgets)
def test_the_recent_messages_are_the_newest_without_a_gap(sources: PackSources, budget: int) -> None:
    pack = packed(sources, budget)
    earlier = [message for message in sources.newest if message is not pack.current]
    assert [message.id for message in pack.recent] == [it.id for it in earlier[len(earlier) - len(pack.recent) :]]


@given(sources_of_any_kind, budgets)
def test_all_that_is_left_out_is_named_and_nothing_else(sources: PackSources, budget: int) -> None:
    pack = packed(sources, budget)
    left = pack.left_out
    assert Counter([*(item.id for item in pack.user_memory), *left.user_memory]) == Counter(
        item.id for item in sources.user_memory
    )
    assert Counter([*pack.summary.entries(), *left.summary_lines]) == Counter(sources.summary.entries())
    given_whole = {message.id: message for message in sources.newest}
    assert left.excerpts == tuple(shown.id for shown in pack.recent if shown != given_whole[shown.id])
    shown_from = [message.index for message in (*pack.recent, *([pack.current] if pack.current else []))]
    missing = [message.index for message in sources.newest if message.index not in shown_from]
    if left.messages_before is None:
        assert not missing
        assert not (sources.more_before and sources.newest)
    else:
        assert missing or sources.more_before
        assert all(index < left.messages_before for index in missing)
        assert all(index >= left.messages_before for index in shown_from)


@given(sources_of_any_kind, budgets)
def test_the_same_sources_give_the_same_pack(sources: PackSources, budget: int) -> None:
    pack = packed(sources, budget)
    again = build_pack(deepcopy(sources), budget, SMALL)
    assert again == pack
    assert repr(again) == repr(pack)


@given(sources_of_any_kind, budgets, st.integers(0, 60) | st.integers(0, 4_000))
def test_a_larger_budget_never_shows_fewer_messages_or_lines_of_the_summary(
    sources: PackSources, budget: int, more: int
) -> None:
    pack, larger = packed(sources, budget), packed(sources, budget + more)
    assert len(pack.recent) <= len(larger.recent)
    assert set(pack.summary.entries()) <= set(larger.summary.entries())


# By example.


def test_a_pack_of_nothing_costs_nothing() -> None:
    pack = build_pack(NOTHING, 0, POLICY)
    assert (pack.total_tokens, pack.current, pack.recent) == (0, None, ())


def test_a_message_that_waits_for_its_reply_is_the_current_one() -> None:
    assert of(talk(3, 10), 1_000).current == talk(3, 10)[2]
    assert of(talk(4, 10), 1_000).current is None


def test_pins_that_do_not_fit_are_refused_with_their_size() -> None:
    sources = replace(NOTHING, system_prompt="Be brief.", pins=(Pin("p", "decision", "x" * 4_000),), newest=talk(1, 50))
    with pytest.raises(BudgetExceeded) as refused:
        build_pack(sources, 1_000, POLICY)
    assert refused.value.parts == {"system": 7, "pinned_memory": 1_007, "current_message": 50}
    assert refused.value.smallest == 1_064
    assert str(refused.value) == "1064 tokens are needed at least, the budget is 1000"


def test_recent_messages_fill_what_the_others_leave() -> None:
    pack = of(talk(101, 100), 1_105)
    assert (len(pack.recent), pack.total_tokens, pack.left_out.messages_before) == (10, 1_105, 90)
    assert len(of(talk(101, 100), 1_104).recent) == 9


def test_a_current_message_of_any_length_stands_whole() -> None:
    pack = of([sized(Role.ASSISTANT, 500, 0), sized(Role.USER, 9_000, 1)], 9_100)
    assert pack.current == sized(Role.USER, 9_000, 1)
    assert pack.left_out.excerpts == ("m0",)


def test_a_long_message_stands_as_an_excerpt_behind_the_newest_four() -> None:
    live = [sized(Role.USER, 5_000, 0), *talk(7, 100)[1:]]
    pack = of(live, 12_000)
    assert pack.left_out.excerpts == ("m0",)
    assert shown_tokens(pack.recent[0]) <= 2_000
    assert "left out of message m0" in pack.recent[0].content


def test_a_long_message_among_the_newest_four_stands_whole_where_there_is_room() -> None:
    live = [*talk(2, 100), sized(Role.USER, 5_000, 2), sized(Role.ASSISTANT, 100, 3)]
    assert of(live, 12_000).left_out.excerpts == ()
    assert of(live, 3_000).left_out.excerpts == ("m2",)
    assert len(of(live, 3_000).recent) == 4


def test_a_long_tool_result_is_shortened_too() -> None:
    live = placed([says(Role.USER, "go"), call("a"), result("a", "src/app.py:12 fails\n" * 4_000)])
    pack = of(live, 3_000)
    assert [message.id for message in pack.recent] == ["m0", "m1", "m2"]
    assert pack.left_out.excerpts == ("m2",)
    assert pack.recent[2].results == {"a"}


def test_a_message_of_a_thousand_parts_is_told_as_one_excerpt() -> None:
    parts = tuple(Part(PartKind.TOOL_CALL, '{"q": 1}', f"c{place}", "find") for place in range(1_000))
    live = placed([says(Role.USER, "go"), Message("", 0, Role.ASSISTANT, "", 0, "", parts), *talk(5, 10)])
    pack = of(live, 8_000)
    assert len(pack.recent) == 6
    assert pack.left_out.excerpts == ("m1",)


def test_a_result_without_its_call_further_back_costs_nothing_before_it() -> None:
    live = placed([*talk(10, 20), result("gone"), *talk(4, 20)])
    assert len(of(live, 2_000).recent) == 15


def test_the_recent_messages_do_not_begin_with_the_results_of_a_call_that_is_left_out() -> None:
    answers = [result(f"c{place}", "x" * 400) for place in range(3)]
    asks = replace(call("c0"), parts=tuple(replace(call("").parts[0], call_id=f"c{place}") for place in range(3)))
    live = placed([asks, *answers, *talk(6, 20)[1:], says(Role.ASSISTANT, "done")])
    pack = of(live, 400)
    assert pack.recent[0].id == "m4"
    assert pack.left_out.messages_before == 4


def test_the_newest_results_stand_even_where_their_call_does_not_fit() -> None:
    asks = replace(call("c0"), parts=tuple(replace(call("").parts[0], call_id=f"c{place}") for place in range(9)))
    live = placed([asks, *(result(f"c{place}", "x" * 400) for place in range(9))])
    assert [message.id for message in of(live, 620).recent] == ["m6", "m7", "m8", "m9"]


def test_how_many_long_messages_are_shown_does_not_depend_on_how_well_they_could_be_cut() -> None:
    live = [sized(Role.ASSISTANT, 5_000, place) for place in range(9)]
    assert [len(of(live, budget).recent) for budget in (8_005, 8_068, 8_069)] == [4, 4, 5]


def test_reasoning_takes_no_room_because_it_is_never_shown() -> None:
    thought = Part(PartKind.REASONING, "hm", tokens=5_000)
    assert shown_tokens(Message("m", 0, Role.ASSISTANT, "x" * 40, 5_014, parts=(thought,))) == 14


def test_user_memory_takes_at_most_a_fifth_and_passes_over_what_is_too_long() -> None:
    items = (
        MemoryItem("a", "fact", "pet", "an owl"),
        MemoryItem("b", "fact", "life", "x" * 4_000),
        MemoryItem("c", "constraint", "tone", "calm"),
    )
    pack = build_pack(replace(NOTHING, user_memory=items, newest=talk(5, 10)), 1_000, POLICY)
    assert [item.id for item in pack.user_memory] == ["a", "c"]
    assert pack.left_out.user_memory == ("b",)
    assert pack.tokens["user_memory"] <= 200


def test_a_long_summary_leaves_the_newest_messages_their_share() -> None:
    pack = build_pack(replace(NOTHING, summary=SUMMARY, newest=talk(40, 50)), 400, POLICY)
    assert len(pack.recent) >= 2
    assert pack.summary.goals == SUMMARY.goals[-len(pack.summary.goals) :]
    assert len(pack.left_out.summary_lines) == 40 - len(pack.summary.goals) > 0


def test_a_summary_that_fits_to_the_token_stays_whole() -> None:
    tokens = section_tokens(summary_text(SUMMARY))
    assert build_pack(replace(NOTHING, summary=SUMMARY), tokens + 4, POLICY).summary == SUMMARY
    assert build_pack(replace(NOTHING, summary=SUMMARY), tokens + 3, POLICY).summary != SUMMARY
