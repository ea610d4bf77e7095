"""Every pattern of the product, on texts that are derived from it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.linear_time.patterns import Found, every_pattern
from tests.linear_time.pumps import pumps

LONGEST_SENTENCE = 1_000
"""Characters of the longest text that a pattern reads which is not linear; longer sentences are skipped or cut."""
MOST_S = 0.3
"""Below what a cubic pattern takes, and several times what the slowest quadratic one does on a busy machine."""
# So that a pattern that takes exponential time is found before it hangs.
_LENGTHS = (22, 26, 250, LONGEST_SENTENCE)


@pytest.fixture(scope="module")
def patterns() -> list[Found]:
    """Not when the tests are collected: that would import and parse the whole product."""
    return every_pattern()


def test_the_patterns_of_server_and_client_are_found(patterns: list[Found]) -> None:
    found = {one.where.split(":")[0].split(".")[0] for one in patterns}
    assert found == {"apps", "continuity_client", "rules"}
    assert len(patterns) > 500
    assert any(one.where == "apps.common.secrets.library:DETECTORS" for one in patterns)


@pytest.mark.slow("its patterns are slow on purpose")
def test_the_search_for_hard_texts_finds_what_is_hard() -> None:
    assert _slowest(Found("cubic", re.compile(r"\s*\s*\s*x")))
    assert _slowest(Found("exponential", re.compile(r"(?:a+)+b")))
    assert not _slowest(Found("linear", re.compile(r"a++b")))


@pytest.mark.slow("it tries hundreds of patterns")
def test_no_pattern_takes_long_on_a_sentence_that_is_made_for_it(patterns: list[Found]) -> None:
    slow = {one.where: found for one in patterns if (found := _slowest(one))}
    assert not slow


def _slowest(one: Found) -> str:
    """A text on which the pattern takes too long; empty if there is none."""
    for shape in pumps(one.regex):
        for text in _texts(shape):
            if _seconds(one.regex, text) > MOST_S and _seconds(one.regex, text) > MOST_S:
                return repr(text[:60])
    return ""


def _texts(shape: tuple[str, str, str]) -> Iterator[str]:
    begin, part, end = shape
    for length in _LENGTHS:
        yield begin + (part * (length // len(part) + 1))[:length] + end


def _seconds(regex: re.Pattern[Any], text: str) -> float:
    value = text.encode() if isinstance(regex.pattern, bytes) else text
    begin = time.process_time()
    for _ in regex.finditer(value):
        pass
    return time.process_time() - begin
