"""One normal form for every text that is stored."""

from __future__ import annotations

from apps.engine.text.normal_form import CleanText, TextChange, clean_text, storable


def test_what_no_database_stores_is_replaced_and_told() -> None:
    assert clean_text("a\x00\ud800b") == CleanText("a\ufffd\ufffdb", (TextChange.REPLACED,))


def test_a_surrogate_pair_is_one_character() -> None:
    assert storable("\ud83d\ude00 \x00") == "😀 \ufffd"


def test_decomposed_letters_are_composed_without_a_word_of_it() -> None:
    assert clean_text("Cafe\u0301 Zoe\u0308") == CleanText("Café Zoë")


def test_programs_lose_hidden_characters_and_people_see_them() -> None:
    assert clean_text("\u202eok") == CleanText("ok", (TextChange.REMOVED_HIDDEN,))
    assert clean_text("\u202eok", show_hidden=True) == CleanText("[hidden: U+202E]ok", (TextChange.SHOWN_HIDDEN,))


def test_line_breaks_and_tabs_stay() -> None:
    text = "a\r\nb\tc\u2028d\u00a0e"
    assert clean_text(text) == CleanText(text)
