"""What in a message is not its author's own statement."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.extraction.own_words import Foreign, OwnWords, foreign_spans, private_spans
from apps.engine.extraction.parts import parts_of
from tests.engine.extraction.talk import utterance

_OPENINGS = ("<private>", "<PRIVATE>", "< private >", "<Private reason='x'>")
_CLOSINGS = ("</private>", "</PRIVATE>", "</ private>")


def read_words(text: str) -> str:
    """What is read of a message as its author's statement."""
    parts = parts_of([utterance(text)])
    places = [(part.own, part.start + at) for part in parts for at in range(len(part.text))]
    return "".join(text[place] for own, place in places if not own.quotes(place, place + 1))


@pytest.mark.parametrize(
    ("text", "remaining"),
    [
        ("<private>x<private>y</private>SECRET</private>", ""),
        ("before <private>SECRET", "before "),
        ("<Private>SECRET</pRIVATE> after", " after"),
        ("no tag </private> here", "no tag </private> here"),
        ("a <private>b</private> c <private>d</private> e", "a  c  e"),
    ],
)
def test_private_parts_are_nested_unclosed_and_in_any_case(text: str, remaining: str) -> None:
    assert OwnWords(text).text.replace("\n", "") == remaining


@given(
    parts=st.lists(st.sampled_from((*_OPENINGS, *_CLOSINGS, "SECRET", "public "))),
)
def test_no_character_between_an_opening_tag_and_its_end_remains(parts: list[str]) -> None:
    depth, public = 0, ""
    for part in parts:
        if part in _OPENINGS:
            depth += 1
        elif part in _CLOSINGS and depth:
            depth -= 1
        elif not depth:
            public += part
    assert OwnWords("".join(parts)).text.replace("\n", "") == public


@given(text=st.text(alphabet="<>/ privatePRIVATE\n", max_size=200))
def test_private_spans_are_ordered_and_within_the_text(text: str) -> None:
    spans = list(private_spans(text))
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(before.end <= after.start for before, after in pairwise(spans))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Look:\n```\nWe use Oracle.\n```", Foreign.CODE),
        ("> We use Oracle at work.", Foreign.QUOTED),
        ('He said "we use Oracle for the books" and left.', Foreign.QUOTED),
        ("Sie meint „wir nutzen Oracle für alles“.", Foreign.QUOTED),
        ("店の人は「私はトマトしか作りません」と言った", Foreign.QUOTED),
        ("their letter:\nWe use Oracle for everything.", Foreign.PASTED),
        ("---\nWe use Oracle.\n---", Foreign.PASTED),
        ("Done. <!-- note: we use Oracle -->", Foreign.COMMENT),
        ("$ cat notes\nok", Foreign.CODE),
    ],
)
def test_what_is_code_quoted_or_pasted_is_known_as_such(text: str, why: Foreign) -> None:
    assert why in {span.why for span in foreign_spans(text)}
    assert "Oracle" not in read_words(text)


def test_a_quoted_name_is_the_authors_own_word() -> None:
    assert foreign_spans('Our cat is called "Mister Whiskers".') == []


def test_the_authors_own_list_after_a_colon_is_read() -> None:
    text = "My rules:\n- I prefer short answers\n- We use metric units"
    assert read_words(text) == text
