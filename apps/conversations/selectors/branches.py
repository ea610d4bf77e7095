"""Branches of a conversation: the conversations that share its beginning, by the message where they diverge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from uuid import UUID

from django.db.models import Q

from apps.accounts.actors import Actor
from apps.common.reads import fetch_rows
from apps.conversations.records import BranchPoint
from apps.conversations.selectors.access import conversation_access, conversations_of

# Ancestors first, then their forks, so that the limit omits distant relatives.
_FAMILY = """
WITH RECURSIVE ancestor AS (
    SELECT id, copied_from_id, copied_through, 0 AS distance
    FROM conversations_conversation WHERE workspace_id = %(workspace)s AND id = %(id)s
    UNION ALL
    SELECT parent.id, parent.copied_from_id, parent.copied_through, distance + 1
    FROM ancestor JOIN conversations_conversation AS parent ON parent.id = ancestor.copied_from_id
    WHERE parent.workspace_id = %(workspace)s AND distance < 100
), family AS (
    SELECT id, copied_from_id, copied_through FROM ancestor
    UNION
    SELECT fork.id, fork.copied_from_id, fork.copied_through
    FROM family JOIN conversations_conversation AS fork ON fork.copied_from_id = family.id
    WHERE fork.workspace_id = %(workspace)s
)
SELECT id, copied_from_id, coalesce(copied_through, -1) FROM family LIMIT 200
"""

Link = tuple[UUID, UUID | None, int]
"""A conversation, the one it was forked from, and the last index that was copied; -1 if none was."""

Reached = dict[UUID, tuple[int, UUID]]
"""By conversation: the last index shared with the start, and the conversation that represents its branch there."""


def conversation_branches(actor: Actor, conversation_id: UUID) -> list[BranchPoint]:
    """Return the messages at which readable, unarchived conversations diverge from this one; three queries."""
    conversation_access(actor, conversation_id)
    links = [(row[0], row[1], row[2]) for row in fetch_rows(_FAMILY, id=conversation_id)]
    if len(links) == 1:
        return []
    rows = conversations_of(actor).filter(pk__in=[link[0] for link in links])
    shown = rows.filter(Q(archived_at=None) | Q(pk=conversation_id))
    return branch_points(conversation_id, links, dict(shown.values_list("id", "active_at")))


def branch_points(start: UUID, links: Iterable[Link], active: Mapping[UUID, datetime]) -> list[BranchPoint]:
    """Group the conversations in `active` by where they diverge from `start`, one for each branch."""
    reached = {key: found for key, found in _reached(start, links).items() if key in active}
    points = sorted({shared for key, (shared, _) in reached.items() if key != start})
    return [BranchPoint(shared + 1, _alternatives(start, shared, reached, active)) for shared in points]


def _alternatives(start: UUID, shared: int, reached: Reached, active: Mapping[UUID, datetime]) -> list[UUID]:
    """Return the branches at a message, oldest first, each by its most recently active conversation."""
    branches: dict[UUID, list[UUID]] = defaultdict(list)
    for key, (depth, entry) in reached.items():
        if depth >= shared:
            branches[entry if depth == shared else start].append(key)
    oldest_first = sorted(branches.items(), key=lambda branch: min(branch[1]))
    return [start if entry == start else max(keys, key=active.__getitem__) for entry, keys in oldest_first]


def _reached(start: UUID, links: Iterable[Link]) -> Reached:
    """Walk the tree of forks; conversations share the beginning up to the smallest index on the path between them."""
    neighbors = _neighbors(links)
    whole = max((through for edges in neighbors.values() for _, through in edges), default=-1) + 1
    reached = {start: (whole, start)}
    queue = [start]
    for key in queue:
        shared, entry = reached[key]
        for other, through in neighbors[key]:
            if other not in reached:
                reached[other] = (through, other) if through <= shared else (shared, entry)
                queue.append(other)
    return reached


def _neighbors(links: Iterable[Link]) -> dict[UUID, list[tuple[UUID, int]]]:
    neighbors: dict[UUID, list[tuple[UUID, int]]] = defaultdict(list)
    for one, other, through in _both_ways(links):
        neighbors[one].append((other, through))
    return neighbors


def _both_ways(links: Iterable[Link]) -> Iterator[tuple[UUID, UUID, int]]:
    for fork, source, through in links:
        if source is not None:
            yield fork, source, through
            yield source, fork, through
