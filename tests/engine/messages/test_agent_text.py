"""Texts from agents without injected parts, and texts for them within bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.agent_text import MEMORY_TAG, as_injected, cut_to_bytes, storable, without_injected


@given(st.text(max_size=500), st.integers(min_value=0, max_value=600))
def test_a_cut_text_is_its_own_beginning_in_whole_characters(text: str, most: int) -> None:
    cut = cut_to_bytes(text, most)
    assert len(cut.encode()) <= most
    assert text.startswith(cut)


@given(st.text(max_size=2_000), st.integers(min_value=60, max_value=3_000))
def test_injected_text_has_its_tag_once_and_fits(text: str, most: int) -> None:
    injected = as_injected(text, most)
    assert len(injected.encode()) <= most
    assert injected == "" or injected.count(MEMORY_TAG) == 2
    assert without_injected(f"before{injected}after") == "beforeafter"


@given(st.text(max_size=200))
def test_text_without_tags_is_unchanged(text: str) -> None:
    plain = text.replace("<", "").replace("&", "")
    assert without_injected(plain) == plain


def test_whole_lines_are_cut_at_a_lines_end() -> None:
    assert cut_to_bytes("一行目\n二行目\n三行目", 25) == "一行目\n二行目"


def test_several_parts_and_an_open_one_are_removed() -> None:
    text = "a<system-reminder>1</system-reminder>b<Continuity-Memory>2</continuity-memory>c<system-reminder>3"
    assert without_injected(text) == "abc"


def test_what_no_database_stores_is_replaced() -> None:
    assert storable("a\x00\ud800\udfffb").encode() == "a\ufffd\ufffdb".encode()
