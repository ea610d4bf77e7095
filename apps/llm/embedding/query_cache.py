"""A small cache of query vectors: one turn embeds the same question up to three times, the next the same topics."""

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


class QueryCache:
    """The last query vectors in memory, by digests; threads may share it."""

    def __init__(self) -> None:
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._vectors)

    def present(self, digests: Sequence[bytes]) -> dict[bytes, Vector]:
        with self._lock:
            present = [digest for digest in digests if digest in self._vectors]
            for digest in present:
                self._vectors.move_to_end(digest)
            return {digest: self._vectors[digest] for digest in present}

    def store(self, made: dict[bytes, Vector]) -> None:
        for vector in made.values():
            vector.flags.writeable = False
        with self._lock:
            self._vectors |= made
            while len(self._vectors) > MOST_CACHED:
                self._vectors.popitem(last=False)


class CachedQueries:
    """An embedder whose query vectors are in a cache, by a digest of its name, of who pays for it, and of the text."""

    def __init__(self, embedder: Embedder, cache: QueryCache, *, payer: str = "") -> None:
        self.name, self.dimension, self.is_local = embedder.name, embedder.dimension, embedder.is_local
        self._embedder, self._cache, self._payer = embedder, cache, payer

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return self._embedder.embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        digests = [self._digest(text) for text in texts]
        vectors = self._cache.present(digests)
        missing = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in vectors}
        if missing:
            made = dict(zip(missing, self._embedder.embed_queries(list(missing.values())), strict=True))
            self._cache.store(made)
            vectors |= made
        return [vectors[digest] for digest in digests]

    def _digest(self, text: str) -> bytes:
        whole = "\0".join((self.name, self._payer, text))
        return blake2b(whole.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).digest()
