"""The archive of a conversation in its owner's tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db.models import QuerySet

from apps.common.ids import parse_id
from apps.conversations.models import Conversation
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import RULES, Category, memory_address
from apps.engine.memory.trust import Source, Trust, lowest, trust_of
from apps.engine.policy import Policy
from apps.extraction.selectors.switches import OffBy, learning_of
from apps.memory.models import MemNode, NodeType
from apps.memory.selectors.nodes import at_or_below, in_tree

SUMMARY, OBSERVATIONS = "summary", "observations"


def archive_rows(conversation: Conversation) -> QuerySet[MemNode]:
    """Select the archive, if there is one."""
    return in_tree(conversation.owner_id).filter(uri=archive_address(conversation.id).text)


def archive_parts(conversation: Conversation) -> QuerySet[MemNode]:
    """Select the archive and, of an agent's session, that of its observations."""
    addresses = [archive_address(conversation.id, name) for name in (SUMMARY, OBSERVATIONS)]
    return in_tree(conversation.owner_id).filter(uri__in=[address.text for address in addresses])


def archive_is_allowed(conversation: Conversation, policy: Policy) -> bool:
    """Whether memories are made from the conversation, or it has an archive from when they were."""
    off_by = learning_of(conversation, policy).off_by
    return off_by is None or (off_by is not OffBy.TEMPORARY and archive_rows(conversation).exists())


def archive_trust(conversation: Conversation, source: Source) -> Trust:
    """The trust of a new archive: that of its source, or of an import that nobody confirmed."""
    return trust_of(source) if conversation.confirmed else lowest([trust_of(source), Trust.IMPORTED])


def archive_address(conversation_id: UUID, name: str = SUMMARY) -> Address:
    """The address of the summary, or of another part of the archive."""
    return memory_address(Category.SESSION, str(conversation_id), name)


def session_of(address: Address) -> UUID | None:
    """The conversation in whose folder an address is; none for another address."""
    root = RULES[Category.SESSION].root
    return parse_id(address.segments[root.depth + 1]) if address != root and address.is_within(root) else None


def in_session(address: Address, conversation_id: UUID) -> Address:
    """The same place in the folder of another conversation."""
    root = RULES[Category.SESSION].root
    names = address.segments[root.depth + 2 :]
    return Address("/".join((root.text, str(conversation_id), *names)))


def is_archive(address: Address) -> bool:
    """Whether a program compiles a conversation's archive, or a part of it, at the address."""
    conversation_id = session_of(address)
    if conversation_id is None:
        return False
    return address in (archive_address(conversation_id), archive_address(conversation_id, OBSERVATIONS))


def recent_archives(owner_id: UUID, *, most: int) -> list[MemNode]:
    """Return the archives in a person's tree, that of the most recently active conversation first."""
    rows = _archives(owner_id).filter(at_or_below(RULES[Category.SESSION].root), uri__endswith=f"/{SUMMARY}")
    return list(rows.order_by("-occurred_at", "-id")[:most])


def archives_of(owner_id: UUID, conversation_ids: Iterable[UUID]) -> Mapping[UUID, MemNode]:
    """Return the archives in a person's tree by conversation; those without one are absent."""
    addresses = {archive_address(one).text: one for one in conversation_ids}
    return {addresses[row.uri]: row for row in _archives(owner_id).filter(uri__in=list(addresses))}


def _archives(owner_id: UUID) -> QuerySet[MemNode]:
    rows = in_tree(owner_id).filter(node_type=NodeType.LEAF, archived_at__isnull=True)
    return rows.defer("l2_content")
