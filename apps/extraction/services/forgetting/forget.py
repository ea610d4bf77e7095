"""Requests to forget: the memory that is meant is archived, which can be undone, or the person chooses."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q

from apps.accounts.actors import Actor
from apps.common.errors import ContinuityError
from apps.conversations.models import Message
from apps.engine.extraction.candidate import ForgetCommand
from apps.engine.memory.forgetting import SURE_COMMAND, ForgetMatch
from apps.extraction.models import ExtractionCandidate, Outcome
from apps.extraction.services.forgetting.search import Matches
from apps.memory.services.tree.archive import subtree_archive

RULE = "forget"
_REASON = "Asked to forget it in a conversation"
_LONGEST_QUOTE = 280


def forget(actor: Actor, matches: Matches) -> list[ExtractionCandidate]:
    """Archive the memory that each request means, or let the person choose; return the rows that say so.

    A message is obeyed once, and a copy of it not at all. In a unit of work.
    """
    obeyed = _obeyed([UUID(one.message_id) for one in matches])
    new = {one: meant for one, meant in matches.items() if UUID(one.message_id) not in obeyed}
    return [row for one, meant in new.items() for row in _rows(actor, one, meant)]


def _obeyed(message_ids: Sequence[UUID]) -> set[UUID]:
    by_row = ExtractionCandidate.objects.filter(message_id__in=message_ids, rule=RULE)
    done = Message.objects.filter(
        Q(pk__in=by_row.values("message_id")) | Q(pk__in=message_ids, copied_from__isnull=False)
    )
    return set(done.values_list("id", flat=True))


def _rows(actor: Actor, command: ForgetCommand, meant: Sequence[ForgetMatch]) -> list[ExtractionCandidate]:
    """A row for each memory that is meant; one without a memory if none is, so that no later run obeys the message."""
    is_sure = len(meant) == 1 and meant[0].is_likely and command.chance >= SURE_COMMAND
    change = _archived(actor, UUID(meant[0].id)) if is_sure else None
    if is_sure and change is None:
        meant = ()
    length = len(Message.objects.values_list("content", flat=True).get(pk=command.message_id))
    nodes: list[UUID | None] = [UUID(one.id) for one in meant]
    return [
        ExtractionCandidate(
            message_id=UUID(command.message_id),
            start=0,
            end=min(length, _LONGEST_QUOTE),
            rule=RULE,
            confidence=command.chance,
            outcome=Outcome.FORGOTTEN if change else Outcome.TO_FORGET,
            node_id=node_id,
            change=change,
        )
        for node_id in nodes or [None]
    ]


def _archived(actor: Actor, node_id: UUID) -> UUID | None:
    """Archive the memory; return the change, None if it is gone."""
    try:
        return subtree_archive(actor, node_id=node_id, reason=_REASON)
    except ContinuityError:
        return None
