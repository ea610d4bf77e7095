"""Values in words whose letters only look like those of a list."""

from __future__ import annotations

import pytest

from apps.engine.memory.values.reading import values_of


@pytest.mark.parametrize(
    "text", ["I am vegetarian", "a quarter past six, tuesday", "two thirds of us, six percent", "half of six weeks"]
)
@pytest.mark.parametrize(("letter", "alike"), [("s", "\u017f"), ("i", "\u0131"), ("k", "\u212a")])
def test_letters_that_a_pattern_takes_for_others_are_read_as_these(text: str, letter: str, alike: str) -> None:
    assert values_of(text.replace(letter, alike)) == values_of(text)
