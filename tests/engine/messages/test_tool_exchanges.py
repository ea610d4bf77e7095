"""Messages that belong together."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from apps.engine.messages.message import Message, Role
from apps.engine.messages.tool_exchanges import exchanges
from tests.engine.conversations import call, conversations, placed, result, says


def together(*messages: Message) -> list[list[int]]:
    return [[message.index for message in exchange] for exchange in exchanges(placed(messages))]


@given(conversations)
def test_every_message_is_in_one_exchange_and_all_are_in_order(said: list[Message]) -> None:
    found = exchanges(said)
    assert sorted(message.index for exchange in found for message in exchange) == [one.index for one in said]
    assert all(exchange == sorted(exchange, key=lambda message: message.index) for exchange in found)
    assert [one[0].index for one in found] == sorted(one[0].index for one in found)


def test_words_stand_alone() -> None:
    assert together(says(Role.USER, "a"), says(Role.ASSISTANT, "b")) == [[0], [1]]


def test_a_call_and_its_result_belong_together_whatever_comes_between() -> None:
    assert together(call("a"), says(Role.USER, "wait"), result("a"), says(Role.ASSISTANT, "ok")) == [[0, 2], [1], [3]]


def test_calls_of_one_reply_bring_all_their_results_together() -> None:
    two = replace(call("a"), parts=(*call("a").parts, *call("b").parts))
    assert together(two, result("b"), result("a")) == [[0, 1, 2]]


def test_a_message_with_results_of_two_replies_joins_both() -> None:
    both = replace(result("a"), parts=(*result("a").parts, *result("b").parts))
    assert together(call("a"), call("b"), both) == [[0, 1, 2]]


def test_a_result_answers_the_latest_call_of_its_name() -> None:
    assert together(call("0"), result("0"), call("0"), result("0")) == [[0, 1], [2, 3]]


def test_a_result_before_its_call_or_without_one_stands_alone() -> None:
    assert together(result("a"), call("a"), result("gone"), result("")) == [[0], [1], [2], [3]]
