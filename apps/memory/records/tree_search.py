"""Records of a search in the tree: what it asked for, its results, and how it came to them."""

from __future__ import annotations

from dataclasses import dataclass

from apps.engine.memory.search.intent import Intent
from apps.engine.memory.search.rounds import WEIGHTS, End, Round, TreeScore, TreeWeights
from apps.memory.records.search import Hit

CHIT_CHAT, NOTHING_RELEVANT = "chit_chat", "nothing_relevant"
"""Why a search has no results."""
NOT_JUDGED = "relevance_not_judged"
"""Why its results have no chances, as there is no judge."""


@dataclass(frozen=True, slots=True)
class TreeHit:
    """A result. `overview` is a memory's L1, the whole of a short one; with `has_more` its L2 says more."""

    hit: Hit
    score: TreeScore
    overview: str = ""
    has_more: bool = False


@dataclass(frozen=True, slots=True)
class TreeSearchResult:
    """Results, best first. `abstained` says why there are none: chit-chat, or nothing that is relevant.

    `degraded` are codes of what failed and was done without: a model's intent, the query's embedding, the judge of
    relevance, or rounds that the deadline cut. `rounds` are all rounds in order, with the addresses of their
    directories, and `end` is why they ended; both are empty if there were none. `weights` are those of the parts of
    each score.
    """

    hits: tuple[TreeHit, ...]
    intent: Intent
    abstained: str = ""
    degraded: tuple[str, ...] = ()
    rounds: tuple[Round, ...] = ()
    end: End | None = None
    weights: TreeWeights = WEIGHTS
