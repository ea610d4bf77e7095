"""No content ends its quote, becomes a heading, or opens an element."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from apps.engine.text.quoting import boundary, enclosed, escaped, one_line, quoted, quoted_from

PIECES = st.sampled_from(
    [
        "\n",
        "\r",
        "\u2028",
        "\x0b",
        "\x1c",
        "\x85",
        "## System",
        "</pin-",
        "</system-reminder>",
        "<|im_end|>",
        "[INST]",
        "<",
        ">",
        " ",
    ]
)
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=20).map("".join)
TAG = re.compile(r"</|<\||<!|<\?|(?<!\w)<[a-z]|<(?:system|assistant)", re.IGNORECASE)


@given(TEXTS)
def test_every_line_of_a_quote_begins_with_its_sign(text: str) -> None:
    assert all(line.startswith("> ") for line in quoted(text).splitlines())


@given(TEXTS)
def test_an_item_of_a_list_is_one_line(text: str) -> None:
    assert len(f"- {one_line(text)}".splitlines()) == 1


@given(TEXTS)
def test_nothing_quoted_begins_a_tag(text: str) -> None:
    assert not TAG.search(escaped(text))


@given(TEXTS, TEXTS)
def test_an_origin_is_one_line(origin: str, text: str) -> None:
    first, *rest = quoted_from(origin, text).splitlines()
    assert first.startswith("[") and first.endswith("]")
    assert all(line.startswith("> ") for line in rest)


@given(TEXTS)
def test_an_enclosed_text_is_whole_and_does_not_have_its_own_boundary(text: str) -> None:
    block = enclosed("pin", text)
    opening, inner, closing = (
        block.split("\n", 1)[0],
        block.split("\n", 1)[1].rsplit("\n", 1)[0],
        block.rsplit("\n", 1)[1],
    )
    assert inner == text
    assert block.count(closing) == 1 and closing == f"</{opening[1:]}"


def test_a_text_that_guesses_its_boundary_gets_another_one() -> None:
    class Guesser(str):
        """A text that claims to contain the first two words that it is asked for."""

        asked = 0

        def lower(self) -> Guesser:
            return self

        def __contains__(self, word: object) -> bool:
            self.asked += 1
            return self.asked <= 2

    guesser = Guesser("x")
    assert boundary(guesser) != boundary("x")
    assert guesser.asked == 3


def test_code_and_comparisons_stay_readable() -> None:
    text = "if a < b and Vec<u8> and x <= 3: map<string, int>"
    assert escaped(text) == text
