"""Archives of conversations in our own export: a person changed them, so they return as they were.

The conversation has another id here, and a job may have compiled its archive since its messages were imported. The
archive of the file takes the place of that one, and no job compiles it again; what a person wrote here stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from apps.compaction.selectors.session_archives import archive_parts, in_session, is_archive, session_of
from apps.compaction.services.archive.scheduling import (
    observations_archive_schedule_soon,
    session_archive_schedule_soon,
)
from apps.conversations.field_checks import BadMessage
from apps.conversations.models import Conversation
from apps.engine.memory.addresses import Address, AddressError
from apps.engine.memory.trust import Source, lowest, trust_of
from apps.memory.models import NodeType
from apps.memory.selectors.nodes import in_tree
from apps.memory.services.bulk.import_ import ImportItem
from apps.memory.services.derived_leaves import changed_by_person
from apps.memory.services.tree.delete_permanently import nodes_drop
from apps.transfer.models import ImportStatus
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.outcomes import NotImported


def session_address(uri: Any, conversation_id: UUID) -> Address:
    """The place of an exported address in the folder of the conversation here."""
    try:
        address = Address.parse(uri if isinstance(uri, str) else "")
        if session_of(address) is not None:
            return in_session(address, conversation_id)
    except AddressError:
        pass
    raise BadMessage("bad_address", "its address is not in the folder of a conversation")


def archive_check(conversation: Conversation, address: Address) -> bool:
    """Whether the address is that of an archive; raise `NotImported` if a person changed the one that is here.

    The caller has locked the conversation, so that no job compiles its archive before the import is stored.
    """
    if not is_archive(address):
        return False
    if changed_by_person(archive_parts(conversation).filter(uri=address.text).values_list("pk", flat=True)):
        raise NotImported(ImportStatus.EXISTING, "archive_changed")
    return True


def archives_make_room(batch: Batch) -> None:
    """Make room for the archives of the batch; leave out those that a person changed here since they were checked.

    An edit locks the memory, not the conversation, so that one may have been stored while the batch was read.
    """
    uris = [new.node["uri"] for new in batch.nodes if new.archive_of]
    leaves = in_tree(batch.actor.person_id).filter(uri__in=uris, node_type=NodeType.LEAF)
    rows = list(leaves.order_by("uri").select_for_update(of=("self",))) if uris else []
    changed_ids = changed_by_person([row.id for row in rows])
    changed = {row.uri for row in rows if row.id in changed_ids}
    if compiled := [row for row in rows if row.uri not in changed]:
        nodes_drop(compiled)
    for new in batch.nodes:
        if new.archive_of and new.node["uri"] in changed:
            new.outcome.end(ImportStatus.EXISTING, "archive_changed")
    batch.nodes = [new for new in batch.nodes if not (new.archive_of and new.node["uri"] in changed)]


def as_archives(batch: Batch, items: Sequence[ImportItem]) -> list[ImportItem]:
    """The items, one for each memory of the batch, with the archives among them as what they are.

    They have what assistants and tools wrote, so their trust is no higher than that of a compiled one.
    """
    return [_archive(item) if new.archive_of else item for new, item in zip(batch.nodes, items, strict=True)]


def archives_schedule_missing(batch: Batch) -> None:
    """Let a job compile the archives that were not stored."""
    for new in batch.nodes:
        if new.archive_of and new.outcome.status is not ImportStatus.CREATED:
            session_archive_schedule_soon(new.archive_of)
            observations_archive_schedule_soon(new.archive_of)


def _archive(item: ImportItem) -> ImportItem:
    draft = replace(item.draft, is_compiled=True) if item.draft else None
    return replace(item, draft=draft, trust=lowest([item.trust, trust_of(Source.ASSISTANT)]))
