"""Memories that new statements may repeat or replace, or that people ask to forget, before anything is locked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.extraction.candidate import Candidate, Extraction
from apps.engine.memory.relations import share_topic
from apps.engine.reading.labels import ENDING
from apps.extraction.selectors.known_memories import similar_memories, similarity_query, statements_of
from apps.extraction.services.forgetting.search import Matches, forget_matches_of
from apps.llm.reading.installed import read_relations, reader_compares
from apps.memory.selectors.search.query_vectors import with_vectors

_MOST_COMPARED = 4
"""Memories, and statements of the same messages, that each new statement is compared with."""


@dataclass(frozen=True, slots=True)
class Similar:
    """Memories near the new statements, and those that requests to forget may mean.

    `endings` has for a new statement the chance of each earlier one with which it was compared that it no longer holds.
    """

    ids: Sequence[UUID] = ()
    endings: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    to_forget: Matches = field(default_factory=dict)


def similar_to(actor: Actor, found: Extraction, *, by_reader: bool = True) -> Similar:
    """Return the memories near what was found in words and meaning. Call it outside a unit of work.

    `by_reader`: the reader judges which of them the candidates end, as no model did, if it can compare statements.
    """
    statements = list(dict.fromkeys(one.statement for one in found.candidates))
    queries = with_vectors(actor, [similarity_query(one) for one in statements])
    is_judged = bool(statements) and by_reader and reader_compares()
    with workspace(actor.workspace_id, plans="force_generic_plan"):
        hits = similar_memories(actor, queries)
        known = _nearest(statements, hits) if is_judged else {}
    ids = list(dict.fromkeys(one for of_statement in hits for one in of_statement))
    endings = _endings(found.candidates, known) if is_judged else {}
    return Similar(ids, endings, forget_matches_of(actor, found.forgets))


def _nearest(statements: Sequence[str], hits: Sequence[Sequence[UUID]]) -> dict[str, list[str]]:
    """What the memories nearest to each statement say."""
    known = statements_of({one for ids in hits for one in ids})
    return {
        one: [known[hit] for hit in ids if hit in known][:_MOST_COMPARED]
        for one, ids in zip(statements, hits, strict=True)
    }


def _endings(found: Sequence[Candidate], known: Mapping[str, Sequence[str]]) -> dict[str, dict[str, float]]:
    compared = list(_compared(found, known))
    endings: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for (old, new), chances in zip(compared, read_relations(compared), strict=True):
        endings[new][old] = sum(chances[:ENDING])
    return endings


def _compared(found: Sequence[Candidate], known: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Each new statement after those on its topic, which it may end."""
    for place, one in enumerate(found):
        earlier = [*known[one.statement], *_said_before(one, found[:place])]
        others = (old for old in dict.fromkeys(earlier) if old != one.statement)
        yield from ((old, one.statement) for old in others if share_topic(old, one.statement))


def _said_before(one: Candidate, earlier: Sequence[Candidate]) -> Iterator[str]:
    """The newest statements of the same messages about the same."""
    same = [other.statement for other in reversed(earlier) if other.about.casefold() == one.about.casefold()]
    yield from same[:_MOST_COMPARED]
