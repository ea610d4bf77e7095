"""Revisions that an import may store: their values checked field by field, and those of a team's memory from its
sharing on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import UUID

from apps.common.errors import Unprocessable
from apps.common.models import Json
from apps.engine.memory.addresses import LONGEST_ADDRESS, Address, AddressError
from apps.engine.memory.slots import LONGEST_ATTRIBUTE, LONGEST_SUBJECT, LONGEST_VALUE
from apps.engine.memory.trust import Arrival, Source, Trust, lowest, trust_of
from apps.memory.models import Operation
from apps.memory.models.tree import LONGEST_TAG

_MOST = 2**31


@dataclass(frozen=True, slots=True)
class RestoredRevision:
    """A revision whose snapshots name nodes and sources of this workspace."""

    change: UUID
    operation: Operation
    undoes: UUID | None
    actor_id: UUID | None
    made_by: str
    reason: str
    before: Json
    after: Json
    created_at: datetime


def since_shared(revisions: Sequence[RestoredRevision]) -> Sequence[RestoredRevision]:
    """The revisions from the last one that gave the memory to the team; all if no person owned it before.

    Raises `Unprocessable` if they end while a person owns it: the team must not read those.
    """
    changes = [place for place, one in enumerate(revisions) if "owner" in one.after]
    if changes and revisions[changes[-1]].after["owner"] is not None:
        raise Unprocessable("The history of a team's memory ends before it was shared.", code="private_history")
    return revisions[changes[-1] :] if changes else revisions


def values_checked(before: Mapping[str, Any], after: Mapping[str, Any], *, is_first: bool) -> tuple[Json, Json]:
    """A revision's values, with a trust that an import may give; raise `Unprocessable` if a node cannot have them.

    Only a memory's first revision may lack values from before it.
    """
    known = tuple({name: value for name, value in values.items() if name in _CHECKS} for values in (before, after))
    try:
        checked_before, checked_after = _checked(known[0]), _checked(known[1])
    except (AddressError, ValueError, TypeError, AttributeError, OverflowError):
        raise _bad("A revision has a value that no memory can have.") from None
    missing = checked_after.keys() - checked_before.keys()
    if checked_before.keys() - checked_after.keys() or (missing and not is_first):
        raise _bad("A revision has not the same fields before and after it.")
    return checked_before, checked_after


def _checked(values: Mapping[str, Any]) -> Json:
    for name, value in values.items():
        _CHECKS[name](value)
    trust = {"trust": lowest([trust_of(Source.OWN_STORE), Trust(values["trust"])]).value} if "trust" in values else {}
    return {**values, **trust}


def _bad(detail: str) -> Unprocessable:
    return Unprocessable(detail, code="bad_revision")


def _require(is_valid: bool) -> None:
    if not is_valid:
        raise ValueError


def _text(longest: int | None = None) -> Callable[[Any], None]:
    return lambda value: _require(isinstance(value, str) and (longest is None or len(value) <= longest))


def _list_of(check: Callable[[Any], object]) -> Callable[[Any], None]:
    def check_all(value: Any) -> None:
        _require(isinstance(value, list))
        for one in value:
            check(one)

    return check_all


def _address(value: Any) -> None:
    _require(len(Address.parse(value).text) <= LONGEST_ADDRESS)


def _id(value: Any) -> None:
    if value is not None:
        UUID(value)


def _time(value: Any) -> None:
    if value is not None:
        _require(datetime.fromisoformat(value).tzinfo is not None)


def _relevance(value: Any) -> None:
    _require(value is None or (type(value) in (int, float) and 0 <= value <= 1))


def _count(value: Any) -> None:
    _require(type(value) is int and 0 <= value < _MOST)


def _flag(value: Any) -> None:
    _require(isinstance(value, bool))


def _source(value: Any) -> None:
    kind, reference = value
    _require(isinstance(kind, str) and isinstance(reference, str))


_CHECKS: Mapping[str, Callable[[Any], object]] = MappingProxyType(
    {
        "owner": _id,
        "uri": _address,
        "l0_abstract": _text(),
        "l1_overview": _text(),
        "l2_content": _text(),
        "tags": _list_of(_text(LONGEST_TAG)),
        "trust": Trust,
        "arrival": Arrival,
        "merged_into": _id,
        "merged_from": _list_of(_id),
        "archived_at": _time,
        "occurred_at": _time,
        "subject": _text(LONGEST_SUBJECT),
        "attribute": _text(LONGEST_ATTRIBUTE),
        "value": _text(LONGEST_VALUE),
        "many": _flag,
        "valid_from": _time,
        "valid_to": _time,
        "superseded_by": _id,
        "tiers_by": _text(120),
        "base_relevance": _relevance,
        "last_access": _time,
        "access_count": _count,
        "sources": _list_of(_source),
    }
)
"""A check for each field of a snapshot; it raises an error for a value that a node cannot have."""
