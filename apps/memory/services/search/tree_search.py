"""Search in the tree on behalf of an actor, which counts as an access of the memories found."""

from __future__ import annotations

import time
from dataclasses import replace

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.search.long_queries import searched_part
from apps.engine.memory.search.rounds import End
from apps.memory.records.search import HIT_KINDS, SearchQuery, SearchResult
from apps.memory.records.tree_search import CHIT_CHAT, NOT_JUDGED, TreeHit, TreeSearchResult
from apps.memory.selectors.search.find import find_query_check
from apps.memory.selectors.search.query_vectors import queries_read
from apps.memory.selectors.search.relevance import least_chance
from apps.memory.selectors.search.tree_search import DEADLINE_S, TreeSearch, scoped_queries
from apps.memory.services.access_buffer import access_buffer
from apps.memory.services.search.find import with_titles
from apps.memory.services.search.intent import ResolvedIntent, intent_of
from apps.memory.services.search.relevance import can_judge
from apps.memory.services.search.relevant_results import to_last_relevant, with_chances


def memories_search(
    actor: Actor, *, query: SearchQuery, abstains: bool = True, deadline_s: float = DEADLINE_S
) -> TreeSearchResult:
    """Search with intent, and record accesses of the memories in the results.

    Call this outside a unit of work. It has no results for chit-chat and, if it `abstains`, when nothing is relevant;
    what fails on the way is done without, and named. `deadline_s` bounds the search itself, not the model that reads
    the intent.
    """
    query = replace(query, query=searched_part(query.query))
    find_query_check(query)
    found = intent_of(actor, query)
    if found.intent.is_chit_chat:
        return TreeSearchResult((), found.intent, abstained=CHIT_CHAT)
    result = _searched(actor, query, found, time.monotonic() + deadline_s, abstains=abstains)
    if used := [one.hit.id for one in result.hits if one.hit.kind == "memory"]:
        access_buffer.add(actor.workspace_id, used)
    return result


def _searched(
    actor: Actor, query: SearchQuery, found: ResolvedIntent, deadline: float, *, abstains: bool
) -> TreeSearchResult:
    prepared = queries_read(actor, [query, *scoped_queries(query, found.intent)])
    whole, *parts = prepared.embedded()
    with workspace(actor.workspace_id, plans="force_generic_plan"):
        search = TreeSearch(actor, whole, prepared.config)
        first = search.run(parts, deadline)
        hits, degraded = _titled(search.results()), _degraded(found, first, search)
        result = TreeSearchResult(hits, found.intent, "", degraded, search.rounds_done(), search.end)
        near = search.near_kinds(("message",) if can_judge() else HIT_KINDS)
    least = least_chance(query.min_chance, prepared.config)
    judged = with_chances(query.query, result, least)
    has_failed = NOT_JUDGED in judged.degraded and can_judge()
    return to_last_relevant(judged, least, near=near) if abstains and not has_failed else judged


def _titled(results: tuple[TreeHit, ...]) -> tuple[TreeHit, ...]:
    titled = with_titles([one.hit for one in results])
    return tuple(replace(one, hit=hit) for one, hit in zip(results, titled, strict=True))


def _degraded(found: ResolvedIntent, first: SearchResult, search: TreeSearch) -> tuple[str, ...]:
    """Codes of what failed and was done without."""
    late = End.DEADLINE.value if search.end is End.DEADLINE else ""
    return tuple(code for code in (found.degraded, first.reason, late) if code)
