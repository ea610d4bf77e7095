"""Parsing of server-sent events from arbitrarily split bytes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.llm.errors import ModelError
from apps.llm.providers.sse import EventBytes

DATA = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=20)
NAMES = st.sampled_from(["", "ping", "message_stop"])
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def events_in(pieces: list[bytes]) -> list[tuple[bytes, bytes]]:
    reading = EventBytes()
    return [event for piece in pieces for event in reading.feed(piece)]


@given(st.lists(st.tuples(NAMES, DATA), max_size=5), LINE_ENDS, st.lists(st.integers(0, 200), max_size=20))
def test_events_are_the_same_wherever_the_bytes_are_cut(
    expected: list[tuple[str, str]], end: str, cuts: list[int]
) -> None:
    said = (f"event: {name}{end}data: {data}" if name else f"data: {data}" for name, data in expected)
    stream = "".join(f": wait{end}{end}{event}{end}{end}" for event in said) + ": end"
    places = [0, *sorted(cuts), len(stream.encode())]
    pieces = [stream.encode()[one:other] for one, other in pairwise(places)]
    assert events_in(pieces) == [(name.encode(), data.encode()) for name, data in expected]


def test_a_name_without_data_yields_no_event() -> None:
    assert events_in([b"event: ping\n\ndata: one\n\n"]) == [(b"", b"one")]


@pytest.mark.parametrize("separator", ["\u2028", "\u0085", "\x0b", "\x1c"])
def test_only_line_breaks_end_lines(separator: str) -> None:
    assert events_in([f"data: a{separator}b\n\n".encode()]) == [(b"", f"a{separator}b".encode())]


@pytest.mark.parametrize("piece", [b"data: no end ", b"data: a line\n", b"data:\n"], ids=["line", "event", "nothing"])
def test_an_endless_event_is_rejected(piece: bytes) -> None:
    reading = EventBytes()
    with pytest.raises(ModelError, match="unterminated"):
        for _ in range(40):
            list(reading.feed(piece * 50_000))
