"""Near-duplicates by signs: the ones that a comparison of all vectors gives."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import numpy as np
import pytest
from numpy.typing import NDArray

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.inbox.selectors.near_duplicates import MOST_NEAR, NEAR, near_duplicates
from apps.memory.models import Embedding, MemNode, Passage
from apps.memory.services.bulk.create import nodes_create_bulk
from apps.memory.services.tree.node_drafts import NodeDraft
from bench._find.corpus import memory_text
from tests.inbox.inboxes import proposal
from tests.memory.recall import make_vectors

pytestmark = pytest.mark.django_db

MEMORIES, PROPOSED = 120, 23


@pytest.fixture
def proposals(alice: Actor, bob: Actor) -> list[MemNode]:
    """Proposals of which each says nearly what two of Alice's memories say, and one of Bob's."""
    texts = [memory_text(number) for number in range(MEMORIES)] + [f"Once {memory_text(n)}" for n in range(PROPOSED)]
    for actor in (alice, bob):
        drafts = [NodeDraft(Address(f"mem://user/events/m-{number}"), text) for number, text in enumerate(texts)]
        with workspace(actor.workspace_id):
            nodes_create_bulk(actor, drafts=drafts)
    ids = [proposal(alice, f"mem://user/events/p-{n}", f"Noted: {memory_text(n)}") for n in range(PROPOSED)]
    make_vectors(alice)
    with workspace(alice.workspace_id):
        return list(MemNode.objects.filter(pk__in=ids))


def compared(actor: Actor, proposals: Sequence[MemNode]) -> dict[UUID, dict[UUID, float]]:
    """The memories in use nearest to each of these, by all vectors."""
    nodes = dict(Passage.objects.values_list("id", "node_id"))
    rows = {nodes[row.passage_id]: row for row in Embedding.objects.all()}
    in_use = [one for one, row in rows.items() if row.bank == actor.user_id]
    matrix = np.array([rows[one].vector for one in in_use])
    return {one.id: _nearest(in_use, matrix @ np.array(rows[one.id].vector)) for one in proposals}


def _nearest(ids: Sequence[UUID], similarities: NDArray[np.float64]) -> dict[UUID, float]:
    best = np.argsort(-similarities)[:MOST_NEAR]
    return {ids[place]: similarities[place] for place in best if similarities[place] >= NEAR}


def test_a_page_shows_what_all_vectors_of_the_owners_bank_give(alice: Actor, proposals: list[MemNode]) -> None:
    with workspace(alice.workspace_id):
        found, exact = near_duplicates(proposals), compared(alice, proposals)
    assert min(map(len, exact.values())) >= 2
    assert {one: list(near) for one, near in found.items()} == {one: list(near) for one, near in exact.items()}
    for one, near in found.items():
        assert near == pytest.approx(exact[one], abs=1e-3)
