"""Reads of the memory tree: a node, a subtree, and a node's future relevance."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import F, Q
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.selectors.policies import policy_effective, policy_for_workspace
from apps.common.errors import NotFound
from apps.common.models import columns_of
from apps.common.pagination import Page, page_of
from apps.common.reads import model_from_row
from apps.common.tenancy import current_workspace_id
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import FIXED, Owner, decays, owner_of
from apps.engine.memory.decay import DAY, CurvePoint, Strength, curve, curve_around, relevance_at
from apps.engine.policy import Policy
from apps.memory.models import MemNode, NodeType
from apps.memory.records.tree import DecayPoint, DecayRecord, NodeLine, NodeRecord, SourceRecord, node_record
from apps.memory.selectors.nodes import sources_of, visible_nodes, visible_within
from apps.memory.selectors.revisions import revision_list

__all__ = ["MOST_COUNTED", "node_at", "node_curve", "node_decay", "node_get", "revision_list", "subtree", "tree_list"]

MOST_COUNTED = 100
"""Limit of counting a directory's entries: beyond it the count is "100 or more"."""
_CURVE_POINTS = 60
_OWN, _TEAM = "0", "1"
_SLASHES_OF_ROOT = 2

_COLUMNS = """id, uri, node_type, category, l0_abstract, owner_id, trust, arrival, archived_at, version, updated_at,
    valid_to, base_relevance, extract(epoch FROM coalesce(last_access, occurred_at))::float8"""
# Each branch is one range of one index, in its order.
_BELOW = """
SELECT {columns} FROM mem_nodes AS node
WHERE workspace_id = %(workspace)s AND {owner} AND uri >= %(first)s AND uri < %(end)s AND uri {after}
    AND length(uri) - length(replace(uri, '/', '')) <= %(slashes)s {more}
ORDER BY uri LIMIT %(limit)s
"""
_IN = """
SELECT {columns} FROM mem_nodes AS node
WHERE workspace_id = %(workspace)s AND uri {after} AND parent_id = (
    SELECT id FROM mem_nodes WHERE workspace_id = %(workspace)s AND {owner} AND uri = %(uri)s
) {more}
ORDER BY uri LIMIT %(limit)s
"""
_IN_USE = "AND archived_at IS NULL"
# A directory that exists for both the person and the team is listed once.
_NOT_TWICE = """
AND NOT (node_type = 'dir' AND EXISTS (
    SELECT FROM mem_nodes AS own WHERE own.workspace_id = %(workspace)s AND own.owner_id = %(user)s
        AND own.uri = node.uri AND own.node_type = 'dir' {own_in_use}
))
"""
_COUNTED = """
    SELECT count(*) FROM (
        SELECT FROM mem_nodes AS child
        WHERE node.node_type = 'dir'
            AND child.workspace_id = %(workspace)s AND child.archived_at IS NULL AND child.parent_id = {parents}
        LIMIT %(most_counted)s
    ) AS counted
"""
_POLICY = "(SELECT overrides FROM accounts_workspacepolicy WHERE workspace_id = %(workspace)s)"
_LIST = f"""
SELECT node.*, inside.count, {_POLICY} FROM ({{branches}}) AS node
CROSS JOIN LATERAL ({_COUNTED}) AS inside
ORDER BY node.uri, node.owner_id IS NULL LIMIT %(limit)s
"""  # noqa: S608  # the only inserted text is the constants above
_WITH_TEAM = """ANY(ARRAY(
    SELECT twin.id FROM mem_nodes AS twin
    WHERE twin.workspace_id = %(workspace)s AND twin.owner_id IS NULL AND twin.uri = node.uri
) || node.id)"""


_READ = f"""
SELECT {columns_of(MemNode, "node")}, (
    SELECT jsonb_agg(jsonb_build_array(kind, reference) ORDER BY source.id) FROM mem_sources AS source
    WHERE source.workspace_id = %(workspace)s AND source.node_id = node.id
), {_POLICY}
FROM mem_nodes AS node
WHERE workspace_id = %(workspace)s AND (owner_id = %(user)s OR owner_id IS NULL) AND {{which}}
"""  # noqa: S608  # the inserted text is the names of columns and the constants above


