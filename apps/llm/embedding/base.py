"""The one interface of all that makes vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

BATCH = 100
"""So many texts are embedded at once."""


class Embedder(Protocol):
    """`name` tells vectors of different models apart; only those of one name are ever compared."""

    name: str
    dimension: int
    is_local: bool

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """A vector of length one for each text, in their order; of a text that says nothing it is zero."""
