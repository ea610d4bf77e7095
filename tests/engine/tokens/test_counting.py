"""The estimate behind every stored count."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.message import Message, Part, PartKind, Role
from apps.engine.tokens.counting import count_message, count_text


def test_four_characters_are_a_token_and_a_rest_is_one_more() -> None:
    assert [count_text("x" * length) for length in (0, 1, 4, 5, 8, 9)] == [0, 1, 1, 2, 2, 3]


def test_a_message_costs_four_more_for_its_role() -> None:
    assert (count_message(""), count_message("abcd")) == (4, 5)


def test_characters_are_code_points_not_bytes() -> None:
    assert count_text("🦉🦉🦉🦉") == 1


@given(st.text(), st.text())
def test_a_longer_text_never_costs_less_and_joining_costs_at_most_the_parts(one: str, other: str) -> None:
    assert max(count_text(one), count_text(other)) <= count_text(one + other) <= count_text(one) + count_text(other)


def test_reasoning_counts_as_reported_where_more_of_it_is_reported_than_shown() -> None:
    assert Part(PartKind.REASONING, text="hidden", tokens=900).token_count == 900
    assert Part(PartKind.REASONING, text="x" * 400, tokens=1).token_count == 100


def test_a_part_never_counts_less_than_its_text() -> None:
    assert Part(PartKind.TOOL_RESULT, text="x" * 400, name="find", tokens=1).token_count == 101


def test_a_message_names_the_calls_it_makes_and_the_results_it_brings() -> None:
    parts = (Part(PartKind.TOOL_CALL, call_id="a"), Part(PartKind.TOOL_RESULT, call_id="b"), Part(PartKind.TEXT, "c"))
    message = Message("m", 0, Role.ASSISTANT, "", 4, parts=parts)
    assert (set(message.calls), set(message.results)) == ({"a"}, {"b"})
