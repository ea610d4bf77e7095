"""A small cache of query vectors: one turn embeds the same question up to three times."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING

from apps.llm.embedding.base import Embedder

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

MOST_CACHED = 512
_DIGEST_BYTES = 16


class CachedQueries:
    """A local embedder whose last query vectors are in memory, by a digest of the text; threads may share it."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.dimension, self.is_local = embedder.name, embedder.dimension, embedder.is_local
        self._embedder = embedder
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()
        self._lock = Lock()

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return self._embedder.embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        digests = [blake2b(text.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).digest() for text in texts]
        vectors = self._cached(digests)
        missing = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in vectors}
        if missing:
            made = dict(zip(missing, self._embedder.embed_queries(list(missing.values())), strict=True))
            self._store(made)
            vectors |= made
        return [vectors[digest] for digest in digests]

    def _cached(self, digests: Sequence[bytes]) -> dict[bytes, Vector]:
        with self._lock:
            present = [digest for digest in digests if digest in self._vectors]
            for digest in present:
                self._vectors.move_to_end(digest)
            return {digest: self._vectors[digest] for digest in present}

    def _store(self, made: dict[bytes, Vector]) -> None:
        for vector in made.values():
            vector.flags.writeable = False
        with self._lock:
            self._vectors |= made
            while len(self._vectors) > MOST_CACHED:
                self._vectors.popitem(last=False)
