"""Decision of a search that nothing is relevant, as it should be for a question that the data does not answer."""

from __future__ import annotations

from dataclasses import replace

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.find import find

RELEVANT = 0.277
"""The least similarity of anything relevant: nine of ten questions with an answer have a passage as near as that."""


def finds_relevant(actor: Actor, query: SearchQuery) -> bool:
    """Whether any passage is similar enough to the query, whatever its rank: decay may rank the nearest one low."""
    with workspace(actor.workspace_id):
        return bool(find(actor, replace(query, top_k=1, threshold=RELEVANT)).hits)
