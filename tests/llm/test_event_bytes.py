"""Events of a stream, however its bytes are cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.llm.errors import ModelError
from apps.llm.providers.sse import EventBytes

DATA = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=20)
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def events_in(pieces: list[bytes]) -> list[bytes]:
    reading = EventBytes()
    return [data for piece in pieces for data in reading.feed(piece)]


@given(st.lists(DATA, max_size=5), LINE_ENDS, st.lists(st.integers(0, 200), max_size=20))
def test_it_does_not_matter_where_the_bytes_are_cut(told: list[str], end: str, cuts: list[int]) -> None:
    stream = "".join(f": wait{end}{end}data: {data}{end}{end}" for data in told) + ": end"
    places = [0, *sorted(cuts), len(stream.encode())]
    pieces = [stream.encode()[one:other] for one, other in pairwise(places)]
    assert events_in(pieces) == [data.encode() for data in told]


@pytest.mark.parametrize("separator", ["\u2028", "\u0085", "\x0b", "\x1c"])
def test_only_the_ends_of_lines_end_lines(separator: str) -> None:
    assert events_in([f"data: a{separator}b\n\n".encode()]) == [f"a{separator}b".encode()]


@pytest.mark.parametrize("piece", [b"data: no end ", b"data: a line\n", b"data:\n"], ids=["line", "event", "nothing"])
def test_an_event_without_end_is_given_up(piece: bytes) -> None:
    reading = EventBytes()
    with pytest.raises(ModelError, match="no end"):
        for _ in range(40):
            list(reading.feed(piece * 50_000))
