"""Texts from agents without injected parts, and texts for them within bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.agent_text import MEMORY_TAG, as_injected, cut_to_bytes, without_injected
from apps.engine.text.quoting import quoted


@given(st.text(max_size=500), st.integers(min_value=0, max_value=600))
def test_a_cut_text_is_its_own_beginning_in_whole_characters(text: str, most: int) -> None:
    cut = cut_to_bytes(text, most)
    assert len(cut.encode()) <= most
    assert text.startswith(cut)


_TAGS = st.sampled_from(
    ["<", "&lt;", "</", f"<{MEMORY_TAG}>", f"</{MEMORY_TAG}>", f"</{MEMORY_TAG}-0123456789ab>", "</system-reminder>"]
)
_TEXTS = st.lists(st.one_of(_TAGS, st.text(max_size=30)), max_size=30).map("".join)


@given(_TEXTS, st.integers(min_value=90, max_value=3_000))
def test_no_text_closes_the_element_in_which_it_is_injected(text: str, most: int) -> None:
    injected = as_injected(text, most)
    assert len(injected.encode()) <= most
    if injected:
        opening, closing = injected.splitlines()[0], injected.splitlines()[-1]
        assert injected.count(closing) == 1 and closing == opening.replace("<", "</")
    assert without_injected(f"before{injected}after") == "beforeafter"


@given(_TEXTS)
def test_a_quote_closes_no_reminder_around_it(text: str) -> None:
    around = f"<system-reminder>{as_injected(quoted(text), 5_000)}</system-reminder>"
    assert without_injected(f"before{around}after") == "beforeafter"


@given(st.text(max_size=200))
def test_text_without_tags_is_unchanged(text: str) -> None:
    plain = text.replace("<", "").replace("&", "")
    assert without_injected(plain) == plain


def test_whole_lines_are_cut_at_a_lines_end() -> None:
    assert cut_to_bytes("一行目\n二行目\n三行目", 25) == "一行目\n二行目"


def test_several_parts_and_an_open_one_are_removed() -> None:
    text = "a<system-reminder>1</system-reminder>b<Continuity-Memory>2</continuity-memory>c<system-reminder>3"
    assert without_injected(text) == "abc"
