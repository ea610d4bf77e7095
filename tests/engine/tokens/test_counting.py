"""The token estimate used for every stored count."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.message import Message, Part, PartKind, Role
from apps.engine.tokens.counting import count_message, count_text


def test_four_characters_are_one_token_rounded_up() -> None:
    assert [count_text("x" * length) for length in (0, 1, 4, 5, 8, 9)] == [0, 1, 1, 2, 2, 3]


def test_a_message_adds_four_tokens_for_its_role() -> None:
    assert (count_message(""), count_message("abcd")) == (4, 5)


def test_characters_are_code_points_not_bytes() -> None:
    assert count_text("🦉🦉🦉🦉") == 1


@given(st.text(), st.text())
def test_a_joined_text_costs_at_least_each_part_and_at_most_their_sum(first: str, second: str) -> None:
    assert (
        max(count_text(first), count_text(second))
        <= count_text(first + second)
        <= count_text(first) + count_text(second)
    )


def test_reasoning_counts_the_reported_tokens_if_they_exceed_the_text() -> None:
    assert Part(PartKind.REASONING, text="hidden", tokens=900).token_count == 900
    assert Part(PartKind.REASONING, text="x" * 400, tokens=1).token_count == 100


def test_a_part_never_counts_less_than_its_text() -> None:
    assert Part(PartKind.TOOL_RESULT, text="x" * 400, name="find", tokens=1).token_count == 101


def test_a_message_lists_its_calls_and_results() -> None:
    parts = (Part(PartKind.TOOL_CALL, call_id="a"), Part(PartKind.TOOL_RESULT, call_id="b"), Part(PartKind.TEXT, "c"))
    message = Message("m", 0, Role.ASSISTANT, "", 4, parts=parts)
    assert (set(message.calls), set(message.results)) == ({"a"}, {"b"})
