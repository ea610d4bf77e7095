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
