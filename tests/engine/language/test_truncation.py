"""Truncation of texts at readable boundaries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.language.truncation import FENCE, truncated
from apps.engine.tokens.counting import count_text

pieces = st.sampled_from(["word ", "\n", "`", "```", "```\n", "x" * 30, "🦉 ", "x = 1\n"])
texts = st.lists(pieces, max_size=60).map("".join)


@given(texts, st.integers(-3, 90))
def test_a_truncated_text_is_a_prefix_within_the_limit(text: str, limit: int) -> None:
    cut = truncated(text, limit)
    assert count_text(cut) <= max(0, limit)
    assert cut == text or not cut or text.startswith(cut.removesuffix(" […]"))


@given(texts, st.integers(0, 90))
def test_a_truncated_text_never_ends_inside_a_code_fence(text: str, limit: int) -> None:
    cut = truncated(text, limit)
    assert cut == text or cut.count(FENCE) % 2 == 0


@given(texts, st.integers(0, 90))
def test_a_text_that_fits_is_unchanged(text: str, limit: int) -> None:
    assert (truncated(text, limit) == text) == (count_text(text) <= limit)


@pytest.mark.parametrize(
    ("limit", "cut"),
    [
        (0, ""),
        (1, ""),
        (3, "See: […]"),
        (5, "See: […]"),
        (6, "See:\n```\nx = 1\n``` […]"),
        (8, "See:\n```\nx = 1\n``` and so […]"),
        (10, "See:\n```\nx = 1\n``` and so it is done."),
    ],
)
def test_code_is_included_whole_or_not_at_all(limit: int, cut: str) -> None:
    assert truncated("See:\n```\nx = 1\n``` and so it is done.", limit) == cut


def test_a_word_longer_than_the_limit_is_cut() -> None:
    assert truncated("so " + "x" * 400, 10) == "so " + "x" * 33 + " […]"
