"""Proposals: what another person says in a conversation, in use once the owner has approved it."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, NotFound
from apps.common.tenancy import workspace
from apps.conversations.records import MessageDraft
from apps.memory.models import MemNode, MemRevision
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.services.tree.archive import node_approve
from apps.memory.services.tree.undo.change_undo import change_undo
from apps.turns.services.messages import messages_store
from tests.compaction.runs import run_due_jobs
from tests.conversations.long_conversations import conversation
from tests.extraction.runs import memories_of, remember
from tests.memory.trees import write

pytestmark = pytest.mark.django_db


@pytest.fixture
def proposal(alice: Actor) -> MemNode:
    talk = conversation(alice, title="Concert")
    drafts = [MessageDraft("user", "hi all", name="Alice"), MessageDraft("user", "I'm the club secretary", name="Bob")]
    with workspace(alice.workspace_id):
        messages_store(alice, conversation_id=talk, drafts=drafts)
    remember(alice, talk)
    [row] = memories_of(alice)
    return row


def approve(actor: Actor, row: MemNode) -> None:
    with workspace(actor.workspace_id):
        node_approve(actor, node_id=row.id)


def found(actor: Actor) -> list[str]:
    run_due_jobs()
    with workspace(actor.workspace_id):
        return [hit.uri for hit in find(actor, SearchQuery("who is the treasurer", corpus="memories")).hits]


def test_a_proposal_is_found_once_it_is_approved(alice: Actor, proposal: MemNode) -> None:
    assert found(alice) == []
    approve(alice, proposal)
    [row] = memories_of(alice)
    assert (row.arrival, row.trust) == ("accepted", "direct_user")
    assert found(alice) == [row.uri]


def test_undoing_an_approval_lowers_the_trust_again(alice: Actor, proposal: MemNode) -> None:
    approve(alice, proposal)
    with workspace(alice.workspace_id):
        change_id = MemRevision.objects.get(node_id=proposal.id, operation="approve").change
        change_undo(alice, node_id=proposal.id, change_id=change_id)
    [row] = memories_of(alice)
    assert (row.arrival, row.trust) == ("proposed", "tool")
    assert found(alice) == []


def test_what_is_in_use_cannot_be_approved(alice: Actor) -> None:
    node = write(alice, "mem://user/preferences/tabs", "I prefer tabs.")
    with pytest.raises(Conflict, match="in use"), workspace(alice.workspace_id):
        node_approve(alice, node_id=node.id)


def test_others_cannot_approve_it(bob: Actor, charlie: Actor, proposal: MemNode) -> None:
    for actor in (bob, charlie):
        with pytest.raises(NotFound):
            approve(actor, proposal)
