"""Twice the text costs twice the time, whatever it is, on every way into the product."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from apps.memory.services.bulk.import_ import items_of_markdown
from tests.linear_time.shapes import SHAPES, Shape
from tests.linear_time.timing import LARGER, is_linear, seconds_of
from tests.linear_time.ways import IN_WEB, IN_WORKER

# `make test-long` reads every shape at every length.
_IS_LONG = bool(os.environ.get("EVERY_LENGTH"))
_WORST = len(SHAPES) if _IS_LONG else 4
_OF_FILES: Mapping[str, Callable[[str], Any]] = {
    "import_markdown": lambda text: items_of_markdown(f"# mem://user/profile/a\n{text}")
}
# A text of 8,000 characters or fewer is its own overview.
_SHORTEST = {"memory_tiers": 16_000}
_WEB, _WORKER = {**IN_WEB, **_OF_FILES}, IN_WORKER


def test_there_are_more_than_forty_shapes_of_any_length() -> None:
    assert len({shape.name for shape in SHAPES}) > 40
    assert all(len(shape.text(length)) == length for shape in SHAPES for length in (100, 4_000))


def test_what_is_not_linear_is_noticed() -> None:
    def quadratic(text: str) -> int:
        return sum(1 for _ in text[::10] for _ in text[::10])

    assert _slow(quadratic, 8_000, 32_000, SHAPES[:1])
    assert not _slow(lambda text: text.count("a"), 4_000, 64_000)


@pytest.mark.parametrize("way", _WEB)
def test_no_text_costs_the_web_process_more_than_linear_time(way: str) -> None:
    assert not _slow(_WEB[way], _SHORTEST.get(way, 4_000), 64_000)


@pytest.mark.slow("it reads forty shapes of text at several lengths")
@pytest.mark.parametrize("way", _WORKER)
def test_no_text_costs_a_worker_more_than_linear_time(way: str) -> None:
    assert not _slow(_WORKER[way], 2_000, 64_000 if _IS_LONG else 8_000)


def _slow(function: Callable[[str], Any], shortest: int, longest: int, shapes: Sequence[Shape] = SHAPES) -> list[str]:
    """The shapes whose time grows too fast between two lengths; beyond the first step only the slowest are measured."""
    function("What is read first loads what is needed. " * 5)
    found: list[str] = []
    while shortest < longest:
        length = shortest * LARGER
        took = {shape: seconds_of(function, shape.text(length)) for shape in shapes}
        found += [
            f"{shape.name}, {length}"
            for shape in shapes
            if not is_linear(function, shape.text(shortest), shape.text(length), took[shape])
        ]
        shapes = sorted(shapes, key=lambda shape: -took[shape])[:_WORST]
        shortest = length
    return found
