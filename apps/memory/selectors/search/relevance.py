"""Relevance thresholds by embedding model; `make eval-memory` measures them."""

from __future__ import annotations

from apps.engine.memory.search.relevance import RelevanceThresholds
from apps.llm.embedding.model_ids import MINILM

# Only calibrated models: with any other one a search never finds that nothing is relevant.
_CALIBRATED = {MINILM: RelevanceThresholds(memories=0.175, messages=0.278)}


def relevance_thresholds(model: str) -> RelevanceThresholds | None:
    """The thresholds of a model, or None if it has none."""
    return _CALIBRATED.get(model)
