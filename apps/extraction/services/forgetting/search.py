"""The memories that a request to forget may mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.extraction.candidate import ForgetCommand
from apps.engine.memory.forgetting import MOST_OFFERED, ForgetMatch, forget_matches
from apps.llm.errors import ModelError
from apps.llm.relevance.installed import relevance_chances
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
    hits = [hit for hit in found if command.stated_at is None or hit.occurred_at <= command.stated_at]
    chances = _chances(command.what, hits)
    return [ForgetMatch(str(hit.id), chance, hit.shares_words) for hit, chance in zip(hits, chances, strict=True)]


def _chances(what: str, hits: Sequence[Hit]) -> list[float]:
    """The chance of each memory that it is meant; without a judge those that share words are possible."""
    try:
        return relevance_chances(what, [hit.abstract or hit.snippet for hit in hits])
    except ModelError:
        return [float(hit.shares_words) for hit in hits]
