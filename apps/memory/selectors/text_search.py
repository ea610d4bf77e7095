"""Search of memories, user memory and pins by all of the given words, matched literally."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from operator import and_, or_
from uuid import UUID

from django.db.models import Q

from apps.accounts.actors import Actor
from apps.conversations.records import Snippet
from apps.conversations.selectors.search import snippet_of
from apps.memory.models import NodeType, PinnedMemory, UserMemory
from apps.memory.records.text_search import MemoryMatch, PinMatch, UserMemoryMatch
from apps.memory.selectors.nodes import visible_nodes


def memories_with(actor: Actor, words: Sequence[str], limit: int) -> list[MemoryMatch]:
    """The newest memories in use that contain all of the words in their address or text."""
    rows = visible_nodes(actor).filter(
        _all_in(("uri", "l0_abstract", "l2_content"), words),
        node_type=NodeType.LEAF,
        arrival="accepted",
        archived_at__isnull=True,
    )
    return [
        MemoryMatch(row.id, row.uri, row.category, _snippet((row.l2_content, row.l0_abstract, row.uri), words))
        for row in rows.order_by("-updated_at", "-id")[:limit]
    ]


def user_memory_with(actor: Actor, words: Sequence[str], limit: int) -> list[UserMemoryMatch]:
    """The actor's newest items, active or not, that contain all of the words in their key or text."""
    rows = UserMemory.objects.filter(_all_in(("key", "content"), words), user_id=actor.user_id)
    return [
        UserMemoryMatch(row.id, row.type, row.key, row.is_active, _snippet((row.content, row.key), words))
        for row in rows.order_by("-updated_at", "-id")[:limit]
    ]


def pins_with(titles: Mapping[UUID, str], words: Sequence[str], limit: int) -> list[PinMatch]:
    """The newest pins of these conversations that contain all of the words."""
    rows = PinnedMemory.objects.filter(_all_in(("content",), words), conversation_id__in=list(titles))
    return [
        PinMatch(row.id, row.conversation_id, titles[row.conversation_id], snippet_of(row.content, words[0]))
        for row in rows.order_by("-id")[:limit]
    ]


def _snippet(texts: Sequence[str], words: Sequence[str]) -> Snippet:
    """A snippet of the first text that has one of the words."""
    found = ((text, word) for text in texts for word in words if word.casefold() in text.casefold())
    return snippet_of(*next(found, (texts[0], words[0])))


def _all_in(fields: Collection[str], words: Sequence[str]) -> Q:
    """Whether each word is in one of the fields."""
    return reduce(and_, (reduce(or_, (Q(**{f"{field}__icontains": word}) for field in fields)) for word in words))
