"""What a process remembers of a workspace for its searches, and that nothing is found by what holds no more."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import WorkspacePolicy
from apps.common.tenancy import workspace
from apps.memory.models import EmbeddingSpace, MemNode, SpaceState
from apps.memory.records.found import FindWish
from apps.memory.services import cells
from apps.memory.services.finding import memories_find
from tests.memory.recall import look, make_vectors, remember, run_named

pytestmark = pytest.mark.django_db

TEA = FindWish("Which tea do I drink?")


@pytest.fixture
def tea(alice: Actor) -> None:
    """It is remembered how the workspace is searched."""
    remember(alice, "mem://user/preferences/tea", "Green tea in the morning.")
    make_vectors(alice)
    assert look(alice, TEA.query).by_meaning


def test_a_search_is_one_statement(alice: Actor, tea: None) -> None:
    with CaptureQueriesContext(connection) as captured:
        assert memories_find(alice, wish=TEA).hits
    asked = [query["sql"] for query in captured.captured_queries if "mem_" in query["sql"]]
    assert len(asked) == 1


def test_a_changed_policy_holds_at_once(alice: Actor, tea: None) -> None:
    with workspace(alice.workspace_id):
        MemNode.objects.filter(node_type="leaf").update(base_relevance=0.01)
        WorkspacePolicy.objects.create(overrides={"relevance_floor_percent": 40})
    assert look(alice, TEA.query).hits[0].relevance == pytest.approx(0.4)
    with workspace(alice.workspace_id):
        WorkspacePolicy.objects.update(overrides={"relevance_floor_percent": 30})
    assert look(alice, TEA.query).hits[0].relevance == pytest.approx(0.3)
    with workspace(alice.workspace_id):
        WorkspacePolicy.objects.all().delete()
    assert look(alice, TEA.query).hits[0].relevance == pytest.approx(0.1)


def test_a_space_that_serves_no_more_is_not_asked(alice: Actor, tea: None) -> None:
    with workspace(alice.workspace_id):
        EmbeddingSpace.objects.update(state=SpaceState.RETIRED, since=timezone.now())
    found = look(alice, TEA.query)
    assert (len(found.hits), found.by_meaning, found.because) == (1, False, "no_vectors_yet")


def test_where_nothing_matches_nothing_is_found(alice: Actor, tea: None) -> None:
    assert not look(alice, TEA.query, category="cases").hits


def test_a_bank_that_is_filed_meanwhile_is_searched_by_its_cells(
    alice: Actor, tea: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cells, "LARGE", 1)
    with workspace(alice.workspace_id):
        cells.cells_want_if_large()
    assert run_named(alice, cells.KIND, cells.KEY)
    with CaptureQueriesContext(connection) as captured:
        assert look(alice, TEA.query).hits
    asked = [query["sql"] for query in captured.captured_queries if "candidate AS" in query["sql"]]
    assert ["probed AS" in statement for statement in asked] == [False, True]
