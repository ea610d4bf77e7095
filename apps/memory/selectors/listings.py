"""Entries that a directory's abstract and overview list: the memories that hold now."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.engine.memory.categories import PREFERENCES_OVERVIEW, RULES, Category
from apps.engine.memory.directory_tiers import Entry
from apps.engine.memory.trust import Arrival
from apps.memory.models import MemNode, NodeType
from apps.memory.selectors.nodes import within

PREFERENCES_ROOT = RULES[Category.PREFERENCES].root
MOST_PREFERENCES = 50
_ENTRIES, _COUNTED = 100, 1_000
_DATED = frozenset({Category.EVENTS.value, Category.SESSION.value})


def listed_entries(row: MemNode) -> tuple[list[Entry], int]:
    """Return the entries that a directory's overview lists, and the number of those that it leaves out."""
    if row.uri == PREFERENCES_OVERVIEW.text:
        return _preferences(row)
    inside = MemNode.objects.filter(_is_listed(timezone.now()), parent_id=row.id)
    shown = inside.order_by("-uri" if row.category in _DATED else "uri").values_list("uri", "l0_abstract")[:_ENTRIES]
    entries = [Entry(uri.rpartition("/")[2], abstract) for uri, abstract in shown]
    return entries, _more(inside, len(entries), _ENTRIES)


def _preferences(row: MemNode) -> tuple[list[Entry], int]:
    """Return the person's preferences, wherever they are filed, newest first."""
    leaves = within(row.owner_id, PREFERENCES_ROOT).filter(_is_listed(timezone.now()), node_type=NodeType.LEAF)
    shown = leaves.order_by("-occurred_at", "-id").values_list("l0_abstract", flat=True)[:MOST_PREFERENCES]
    entries = [Entry("", abstract) for abstract in shown]
    return entries, _more(leaves, len(entries), MOST_PREFERENCES)


def _is_listed(at: datetime) -> Q:
    """Directories, and memories that are accepted and hold at this time."""
    holds = Q(superseded_by__isnull=True) & (Q(valid_to__isnull=True) | Q(valid_to__gt=at))
    return Q(archived_at__isnull=True) & (Q(node_type=NodeType.DIRECTORY) | (Q(arrival=Arrival.ACCEPTED.value) & holds))


def _more(rows: QuerySet[MemNode], shown: int, limit: int) -> int:
    return rows[:_COUNTED].count() - shown if shown == limit else 0
