"""The attributes that the reader tells apart."""

from __future__ import annotations

from apps.engine.reading.attributes import ATTRIBUTES
from studies.reading.material import attributes


def test_their_order_is_that_of_the_material_that_the_reader_is_trained_on() -> None:
    assert tuple(attributes()) == ATTRIBUTES
