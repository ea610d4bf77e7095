"""The interface of all embedders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

BATCH = 100
"""Texts per embedding batch."""


class Embedder(Protocol):
    """An embedding model. `name` identifies its embedding space; only vectors of the same space are compared."""

    name: str
    dimension: int
    is_local: bool

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """A unit vector for each text, in order; the zero vector for a text without tokens."""

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        """The same for queries, to be compared with the vectors of `embed`."""


class SymmetricEmbedder:
    """An embedder that makes no difference between queries and the texts that they are compared with."""

    def embed_queries(self: Embedder, texts: Sequence[str]) -> list[Vector]:
        return self.embed(texts)