def node_get(actor: Actor, node_id: UUID) -> NodeRecord:
    """Return a node of the actor or the team, archived or not."""
    found = _read(actor, "id = %(id)s", id=node_id)
    if not found:
        raise NotFound("Memory not found.")
    return found[0]


def node_at(actor: Actor, address: Address) -> NodeRecord:
    """The node at an address; prefer nodes in use to archived ones, and the actor's own to the team's."""
    found = _read(actor, "uri = %(uri)s", uri=address.text)
    if not found:
        raise NotFound("No memory exists at this address.")
    return min(found, key=lambda record: (record.archived_at is not None, record.shared))


def tree_list(
    actor: Actor, address: Address, *, depth: int = 1, after: str | None = None, limit: int, archived: bool = False
) -> Page[NodeLine]:
    """The nodes up to `depth` below the address, by address: a directory precedes its content.

    With `archived`, archived nodes too. A root without any writes is empty.
    """
    rows = _listed(actor, address, depth, after, limit + 1, archived)
    if not rows and address not in FIXED and not visible_nodes(actor).filter(uri=address.text).exists():
        raise NotFound("No memory exists at this address.")
    policy, now = _policy(rows[0][-1] if rows else None), timezone.now()
    return page_of(rows, limit, lambda row: _line(row, address, policy, now), _cursor)


def subtree(
    actor: Actor, address: Address, *, after: str | None = None, most: int, archived: bool = False
) -> Page[NodeRecord]:
    """The nodes in use at the address and below it, complete, by address; without the fixed directories.

    With `archived`, archived nodes too.
    """
    last_owner, last_uri = (after or _TEAM)[0], (after or _TEAM)[1:]
    rows = visible_within(actor, address)
    if not archived:
        rows = rows.filter(archived_at__isnull=True)
    if after:
        unseen = (
            Q(uri__gt=last_uri) | Q(uri=last_uri, owner__isnull=True) if last_owner == _OWN else Q(uri__gt=last_uri)
        )
        rows = rows.filter(unseen, uri__gte=last_uri)
    rows = rows.exclude(uri__in=[fixed.text for fixed in FIXED])
    page = list(rows.order_by("uri", F("owner_id").asc(nulls_last=True))[: most + 1])
    policy, now = policy_for_workspace(), timezone.now()
    sources = sources_of([row.id for row in page])
    return page_of(
        page,
        most,
        lambda row: node_record(row, policy=policy, now=now, sources=sources.get(row.id, ())),
        lambda row: f"{_TEAM if row.owner_id is None else _OWN}{row.uri}",
    )


def node_curve(record: NodeRecord, policy: Policy, days: float = 365) -> tuple[CurvePoint, ...]:
    """The node's future relevance without further accesses."""
    return curve(_strength(record), timezone.now().timestamp(), days, _CURVE_POINTS, policy)


def node_decay(record: NodeRecord) -> DecayRecord:
    """The node's past and future relevance without further accesses."""
    policy, strength, now = policy_for_workspace(), _strength(record), timezone.now().timestamp()
    points = () if strength.exempt else curve_around(strength, now, policy)
    return DecayRecord(
        half_life_days=policy.memory_half_life_days,
        floor=policy.relevance_floor_percent / 100,
        exempt=strength.exempt,
        age_days=max(0.0, now - strength.last_access) / DAY,
        curve=tuple(DecayPoint((point.time - now) / DAY, point.relevance) for point in points),
    )


def _strength(record: NodeRecord) -> Strength:
    exempt = not decays(Address(record.uri), is_directory=record.node_type == NodeType.DIRECTORY)
    counted_from = record.last_access or record.occurred_at
    return Strength(record.base_relevance, counted_from.timestamp(), exempt)


