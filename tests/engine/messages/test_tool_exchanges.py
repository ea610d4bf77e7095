"""Grouping of tool calls with their results."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from apps.engine.messages.message import Message, Role
from apps.engine.messages.tool_exchanges import exchanges
from tests.engine.conversations import call, conversations, indexed, result, text_message


def exchange_indexes(*messages: Message) -> list[list[int]]:
    return [[message.index for message in exchange] for exchange in exchanges(indexed(messages))]


@given(conversations)
def test_every_message_is_in_exactly_one_exchange_in_order(messages: list[Message]) -> None:
    grouped = exchanges(messages)
    assert sorted(message.index for exchange in grouped for message in exchange) == [
        message.index for message in messages
    ]
    assert all(exchange == sorted(exchange, key=lambda message: message.index) for exchange in grouped)
    assert [exchange[0].index for exchange in grouped] == sorted(exchange[0].index for exchange in grouped)


def test_a_text_message_is_an_exchange_of_its_own() -> None:
    assert exchange_indexes(text_message(Role.USER, "a"), text_message(Role.ASSISTANT, "b")) == [[0], [1]]


def test_a_call_and_its_result_form_one_exchange_despite_messages_between() -> None:
    assert exchange_indexes(
        call("a"), text_message(Role.USER, "wait"), result("a"), text_message(Role.ASSISTANT, "ok")
    ) == [
        [0, 2],
        [1],
        [3],
    ]


def test_all_results_of_one_reply_join_its_exchange() -> None:
    two = replace(call("a"), parts=(*call("a").parts, *call("b").parts))
    assert exchange_indexes(two, result("b"), result("a")) == [[0, 1, 2]]


def test_a_message_with_results_of_two_replies_joins_both() -> None:
    both = replace(result("a"), parts=(*result("a").parts, *result("b").parts))
    assert exchange_indexes(call("a"), call("b"), both) == [[0, 1, 2]]


def test_a_result_belongs_to_the_latest_call_with_its_id() -> None:
    assert exchange_indexes(call("0"), result("0"), call("0"), result("0")) == [[0, 1], [2, 3]]


def test_a_result_without_a_preceding_call_is_an_exchange_of_its_own() -> None:
    assert exchange_indexes(result("a"), call("a"), result("gone"), result("")) == [[0], [1], [2], [3]]
