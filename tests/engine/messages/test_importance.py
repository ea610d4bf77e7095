"""What makes a message stand for others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.importance import importance, importance_of_place
from apps.engine.messages.message import Role


@pytest.mark.parametrize(
    ("text", "more"),
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
def test_words_that_matter_add_what_they_are_worth(text: str, more: float) -> None:
    plain = " ".join("x" * len(word) for word in text.split())
    assert importance(text, Role.ASSISTANT) - importance(plain, Role.ASSISTANT) == pytest.approx(more)


def test_length_counts_less_and_less() -> None:
    steps = [importance("word " * count, Role.ASSISTANT) for count in (1, 3, 7, 15, 31, 63, 500)]
    assert steps == sorted(steps)
    assert steps[-1] == steps[-2] == 25


def test_a_user_counts_a_little_more() -> None:
    assert importance("so", Role.USER) - importance("so", Role.TOOL) == 5


@given(st.integers(1, 500), st.data())
def test_the_first_and_the_last_stand_out(count: int, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, count - 1))
    extra = 15 if place in (0, count - 1) else 0
    assert importance_of_place(place, count) == pytest.approx(20 * place / count + extra)
