"""The memories that a request to forget may mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models.functions import Coalesce

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.extraction.candidate import ForgetCommand
from apps.engine.memory.forgetting import MOST_OFFERED, ForgetMatch, forget_matches
from apps.llm.errors import ModelError
from apps.llm.relevance.installed import relevance_chances
from apps.memory.models import MemNode
from apps.memory.records.search import Hit, SearchQuery
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.query_vectors import queries_read

Matches = Mapping[ForgetCommand, Sequence[ForgetMatch]]


def forget_matches_of(actor: Actor, forgets: Sequence[ForgetCommand]) -> Matches:
    """Return the memories that each request means. Call it outside a unit of work."""
    return {one: forget_matches(_found(actor, one)) for one in forgets}


def _found(actor: Actor, command: ForgetCommand) -> list[ForgetMatch]:
    query = SearchQuery(command.what, top_k=2 * MOST_OFFERED, corpus="memories", owner="mine", with_user_memory=False)
    prepared = queries_read(actor, [query])
    (ready,) = prepared.embedded()
    with workspace(actor.workspace_id):
        found = find(actor, ready, prepared.config).hits
        later = _said_later(command, [hit.id for hit in found])
    return _matches(command, [hit for hit in found if hit.id not in later])


def _said_later(command: ForgetCommand, node_ids: Sequence[UUID]) -> set[UUID]:
    """Those of the memories that were said after the request, whenever they happened."""
    if command.stated_at is None:
        return set()
    said_at = Coalesce("valid_from", "created_at")
    rows = MemNode.objects.filter(pk__in=node_ids).annotate(said_at=said_at).filter(said_at__gt=command.stated_at)
    return set(rows.values_list("id", flat=True))


def meant_chances(command: ForgetCommand, statements: Sequence[str]) -> list[float]:
    """Return of each statement the chance that a request means it; raises `ModelError` without a judge.

    The words for it and the whole request are judged, and the mean counts: the words alone say too little ("mon dos"),
    and the request has others that mean nothing.
    """
    texts = dict.fromkeys((command.what, command.request or command.what))
    judged = [relevance_chances(text, statements) for text in texts]
    return [sum(chances) / len(judged) for chances in zip(*judged, strict=True)]


def _matches(command: ForgetCommand, hits: Sequence[Hit]) -> list[ForgetMatch]:
    """The memories with the chance that they are meant; without a judge those that share words may be."""
    try:
        chances = meant_chances(command, [hit.abstract or hit.snippet for hit in hits])
    except ModelError as error:
        if error.retryable:
            raise
        return [ForgetMatch(str(hit.id), float(hit.shares_words), hit.shares_words, is_judged=False) for hit in hits]
    return [ForgetMatch(str(hit.id), chance, hit.shares_words) for hit, chance in zip(hits, chances, strict=True)]
