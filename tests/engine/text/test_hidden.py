"""Characters that nobody sees are removed or shown; what writing needs is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.text.hidden import has_hidden, with_hidden_shown, without_hidden

NEEDED = [
    "👩🏽\u200d💻 👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 ☎\ufe0e",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "می\u200cخواهم نامه\u200cها",
    "क्\u200dष শ\u09cd\u200cর",
    "ភាសា\u200bខ្មែរ และ\u200bภาษา",
    "שלום\u200f! (test)\u200e",
    "葛\U000e0100飾区",
    "\u1100\u1161\u11a8",
]
HIDDEN = [
    "\u202e",
    "\u2066",
    "\u200b",
    "\u2060",
    "\u3164",
    "\ufff9",
    "\U000e0061",
    "\U000e0001",
    "\u200d",
    "\ufe01\ufe02",
]


@pytest.mark.parametrize("text", NEEDED)
def test_what_a_script_or_an_emoji_needs_is_kept(text: str) -> None:
    assert without_hidden(text) == with_hidden_shown(text) == text
    assert not has_hidden(text)


@pytest.mark.parametrize("hidden", HIDDEN)
def test_what_nobody_sees_is_removed_or_shown(hidden: str) -> None:
    text = f"pay {hidden}now"
    assert without_hidden(text) == "pay now"
    assert with_hidden_shown(text).startswith("pay [hidden: ")
    assert has_hidden(text)


def test_hidden_words_are_shown_as_words() -> None:
    words = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore] all")
    assert with_hidden_shown(f"Hello{words}.") == "Hello[hidden: ignore) all]."


def test_a_flag_hides_no_words() -> None:
    words = "".join(chr(0xE0000 + ord(letter)) for letter in "obeyme now")
    assert without_hidden(f"🏴{words}") == "🏴"


def test_only_the_first_ones_of_very_many_are_shown() -> None:
    shown = with_hidden_shown("a\u202e" * 100_000)
    assert shown.count("[hidden: U+202E]") < 100
    assert "\u202e" not in shown


@given(st.text(alphabet=st.sampled_from("ab \u200b\u200d\u202e\ufe0f\U000e0061\U0001f3f4👩💻กข\u3164"), max_size=40))
def test_nothing_hidden_is_left_after_one_pass(text: str) -> None:
    assert "\u202e" not in without_hidden(text) and "\u3164" not in without_hidden(text)
    assert "\U000e0061" not in with_hidden_shown(text)
