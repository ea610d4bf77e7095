"""Which vectors are near each other: spherical k-means, the same for the same vectors each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    Rows = NDArray[np.intp]

_ROUNDS = 8
_BLOCK = 2_000_000
"""So many products are in memory at once."""
_LARGEST = 4
"""A cluster of more than so many times the wanted size is cut, however near its vectors are."""


def clustered(vectors: Vectors, size: int) -> list[Rows]:
    """Groups of about `size` rows of `vectors`, which are (rows, dimension) and of length one.

    Each group is the numbers of its rows, ascending; every row is in exactly one, and none is empty.
    """
    import numpy as np  # noqa: PLC0415  # only a process that makes vectors pays for it

    count = -(-len(vectors) // size)
    if count <= 1:
        return [np.arange(len(vectors))] if len(vectors) else []
    centroids = vectors[np.linspace(0, len(vectors) - 1, count).astype(np.intp)]
    for _ in range(_ROUNDS):
        centroids = _moved(vectors, _nearest(vectors, centroids), centroids)
    return [part for group in _groups(_nearest(vectors, centroids)) for part in _cut(group, size)]


def _nearest(vectors: Vectors, centroids: Vectors) -> Rows:
    """Of each row the number of the centroid with the largest inner product, the first of several: (rows,)."""
    import numpy as np  # noqa: PLC0415  # as above

    step = max(1, _BLOCK // len(centroids))
    blocks = [(vectors[begin : begin + step] @ centroids.T).argmax(axis=1) for begin in range(0, len(vectors), step)]
    return np.concatenate(blocks)


def _moved(vectors: Vectors, labels: Rows, centroids: Vectors) -> Vectors:
    """Each centroid in the middle of its rows, of length one; one without rows, or with no middle, stays."""
    import numpy as np  # noqa: PLC0415  # as above

    moved = centroids.copy()
    for group in _groups(labels):
        middle = vectors[group].sum(axis=0)
        length = np.linalg.norm(middle)
        if length:
            moved[labels[group[0]]] = middle / length
    return moved


def _groups(labels: Rows) -> list[Rows]:
    """The numbers of the rows of each label that there is, by label."""
    import numpy as np  # noqa: PLC0415  # as above

    order = np.argsort(labels, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)


def _cut(group: Rows, size: int) -> list[Rows]:
    """In equal parts, where it is far too large: one that is bound to be, as of a thousand times the same."""
    import numpy as np  # noqa: PLC0415  # as above

    return np.array_split(group, -(-len(group) // size)) if len(group) > _LARGEST * size else [group]
