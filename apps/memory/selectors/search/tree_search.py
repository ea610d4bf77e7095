"""Search in the tree: `find` for every sub-query, then rounds that look around the best results."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from apps.accounts.actors import Actor
from apps.engine.memory.addresses import Address
from apps.engine.memory.search.intent import Intent, SubQuery, SubQueryKind
from apps.engine.memory.search.rounds import Candidate, End, Round, Rounds, TreeScore
from apps.engine.memory.tiers import OVERVIEW_TOKENS
from apps.engine.tokens.counting import count_text
from apps.memory.models import MemNode, NodeType
from apps.memory.records.search import Hit, HitKind, QueryVector, SearchQuery, SearchResult, Whose
from apps.memory.records.tree_search import TreeHit
from apps.memory.selectors.nodes import visible_nodes
from apps.memory.selectors.search.find import find
from apps.memory.selectors.search.relevance import is_anything_relevant
from apps.memory.selectors.search.search_config import SearchConfig
from apps.memory.selectors.search.statement import MOST_FOUND

DEADLINE_S = 2.0
_MOST_CHILDREN = 20


@dataclass(slots=True)
class TreeSearch:
    """One search; call it inside a unit of work, with the embeddings in the queries already."""

    actor: Actor
    query: SearchQuery
    config: SearchConfig
    vector: QueryVector | None = None
    hits: dict[str, Hit] = field(default_factory=dict)
    rounds: Rounds = field(init=False)
    end: End | None = None

    def __post_init__(self) -> None:
        self.rounds = Rounds(self.query.top_k)

    def run(self, sub_queries: Sequence[SearchQuery], deadline: float) -> SearchResult:
        """Search for the query and its sub-queries, then around the best; `deadline` is a time of `time.monotonic`.

        Returns what `find` finds for the query.
        """
        found = find(self.actor, replace(self.query, top_k=MOST_FOUND), self.config)
        self.vector = found.vector
        self._add(found.hits)
        for one in sub_queries:
            if time.monotonic() < deadline:
                self._add(find(self.actor, replace(one, top_k=MOST_FOUND), self.config).hits)
        # A conversation is no directory of the tree: its messages were all compared.
        self.rounds.seen.update(str(hit.directory) for hit in self.hits.values() if hit.kind == "message")
        self._look_around(deadline)
        return found

    def _look_around(self, deadline: float) -> None:
        while self.end is None:
            if time.monotonic() >= deadline:
                self.end = End.DEADLINE
                return
            directories = self.rounds.next_directories()
            added = self._add(self._inside(directories)) if directories else 0
            self.rounds.finish_round(directories, added)
            self.end = self.rounds.end

    def _inside(self, directories: Sequence[str]) -> tuple[Hit, ...]:
        """The memories in the directories, and in those directly below them."""
        parents = [UUID(one) for one in directories]
        below = visible_nodes(self.actor).filter(
            parent_id__in=parents, node_type=NodeType.DIRECTORY, archived_at__isnull=True
        )
        inside = (*parents, *below.order_by("uri").values_list("id", flat=True)[:_MOST_CHILDREN])
        query = replace(self.query, directories=inside, corpus="memories", conversation_id=None, top_k=MOST_FOUND)
        return find(self.actor, query, self.config).hits

    def _add(self, hits: Iterable[Hit]) -> int:
        """Add hits as candidates; the better score of a hit found twice counts."""
        candidates = []
        for hit in hits:
            known = self.hits.get(str(hit.id))
            if known is None or hit.score > known.score:
                self.hits[str(hit.id)] = hit
            candidates.append(_candidate(hit))
        return self.rounds.add(candidates)

    def near_kinds(self, kinds: Collection[HitKind]) -> frozenset[HitKind]:
        """Those kinds of which a hit is near enough to the query, as far as the embedding model tells that."""
        return frozenset(kind for kind in kinds if self._has_near(kind))

    def _has_near(self, kind: HitKind) -> bool:
        hits = [hit for hit in self.hits.values() if hit.kind == kind]
        return is_anything_relevant(hits, self.vector, self.config.space, with_messages=kind == "message")

    def rounds_done(self) -> tuple[Round, ...]:
        """All rounds in order, with the addresses of their directories instead of the ids."""
        addresses = {str(hit.directory): _directory(hit) for hit in self.hits.values()}
        return tuple(
            replace(one, directories=tuple(dict.fromkeys(addresses[directory] for directory in one.directories)))
            for one in self.rounds.done
        )

    def results(self) -> tuple[TreeHit, ...]:
        """The best results with their overviews."""
        best = self.rounds.best
        nodes = {row.id: row for row in _overviews([self.hits[one.id].id for one in best])}
        return tuple(_result(self.hits[one.id], one, nodes.get(self.hits[one.id].id)) for one in best)


def scoped_queries(query: SearchQuery, intent: Intent) -> list[SearchQuery]:
    """A query for each sub-query that asks something else than the whole query, in the part of the tree for its kind.

    Filters of the query stay; a part that they exclude is searched as the query says.
    """
    others = [one for one in intent.sub_queries if one.text != query.query]
    return [_scoped(query, one) for one in others]


def _scoped(query: SearchQuery, sub_query: SubQuery) -> SearchQuery:
    same = replace(query, query=sub_query.text, vectors=None)
    if sub_query.kind is SubQueryKind.RESOURCE:
        return same if query.corpus == "memories" or query.of_memories else replace(same, corpus="messages")
    if query.corpus == "messages" or query.owner:
        return same
    owner: Whose = "mine" if sub_query.kind is SubQueryKind.MEMORY else "team"
    return replace(same, corpus="memories", conversation_id=None, owner=owner)


def _candidate(hit: Hit) -> Candidate:
    """A hit as the rounds compare it; its score counts before decay, which is a part of its own."""
    return Candidate(str(hit.id), str(hit.directory or ""), hit.score_without_decay, hit.relevance)


def _directory(hit: Hit) -> str:
    """The address of a memory's directory; empty for other hits."""
    return str(Address.stored(hit.uri).parent or "") if hit.uri else ""


def _overviews(ids: Sequence[UUID]) -> Iterator[MemNode]:
    yield from MemNode.objects.filter(pk__in=ids).only("id", "l0_abstract", "l1_overview", "l2_content")


def _result(hit: Hit, score: TreeScore, row: MemNode | None) -> TreeHit:
    if row is None:
        return TreeHit(hit, score)
    is_short = count_text(row.l2_content) <= OVERVIEW_TOKENS
    overview = row.l1_overview or (row.l2_content if is_short else row.l0_abstract)
    return TreeHit(hit, score, overview, has_more=row.l2_content.strip() not in ("", overview.strip()))
