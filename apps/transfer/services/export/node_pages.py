"""Pages of the memories that an export has."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.selectors.session_archives import session_of
from apps.conversations.models import Conversation
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import RULES, Category
from apps.memory.models import NodeType
from apps.memory.records.tree import NodeRecord
from apps.memory.selectors.tree import subtree
from apps.memory.services.derived_leaves import changed_by_person
from apps.transfer.services.export.pages import PAGE

_SESSIONS = RULES[Category.SESSION].root.text
_ROOTS = ("mem://user", "mem://agent", _SESSIONS)


def node_pages(actor: Actor) -> Iterator[Sequence[NodeRecord]]:
    """Memories and folders, by address; in `mem://sessions` those that a person wrote or changed."""
    for root in _ROOTS:
        after: str | None = None
        while True:
            with workspace(actor.workspace_id):
                page = subtree(actor, Address(root), after=after, most=PAGE, archived=True)
                records = _of_people(page.data) if root == _SESSIONS else page.data
            yield records
            if (after := page.next_cursor) is None:
                break


def _of_people(records: Sequence[NodeRecord]) -> Sequence[NodeRecord]:
    """Those that a person wrote or changed; the others are compiled again where their conversations are imported.

    An archive that has lost all its words is left out.
    """
    changed = changed_by_person([one.id for one in records])
    temporary = _temporary({found for one in records if (found := session_of(Address(one.uri)))})
    kept = [one for one in records if one.id in changed and (one.content or one.node_type == NodeType.DIRECTORY)]
    return [one for one in kept if session_of(Address(one.uri)) not in temporary]


def _temporary(conversation_ids: Collection[UUID]) -> set[UUID]:
    return set(Conversation.objects.filter(pk__in=conversation_ids, temporary=True).values_list("pk", flat=True))
