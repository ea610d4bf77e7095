"""Reads of a large tree by the application's role use one range of one index."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.memory.selectors.nodes import within
from apps.memory.selectors.tree import node_at, node_get, subtree, tree_list
from apps.memory.services.bulk.create import nodes_create_bulk
from tests.memory.trees import at, draft

pytestmark = pytest.mark.django_db
ADDRESS, CHILDREN = "mem_node_address_once", "mem_node_children"


@pytest.fixture
def crowded(alice: Actor, bob: Actor) -> None:
    """A workspace with thousands of memories of two people and of the team."""
    for actor in (alice, bob):
        for start in range(0, 3_000, 1_000):
            places = [f"mem://user/events/{number:05}" for number in range(start, start + 1_000)]
            with workspace(actor.workspace_id):
                nodes_create_bulk(actor, drafts=[draft(uri, f"{uri} took place.") for uri in places])
    with workspace(alice.workspace_id):
        shared = [draft(f"mem://agent/cases/{number:04}", f"Case {number}.", shared=True) for number in range(1_000)]
        nodes_create_bulk(alice, drafts=shared)


def nodes_of_plan(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(node for inner in plan.get("Plans", []) for node in nodes_of_plan(inner))]


def looks(read: Callable[[], object]) -> set[tuple[str, str]]:
    """Return the scans and indexes that the statements of a read use."""
    with CaptureQueriesContext(connection) as captured:
        read()
    found: set[tuple[str, str]] = set()
    for query in captured.captured_queries:
        if "mem_nodes" in query["sql"]:
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN (FORMAT JSON) {query['sql']}")
                (told,) = cursor.fetchone()
            plan = told if isinstance(told, list) else json.loads(told)
            scans = [node for node in nodes_of_plan(plan[0]["Plan"]) if "Scan" in node["Node Type"]]
            found |= {
                (node["Node Type"], node.get("Index Name", ""))
                for node in scans
                if node.get("Relation Name") == "mem_nodes" or node["Node Type"] == "Bitmap Index Scan"
            }
    return found


@pytest.mark.usefixtures("crowded")
def test_no_read_goes_through_the_table(alice: Actor) -> None:
    node = at(alice, "mem://user/events/01500")
    reads: list[Callable[[], object]] = [
        lambda: node_get(alice, node.id),
        lambda: node_at(alice, Address(node.uri)),
        lambda: tree_list(alice, Address("mem://user/events"), limit=50),
        lambda: tree_list(alice, Address("mem://user"), depth=5, after="0mem://user/events/02", limit=50),
        lambda: tree_list(alice, Address("mem://agent/cases"), limit=50),
        lambda: tree_list(alice, Address("mem://agent"), depth=5, limit=50),
        lambda: subtree(alice, Address("mem://user/events"), most=50),
        lambda: list(within(alice.user_id, Address("mem://user/events/0150"))),
    ]
    with workspace(alice.workspace_id):
        used = set.union(*(looks(read) for read in reads))
    assert "Seq Scan" not in {kind for kind, _ in used}
    assert {name for _, name in used if name} >= {ADDRESS, CHILDREN}


@pytest.mark.usefixtures("crowded")
def test_a_range_is_a_condition_of_the_index_and_no_filter(alice: Actor) -> None:
    with workspace(alice.workspace_id), CaptureQueriesContext(connection) as captured:
        list(within(alice.user_id, Address("mem://user/events")).order_by("uri")[:10])
    with workspace(alice.workspace_id), connection.cursor() as cursor:
        # Tests have no statistics: check which plan is possible, not which one seems cheap.
        cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN {captured.captured_queries[-1]['sql']}")
        told = "\n".join(line for (line,) in cursor.fetchall())
    assert "Seq Scan" not in told
    (condition,) = [line for line in told.splitlines() if "Index Cond" in line]
    assert ">= 'mem://user/events'" in condition
    assert "< 'mem://user/events0'" in condition