def _read(actor: Actor, which: str, **values: Any) -> list[NodeRecord]:
    """Read rows with their sources and the workspace's policy overrides in one statement."""
    wanted = {"workspace": current_workspace_id(), "user": actor.person_id, **values}
    with connection.cursor() as cursor:
        cursor.execute(_READ.format(which=which), wanted)
        rows = cursor.fetchall()
    now = timezone.now()
    return [_record(actor, row, now) for row in rows]


def _record(actor: Actor, row: Sequence[Any], now: datetime) -> NodeRecord:
    *columns, sources, overrides = row
    node = model_from_row(MemNode, columns)
    told = tuple(SourceRecord(kind, reference) for kind, reference in json.loads(sources or "[]"))
    return node_record(node, policy=_policy(overrides), now=now, sources=told, child_count=_child_count(actor, node))


def _child_count(actor: Actor, row: MemNode) -> int:
    """Count the active nodes in a directory that the actor can see, including the team's."""
    if row.node_type != NodeType.DIRECTORY:
        return 0
    here = visible_nodes(actor).filter(uri=row.uri, node_type=NodeType.DIRECTORY).values_list("pk", flat=True)
    inside = MemNode.objects.filter(parent_id__in=list(here), archived_at__isnull=True)
    return inside[:MOST_COUNTED].count()


def _policy(overrides: str | None) -> Policy:
    return policy_effective(json.loads(overrides) if overrides else {})


def _listed(
    actor: Actor, address: Address, depth: int, after: str | None, limit: int, archived: bool
) -> Sequence[tuple[Any, ...]]:
    last_owner, last_uri = (after or _TEAM)[0], (after or _TEAM)[1:]
    first, end = address.descendant_range
    values = {
        "workspace": current_workspace_id(),
        "user": actor.person_id,
        "uri": address.text,
        "first": first,
        "end": end,
        "after": last_uri,
        "slashes": _SLASHES_OF_ROOT + address.depth + depth,
        "most_counted": MOST_COUNTED,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_statement(address, depth, last_owner, archived), values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _statement(address: Address, depth: int, last_owner: str, archived: bool) -> str:
    branch = _IN if depth == 1 else _BELOW
    in_use = "" if archived else _IN_USE
    own = branch.format(columns=_COLUMNS, owner="owner_id = %(user)s", after="> %(after)s", more=in_use)
    if owner_of(address) is not Owner.AGENT:
        return _LIST.format(branches=own, parents="node.id")
    own_in_use = "" if archived else "AND own.archived_at IS NULL"
    team = branch.format(
        columns=_COLUMNS,
        owner="owner_id IS NULL",
        after=">= %(after)s" if last_owner == _OWN else "> %(after)s",
        more=in_use + _NOT_TWICE.format(own_in_use=own_in_use),
    )
    return _LIST.format(branches=f"({own}) UNION ALL ({team})", parents=_WITH_TEAM)


def _line(row: tuple[Any, ...], listed: Address, policy: Policy, now: datetime) -> NodeLine:
    (node_id, uri, node_type, category, abstract, owner_id, trust, arrival, archived_at, version, updated_at) = row[:11]
    valid_to, base, counted_from, child_count = row[11:-1]
    address = Address.stored(uri)
    names = address.segments
    exempt = not decays(address, is_directory=node_type == NodeType.DIRECTORY)
    strength = Strength(base, counted_from, exempt)
    return NodeLine(
        id=node_id,
        uri=uri,
        name=names[-1],
        node_type=node_type,
        category=category,
        abstract=abstract,
        owner_id=owner_id,
        shared=owner_id is None,
        trust=trust,
        arrival=arrival,
        relevance=relevance_at(strength, now.timestamp(), policy),
        archived_at=archived_at,
        valid_to=valid_to,
        child_count=child_count,
        depth=len(names) - len(listed.segments),
        version=version,
        updated_at=updated_at,
    )


def _cursor(row: tuple[Any, ...]) -> str:
    return f"{_TEAM if row[5] is None else _OWN}{row[1]}"
