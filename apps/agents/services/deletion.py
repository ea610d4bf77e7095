"""Permanent deletion of a message of an agent's session, with its words in observations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.agents.models import Observation, ObservationKind
from apps.agents.services.messages import exchange_key
from apps.compaction.selectors.session_archives import archive_rows
from apps.conversations.models import Conversation, Message
from apps.engine.extraction.sessions.overview import lines_with_words_of, without_lines
from apps.memory.selectors.tree_locks import tree_lock
from apps.memory.services.derived_history import derived_leaf_rewrite, imported_texts
from apps.turns.services.delete import message_delete as _message_delete

_SUMMARIES = (ObservationKind.COMPACTION, ObservationKind.SUMMARY, ObservationKind.SUBAGENT)


def message_delete(actor: Actor, *, conversation_id: UUID, message_id: UUID) -> None:
    """Delete the text of a message, and what other apps hold of it.

    The observation of a tool is deleted with its messages. Lines with words of the message are removed from the
    summaries of the session and the reports of subagents, which name no sources, and from an archive that was compiled
    from imported summaries.
    """
    rows = Message.objects.filter(conversation_id=conversation_id, pk=message_id)
    texts = [text for content, parts in rows.values_list("content", "parts") for text in (content, *_texts_in(parts))]
    _message_delete(actor, conversation_id=conversation_id, message_id=message_id)
    external_id = rows.values_list("external_id", flat=True).get()
    observations = Observation.objects.filter(session__conversation_id=conversation_id)
    if key := exchange_key(external_id or ""):
        observations.filter(event_key=key).delete()
    for row in observations.filter(kind__in=_SUMMARIES).select_for_update(of=("self",)).order_by("id"):
        _words_erase(row, lines_with_words_of(texts, [row.title, row.digest, *_texts_in(row.details)]))
    _archive_words_erase(Conversation.objects.get(pk=conversation_id), texts)


def _archive_words_erase(conversation: Conversation, texts: Iterable[str]) -> None:
    """Remove the lines with words of a deleted message that imports wrote, from the archive and from its history.

    The caller has locked the conversation. What a person wrote into the archive stays.
    """
    if not archive_rows(conversation).exists():
        return
    tree_lock(conversation.owner_id)
    for row in archive_rows(conversation).select_for_update(of=("self",), no_key=True):
        lines = lines_with_words_of(texts, imported_texts(row.id))
        derived_leaf_rewrite(row, partial(without_lines, removed=lines))


def _words_erase(row: Observation, lines: Collection[str]) -> None:
    if not lines:
        return
    row.title = without_lines(row.title, lines) or ObservationKind(row.kind).label
    row.digest = without_lines(row.digest, lines)
    row.details = _without(row.details, lines)
    row.save(update_fields=["title", "digest", "details"])


def _texts_in(value: Any) -> Iterator[str]:
    """All texts in JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(inner)


def _without(value: Any, lines: Collection[str]) -> Any:
    """JSON without the lines, and without the objects in lists whose text has one of them."""
    if isinstance(value, str):
        return without_lines(value, lines)
    if isinstance(value, dict):
        return {name: _without(inner, lines) for name, inner in value.items()}
    if isinstance(value, list):
        return [_without(inner, lines) for inner in value if not _has_one_of(inner, lines)]
    return value


def _has_one_of(value: Any, lines: Collection[str]) -> bool:
    return any(line in lines for text in _texts_in(value) for line in text.splitlines())
