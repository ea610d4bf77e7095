"""From the chances of tokens to spans that are worth remembering."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.reading.spans import MemorableSpan, TokenChances, memorable_spans, whole_words


def tokens(text: str, kept: str, begins: str = "", trap: str = "") -> list[TokenChances]:
    """A token for each word and sign; those of the words of `kept` go on, those of `begins` begin a fact."""
    made = []
    for found in re.finditer(r"\w+|[^\w\s]", text):
        word = found[0]
        chances = (0.9 * (word in begins.split()), 0.9 * (word in kept.split()), 0.5 * (word in trap.split()))
        made.append(TokenChances(*found.span(), *chances))
    return made


def quotes(text: str, spans: list[MemorableSpan]) -> list[str]:
    return [text[span.start : span.end] for span in spans]


def test_a_run_of_kept_words_is_a_span() -> None:
    text = "Hi! I moved to Porto in May. Any tips?"
    assert quotes(text, memorable_spans(text, tokens(text, "I moved to Porto in May"), 1.0)) == [
        "I moved to Porto in May"
    ]


def test_two_facts_of_a_sentence_are_kept_apart() -> None:
    text = "Ada is a nurse and Ben bakes"
    found = memorable_spans(text, tokens(text, "is a nurse and bakes", begins="Ada Ben"), 1.0)
    assert quotes(text, found) == ["Ada is a nurse", "Ben bakes"]


@pytest.mark.parametrize("kept", ["We use Decimal because floats lie", "We use Decimal floats lie"])
def test_a_reason_is_kept_with_what_it_is_the_reason_of(kept: str) -> None:
    text = "We use Decimal because floats lie"
    found = memorable_spans(text, tokens(text, kept, begins="We floats"), 1.0)
    assert quotes(text, found) == [text]


def test_a_word_that_is_likely_in_parts_is_one_span() -> None:
    parts = [TokenChances(0, 2, 0.9, 0.0, 0.0), TokenChances(2, 4, 0.0, 0.0, 0.0), TokenChances(4, 6, 0.9, 0.0, 0.0)]
    assert quotes("abcdef", memorable_spans("abcdef", parts, 1.0, is_answer=True)) == ["abcdef"]
    assert memorable_spans("abcdef", parts, 1.0) == [], "a single word says nothing"


def test_a_fact_begins_inside_a_clause_only_if_that_is_sure() -> None:
    text = "she works nights at the station"
    whole = tokens(text, "she works nights at station")
    for chance, expected in ((0.5, [text]), (0.9, ["she works nights at", "the station"])):
        whole[4] = TokenChances(*text_place(text, "the"), chance, 0.0, 0.0)
        assert quotes(text, memorable_spans(text, whole, 1.0)) == expected


def text_place(text: str, word: str) -> tuple[int, int]:
    return text.index(word), text.index(word) + len(word)


@pytest.mark.parametrize(
    ("text", "part", "word"),
    [("मेरी बहन", "हन", "बहन"), ("나는 서울에 산다", "서", "서울에"), ("ฉันชื่อนิดา", "นิ", "นิ"), ("naïve", "ï", "naïve")],
)
def test_words_are_whole_with_their_marks(text: str, part: str, word: str) -> None:
    start = text.index(part)
    widened = whole_words(text, start, start + len(part))
    assert text[slice(*widened)] == word


def test_a_sign_between_kept_words_splits_nothing() -> None:
    text = "allergic to nuts, severely"
    assert quotes(text, memorable_spans(text, tokens(text, "allergic to nuts severely"), 1.0)) == [text]


def test_a_span_is_widened_to_whole_words() -> None:
    parts = [TokenChances(0, 2, 0.0, 0.0, 0.0), TokenChances(2, 9, 0.9, 0.0, 0.0)]
    assert quotes("unhappily", memorable_spans("unhappily", parts, 1.0, is_answer=True)) == ["unhappily"]


def test_scripts_without_spaces_are_not_widened() -> None:
    text = "私は大阪に住む"
    found = memorable_spans(text, [TokenChances(0, 2, 0.0, 0.1, 0.0), TokenChances(2, 7, 0.9, 0.0, 0.0)], 1.0)
    assert quotes(text, found) == ["大阪に住む"]


@pytest.mark.parametrize(("is_answer", "found"), [(True, ["no"]), (False, [])])
def test_a_very_short_span_counts_as_an_answer_alone(is_answer: bool, found: list[str]) -> None:
    assert quotes("no", memorable_spans("no", tokens("no", "no"), 1.0, is_answer=is_answer)) == found


def test_traps_and_messages_that_hold_nothing_lower_the_chance() -> None:
    text = "The code is 7305"
    plain = memorable_spans(text, tokens(text, text), 1.0)[0].chance
    trapped = memorable_spans(text, tokens(text, text, trap=text), 1.0)[0].chance
    empty = memorable_spans(text, tokens(text, text), 0.0)[0].chance
    assert plain == pytest.approx(0.9)
    assert trapped == pytest.approx(0.45)
    assert empty == pytest.approx(0.27)


CHANCES = st.floats(0, 1)


@given(st.text(max_size=60), st.lists(st.tuples(CHANCES, CHANCES, CHANCES), min_size=60, max_size=60), CHANCES)
def test_spans_of_any_text_lie_in_it_and_do_not_overlap(
    text: str, chances: list[tuple[float, float, float]], holds: float
) -> None:
    made = [TokenChances(place, place + 1, *chances[place]) for place in range(len(text))]
    found = memorable_spans(text, made, holds)
    assert all(0 <= span.start < span.end <= len(text) for span in found)
    assert all(one.last < other.first and one.end <= other.start for one, other in pairwise(found))
