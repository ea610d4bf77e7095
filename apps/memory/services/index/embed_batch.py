"""Embedding of a batch of passages; a text that the model refuses does not affect the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

import structlog

from apps.engine.memory.ranking_features import earlier_share
from apps.llm.embedding.base import Embedder
from apps.llm.errors import ModelError
from apps.memory.selectors.search.embedding_backlog import Waiting

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

# Errors that may concern a single text; all others concern the model, the key or the account.
_OF_A_TEXT = frozenset({"rejected", "refused"})
_HARMLESS = "tea"
_log = structlog.get_logger("continuity.memory")


def vectors_of(embedder: Embedder, waiting: Sequence[Waiting]) -> dict[UUID, Vector]:
    """Embed each passage with content; the embedding of a short message includes the message that it answers.

    A refused text gets no embedding. Raises `ModelError` if the model embeds none at all.
    """
    texts = list(dict.fromkeys(text for one in waiting for text in (one.text, one.earlier) if text))
    vectors = _embedded(embedder, texts)
    if refused := [one.passage_id for one in waiting if one.text and one.text not in vectors]:
        _log.warning("vectors_refused", model=embedder.name, passages=[str(passage_id) for passage_id in refused])
    return {one.passage_id: _mixed(one, vectors) for one in waiting if one.text in vectors}


def _embedded(embedder: Embedder, texts: Sequence[str]) -> dict[str, Vector]:
    if not texts:
        return {}
    try:
        return dict(zip(texts, embedder.embed(texts), strict=True))
    except ModelError as error:
        if error.code not in _OF_A_TEXT or not _takes_others(embedder):
            raise
    return _by_halves(embedder, texts)


def _by_halves(embedder: Embedder, texts: Sequence[str]) -> dict[str, Vector]:
    """Bisect a batch that contains a refused text, and embed all the others."""
    if len(texts) == 1:
        return {}
    vectors: dict[str, Vector] = {}
    middle = len(texts) // 2
    for half in (texts[:middle], texts[middle:]):
        try:
            vectors |= zip(half, embedder.embed(half), strict=True)
        except ModelError as error:
            if error.code not in _OF_A_TEXT:
                raise
            vectors |= _by_halves(embedder, half)
    return vectors


def _takes_others(embedder: Embedder) -> bool:
    """Return whether the model embeds a harmless text, so that the texts and not the model or account are refused."""
    try:
        embedder.embed([_HARMLESS])
    except ModelError as error:
        if error.code not in _OF_A_TEXT:
            raise
        return False
    return True


def _mixed(one: Waiting, vectors: Mapping[str, Vector]) -> Vector:
    import numpy as np  # noqa: PLC0415  # only processes that embed import it

    own = vectors[one.text]
    # What the model cannot read has not the meaning of what it answers.
    if one.earlier not in vectors or not own.any():
        return own
    mixed = own + np.float32(earlier_share(len(one.text))) * vectors[one.earlier]
    length = float(np.linalg.norm(mixed))
    return (mixed / length if length else mixed).astype(np.float32)
