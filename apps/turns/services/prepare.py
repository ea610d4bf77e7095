"""Preparation of a turn before its unit of work: the embeddings, and requests to forget, which are obeyed first."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID, uuid4

from django.conf import settings

from apps.accounts.actors import Actor
from apps.common.tenancy import give_back_connection, workspace
from apps.context.services.embedded_queries import query_embed
from apps.conversations.models import MessageRole
from apps.conversations.records import MessageDraft
from apps.conversations.selectors.access import conversation_lock_for_write
from apps.conversations.services.replies import turn_runs
from apps.engine.reading.forget_words import may_ask_to_forget
from apps.extraction.selectors.state import is_being_read
from apps.turns.records import TurnOptions
from apps.turns.services.messages import messages_store

_MOST_S, _EVERY_S = 3.0, 0.05


def turn_prepare(
    actor: Actor, conversation_id: UUID, draft: MessageDraft, token_budget: int | None
) -> tuple[MessageDraft, TurnOptions]:
    """Return the draft and the options by which its turn begins. Call it outside a unit of work.

    A message that may ask to forget is read first, so that its reply does not quote what it asks to forget.
    """
    said = _read_first(actor, conversation_id, draft) if _may_begin(token_budget) else draft
    return said, TurnOptions(token_budget, query_embed(actor, conversation_id, said))


def retry_prepare(actor: Actor, conversation_id: UUID, token_budget: int | None) -> TurnOptions:
    """Return the options by which a reply is written again. Call it outside a unit of work."""
    return TurnOptions(token_budget, query_embed(actor, conversation_id))


def _may_begin(token_budget: int | None) -> bool:
    """Whether the turn will not be refused: nothing of a refused one is stored."""
    return settings.WRITES_REPLIES and token_budget is None


def _read_first(actor: Actor, conversation_id: UUID, draft: MessageDraft) -> MessageDraft:
    """Store a message that may ask to forget, and wait up to three seconds until it was read."""
    if draft.role != MessageRole.USER or not may_ask_to_forget(draft.content):
        return draft
    named = draft if draft.external_id else replace(draft, external_id=str(uuid4()))
    with workspace(actor.workspace_id):
        conversation = conversation_lock_for_write(actor, conversation_id)
        if turn_runs(conversation):
            return draft
        messages_store(actor, conversation_id=conversation_id, drafts=[named])
    for _ in _waits():
        with workspace(actor.workspace_id):
            if not is_being_read(conversation_id):
                break
    return named


def _waits() -> Iterator[None]:
    until = time.monotonic() + _MOST_S
    while time.monotonic() < until:
        give_back_connection()
        time.sleep(_EVERY_S)
        yield
