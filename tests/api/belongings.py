"""A row of Alice's in one of her conversations, for each id that a URL may contain."""

from __future__ import annotations

from uuid import UUID, uuid4

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.services.request import compaction_request
from apps.engine.memory.addresses import Address
from apps.engine.policy import Level, Policy
from apps.memory.models import MemNode
from apps.memory.selectors.revisions import revision_list
from apps.memory.services.pins import PinDraft, pin_create
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.user_memory import UserMemoryDraft, user_memory_create
from tests.conversations.long_conversations import conversation, say


def conversation_of(alice: Actor) -> UUID:
    return conversation(alice, title="Hers")


def message_of(alice: Actor) -> UUID:
    return say(alice, conversation_of(alice), "Hello")[0].id


def pin_of(alice: Actor) -> UUID:
    talk = conversation_of(alice)
    with workspace(alice.workspace_id):
        return pin_create(alice, conversation_id=talk, draft=PinDraft(content="Keep this")).id


def run_of(alice: Actor) -> UUID:
    talk = conversation_of(alice)
    with workspace(alice.workspace_id):
        return compaction_request(alice, conversation_id=talk, level=Level.LIGHT, policy=Policy()).id


def memory_of(alice: Actor) -> UUID:
    with workspace(alice.workspace_id):
        return user_memory_create(alice, draft=UserMemoryDraft("fact", f"name {uuid4()}", "Alice")).id


def node_of(alice: Actor) -> UUID:
    with workspace(alice.workspace_id):
        draft = NodeDraft(Address(f"mem://user/events/{uuid4()}"), "We released.")
        return node_create(alice, draft=draft).id


def revision_of(alice: Actor) -> UUID:
    node_id = node_of(alice)
    with workspace(alice.workspace_id):
        return revision_list(alice, node_id, limit=1).data[0].id


def item_of(alice: Actor) -> UUID:
    node_id = node_of(alice)
    with workspace(alice.workspace_id):
        MemNode.objects.filter(pk=node_id).update(arrival="proposed", trust="tool")
    return node_id


CONVERSATION_BELONGINGS = {
    "conversation_id": conversation_of,
    "session": conversation_of,
    "message_id": message_of,
    "pin_id": pin_of,
    "run_id": run_of,
    "memory_id": memory_of,
    "node_id": node_of,
    "item_id": item_of,
    "revision_id": revision_of,
}
