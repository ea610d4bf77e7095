"""Relations of a new statement to known memories: it repeats one, replaces one, or may replace one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from apps.engine.memory.categories import Category
from apps.engine.memory.slots import Slot
from apps.engine.memory.trust import Trust


class Relation(StrEnum):
    SAME = "same"
    SUPERSEDES = "supersedes"
    MAY_SUPERSEDE = "may_supersede"


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory as relations compare it; `context` are the words before its quote."""

    id: str
    category: Category
    statement: str
    quote: str
    stated_at: datetime
    slot: Slot | None
    trust: Trust
    address: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class Related:
    """A known memory, how the new one relates to it, and why."""

    id: str
    relation: Relation
    why: str
    score: float


def relate(new: Fact, known: Sequence[Fact], similarities: Mapping[str, float] = MappingProxyType({})) -> list[Related]:
    """Compare a new statement with known ones."""
    return [one for fact in known if (one := _by_slot(new, fact))]


def _by_slot(new: Fact, fact: Fact) -> Related | None:
    if new.slot is None or fact.slot is None:
        return None
    if (new.slot.subject, new.slot.attribute) != (fact.slot.subject, fact.slot.attribute):
        return None
    if new.slot.value.casefold() == fact.slot.value.casefold():
        return Related(fact.id, Relation.SAME, "slot", 1.0)
    return None if new.slot.many else Related(fact.id, Relation.SUPERSEDES, "slot", 1.0)
