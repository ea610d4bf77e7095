"""The archive of a conversation in its owner's tree."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from apps.conversations.models import Conversation
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import Category, memory_address
from apps.engine.policy import Policy
from apps.extraction.selectors.switches import OffBy, learning_of
from apps.memory.models import MemNode
from apps.memory.selectors.nodes import in_tree


def archive_rows(conversation: Conversation) -> QuerySet[MemNode]:
    """Select the archive, if there is one."""
    return in_tree(conversation.owner_id).filter(uri=archive_address(conversation.id).text)


def archive_is_allowed(conversation: Conversation, policy: Policy) -> bool:
    """Whether memories are made from the conversation, or it has an archive from when they were."""
    off_by = learning_of(conversation, policy).off_by
    return off_by is None or (off_by is not OffBy.TEMPORARY and archive_rows(conversation).exists())


def archive_address(conversation_id: UUID) -> Address:
    return memory_address(Category.SESSION, str(conversation_id), "summary")
