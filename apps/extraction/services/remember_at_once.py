"""Remembering at once what a message marks with a signal, in the transaction that stores the message."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import structlog
from django.db import transaction

from apps.accounts.actors import Actor
from apps.common.ids import uuid7
from apps.conversations.models import Conversation, MessageRole
from apps.conversations.records import MessageRecord
from apps.engine.extraction.candidate import Candidate, Extraction, Refused, Speaker, Utterance
from apps.engine.extraction.signaled_words import has_hint, signaled
from apps.extraction.selectors.known_memories import similar_memories, similarity_query
from apps.extraction.selectors.unread import own_name
from apps.extraction.services.events import memories_announce
from apps.extraction.services.secret_check import secret_check
from apps.extraction.services.store import candidates_store

MOST_MESSAGES = 10
"""Of a request that stores more, signals wait for the next run: it is a recorded conversation."""

_log = structlog.get_logger("continuity.extraction")


def signals_store(actor: Actor, *, conversation: Conversation, stored: Sequence[MessageRecord]) -> None:
    """Store memories that the owner's new messages signal. If it fails, the next run reads them anyway."""
    if actor.user_id != conversation.owner_id or len(stored) > MOST_MESSAGES:
        return
    hinting = [one for one in stored if one.role == MessageRole.USER and has_hint(one.content)]
    found = _signaled(conversation.id, hinting) if hinting else Extraction((), ())
    if not (found.candidates or found.refused):
        return
    try:
        with transaction.atomic():
            similar = similar_memories(actor, [similarity_query(one.statement) for one in found.candidates])
            candidates_store(actor, conversation_id=conversation.id, run_id=uuid7(), found=found, similar=similar)
            memories_announce(conversation)
    except Exception as error:
        # A message must be stored whatever becomes of its memories.
        _log.exception("signals.failed", conversation_id=str(conversation.id), error=type(error).__name__)


def _signaled(conversation_id: UUID, stored: Sequence[MessageRecord]) -> Extraction:
    """The candidates in messages by the owner; elsewhere it is not certain who wrote a message."""
    owner_name = own_name(conversation_id)
    own = [one for one in stored if one.name == owner_name]
    utterances = [Utterance(str(one.id), one.index, Speaker.SELF, one.content, one.name) for one in own]
    checked = [secret_check(candidate) for utterance in utterances for candidate in signaled(utterance)]
    return Extraction(
        tuple(one for one in checked if isinstance(one, Candidate)),
        tuple(one for one in checked if isinstance(one, Refused)),
    )
