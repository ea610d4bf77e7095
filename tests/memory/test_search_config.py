"""A search uses the present policy and embedding space of its workspace."""

from __future__ import annotations

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import WorkspacePolicy
from apps.common.tenancy import workspace
from apps.memory.models import EmbeddingSpace, MemNode, SpaceState
from apps.memory.records.search import SearchQuery
from tests.memory.recall import look, make_vectors, remember

pytestmark = pytest.mark.django_db

TEA = SearchQuery("Which tea do I drink?")


@pytest.fixture
def tea(alice: Actor) -> None:
    """A memory about tea that Alice has searched before: nothing may be cached from that."""
    remember(alice, "mem://user/preferences/tea", "Green tea in the morning.")
    make_vectors(alice)
    assert look(alice, TEA.query).by_meaning


def test_a_changed_policy_takes_effect_immediately(alice: Actor, tea: None) -> None:
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
    assert (len(found.hits), found.by_meaning, found.reason) == (1, False, "no_vectors_yet")


def test_where_nothing_matches_nothing_is_found(alice: Actor, tea: None) -> None:
    assert not look(alice, TEA.query, category="cases").hits
