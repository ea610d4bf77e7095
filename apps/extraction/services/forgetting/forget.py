"""Requests to forget: the memories that they mean are archived, which can be undone, or the person chooses."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import ContinuityError
from apps.common.ids import is_id
from apps.conversations.models import Message
from apps.conversations.services.messages import messages_make_unretrievable
from apps.engine.extraction.candidate import ForgetCommand
from apps.engine.memory.forgetting import ForgetMatch
from apps.extraction.models import ExtractionCandidate, Outcome
from apps.extraction.services.forgetting.search import Matches
from apps.memory.selectors.nodes import sources_of
from apps.memory.services.tree.archive import subtree_archive

RULE = "forget"
_REASON = "Asked to forget it in a conversation"
_LONGEST_QUOTE = 280


def forget(actor: Actor, matches: Matches) -> list[ExtractionCandidate]:
    """Archive the memory that each request means, or let the person choose; return the rows that say so.

    A message is obeyed once. In a unit of work.
    """
    obeyed = _obeyed([UUID(one.message_id) for one in matches])
    new = {one: meant for one, meant in matches.items() if UUID(one.message_id) not in obeyed}
    return [row for one, meant in new.items() for row in _rows(actor, one, meant)]


def _obeyed(message_ids: Sequence[UUID]) -> set[UUID]:
    rows = ExtractionCandidate.objects.filter(message_id__in=message_ids, rule=RULE)
    return set(rows.values_list("message_id", flat=True))


def _rows(actor: Actor, command: ForgetCommand, meant: Sequence[ForgetMatch]) -> list[ExtractionCandidate]:
    change = _archived(actor, UUID(meant[0].id)) if len(meant) == 1 else None
    outcome = Outcome.FORGOTTEN if change else Outcome.TO_FORGET
    length = len(Message.objects.values_list("content", flat=True).get(pk=command.message_id))
    return [
        ExtractionCandidate(
            message_id=UUID(command.message_id),
            start=0,
            end=min(length, _LONGEST_QUOTE),
            rule=RULE,
            confidence=one.chance,
            outcome=outcome,
            node_id=UUID(one.id),
            change=change,
        )
        for one in meant
    ]


def _archived(actor: Actor, node_id: UUID) -> UUID | None:
    """Archive the memory and let no conversation quote what it is from; return the change, None if it is gone."""
    try:
        change = subtree_archive(actor, node_id=node_id, reason=_REASON)
    except ContinuityError:
        return None
    sources = sources_of([node_id]).get(node_id, ())
    messages_make_unretrievable([UUID(one.reference) for one in sources if is_id(one.reference)])
    return change
