"""Importance scores of messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.importance import importance, importance_of_place
from apps.engine.messages.message import Role


@pytest.mark.parametrize(
    ("text", "gain"),
    [
        ("agreed", 10),
        ("DECISION, final", 20),
        ("we'll use", 10),
        ("unanswered", 0),
        ("a TypeError", 5),
        ("error bug crash fix", 15),
        ("what? where? why? when?", 15),
        ("``` x ```", 15),
        ("``` x", 7.5),
    ],
)
def test_keywords_add_their_weights(text: str, gain: float) -> None:
    plain = " ".join("x" * len(word) for word in text.split())
    assert importance(text, Role.ASSISTANT) - importance(plain, Role.ASSISTANT) == pytest.approx(gain)


def test_length_has_diminishing_returns() -> None:
    steps = [importance("word " * count, Role.ASSISTANT) for count in (1, 3, 7, 15, 31, 63, 500)]
    assert steps == sorted(steps)
    assert steps[-1] == steps[-2] == 25


def test_a_user_message_scores_slightly_more() -> None:
    assert importance("so", Role.USER) - importance("so", Role.TOOL) == 5


@given(st.integers(1, 500), st.data())
def test_the_first_and_the_last_message_get_a_bonus(count: int, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, count - 1))
    bonus = 15 if position in (0, count - 1) else 0
    assert importance_of_place(position, count) == pytest.approx(20 * position / count + bonus)
