"""The recent window: the newest messages that fit, contiguous, with excerpts of long ones."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.display import shown_tokens
from apps.engine.messages.message import Message, Role
from apps.engine.pack.recent_window import (
    OPENING_TOKENS,
    cost_of,
    extend_excerpts,
    from_whole_exchange,
    newest_fitting,
    recent_tokens,
    wanted_tokens,
)
from apps.engine.policy import Policy
from tests.engine.conversations import POLICY, call, conversations, dialogue, indexed, result, sized, text_message
from tests.engine.packs import policies

budgets = st.integers(-10, 400) | st.integers(0, 6_000)


def indexes(messages: list[Message]) -> list[int]:
    return [message.index for message in messages]


@given(conversations, budgets, policies)
def test_the_window_has_the_newest_messages_without_a_gap_within_its_budget(
    messages: list[Message], budget: int, policy: Policy
) -> None:
    shown = newest_fitting(messages, budget, policy)
    assert indexes(shown) == indexes(messages)[len(messages) - len(shown) :]
    assert recent_tokens(shown) <= max(0, budget)
    for message in shown:
        assert shown_tokens(message) <= policy.long_message_tokens


@given(conversations, budgets, st.integers(0, 3_000), policies)
def test_a_larger_budget_never_fits_fewer_messages(
    messages: list[Message], budget: int, more: int, policy: Policy
) -> None:
    assert len(newest_fitting(messages, budget, policy)) <= len(newest_fitting(messages, budget + more, policy))


@given(conversations, policies)
def test_the_wanted_tokens_are_enough_for_all_messages(messages: list[Message], policy: Policy) -> None:
    wanted = wanted_tokens(messages, policy)
    shown = newest_fitting(messages, wanted, policy)
    assert len(shown) == len(messages)
    longer = extend_excerpts(shown, messages, wanted - recent_tokens(shown), policy)
    assert recent_tokens(longer) <= wanted
    assert longer[-4:] == messages[-4:]


@given(conversations, budgets, policies)
def test_only_the_newest_excerpts_grow_by_spare_tokens(messages: list[Message], budget: int, policy: Policy) -> None:
    shown = newest_fitting(messages, budget, policy)
    longer = extend_excerpts(shown, messages, budget - recent_tokens(shown), policy)
    assert recent_tokens(longer) <= max(0, budget)
    assert longer[:-4] == shown[:-4]
    for before, after in zip(shown, longer, strict=True):
        assert shown_tokens(before) <= shown_tokens(after)


@given(conversations, policies)
def test_dropping_leading_results_never_drops_the_newest(messages: list[Message], policy: Policy) -> None:
    remaining = from_whole_exchange(messages, policy)
    assert remaining == messages[len(messages) - len(remaining) :]
    assert len(remaining) >= min(4, len(messages))
    assert len(remaining) <= 4 or not remaining[0].results


def test_no_messages_need_no_tokens() -> None:
    assert (wanted_tokens((), POLICY), newest_fitting((), 1_000, POLICY), recent_tokens(())) == (0, [], 0)


def test_wanted_tokens_count_the_newest_whole_and_older_ones_as_excerpts() -> None:
    messages = [sized(Role.USER, 5_000, index) for index in range(6)]
    assert wanted_tokens(messages, POLICY) == 4 * 5_000 + 2 * 2_000 + OPENING_TOKENS
    assert [cost_of(message, POLICY) for message in (messages[0], sized(Role.USER, 30))] == [2_000, 30]


def test_messages_fit_to_the_exact_token() -> None:
    assert [len(newest_fitting(dialogue(20, 100), budget, POLICY)) for budget in (1_004, 1_005, 1_006)] == [9, 10, 10]


def test_the_number_of_long_messages_does_not_depend_on_possible_cuts() -> None:
    messages = [sized(Role.ASSISTANT, 5_000, index) for index in range(9)]
    assert [len(newest_fitting(messages, budget, POLICY)) for budget in (8_005, 8_068, 10_004, 10_005)] == [4, 4, 4, 5]


def test_a_recent_message_that_does_not_fit_is_cut_and_starts_the_window() -> None:
    messages = [*dialogue(4, 100), sized(Role.USER, 1_000, 4), sized(Role.ASSISTANT, 100, 5)]
    shown = newest_fitting(messages, 500, POLICY)
    assert indexes(shown) == [4, 5]
    assert "left out of message m4" in shown[0].content
    assert indexes(newest_fitting(messages, 160, POLICY)) == [5]


def test_the_window_starts_after_a_message_that_cannot_be_cut() -> None:
    messages = indexed(
        [
            text_message(Role.USER, "a"),
            text_message(Role.USER, "b" * 90, name="n" * 9_000),
            text_message(Role.USER, "c"),
        ]
    )
    assert indexes(newest_fitting(messages, 2_100, POLICY)) == [2]


def test_a_long_tool_result_is_shortened_too() -> None:
    messages = indexed([text_message(Role.USER, "go"), call("a"), result("a", "src/app.py:12 fails\n" * 4_000)])
    shown = newest_fitting(messages, 3_000, POLICY)
    assert indexes(shown) == [0, 1, 2]
    assert shown[2].results == {"a"}
    assert shown_tokens(shown[2]) <= 2_000


def test_a_result_without_its_call_further_back_costs_nothing_before_it() -> None:
    messages = indexed([*dialogue(10, 20), result("gone"), *dialogue(4, 20)])
    assert len(from_whole_exchange(messages, POLICY)) == 15


def test_the_window_does_not_start_with_results_of_a_missing_call() -> None:
    reply = replace(call("c0"), parts=tuple(replace(call("").parts[0], call_id=f"c{index}") for index in range(3)))
    messages = indexed([reply, *(result(f"c{index}") for index in range(3)), *dialogue(6, 20)])
    assert indexes(from_whole_exchange(messages[1:], POLICY)) == [4, 5, 6, 7, 8, 9]


def test_the_newest_results_are_included_even_without_their_call() -> None:
    reply = replace(call("c0"), parts=tuple(replace(call("").parts[0], call_id=f"c{index}") for index in range(9)))
    messages = indexed([reply, *(result(f"c{index}", "x" * 400) for index in range(9))])
    assert indexes(from_whole_exchange(newest_fitting(messages, 600, POLICY), POLICY)) == [6, 7, 8, 9]
