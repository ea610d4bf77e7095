"""Identifiers that sort by creation time."""

from __future__ import annotations

from apps.common.ids import uuid7, uuid7s


def test_each_is_larger_than_those_before_alone_and_by_the_thousand() -> None:
    ids = [uuid7(), *uuid7s(5_000), uuid7(), *uuid7s(3), uuid7()]
    assert ids == sorted(set(ids))
    assert {(one.version, one.variant) for one in ids} == {(7, uuid7().variant)}
    assert uuid7s(0) == []
