"""The check that no text is embedded while a transaction is open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import structlog
from django.conf import settings

from apps.llm.embedding.base import Embedder
from apps.llm.middleware.metering import TransactionOpen, require_no_transaction

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

_log = structlog.get_logger("continuity.llm")


class GuardedEmbedder:
    """A local embedder that is not used inside a unit of work, which would hold a connection and locks meanwhile.

    In development and in tests it raises `TransactionOpen`; in production it answers, and logs the error.
    """

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.name, self.dimension, self.is_local = inner.name, inner.dimension, inner.is_local

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        _check()
        return self._inner.embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        _check()
        return self._inner.embed_queries(texts)


def _check() -> None:
    try:
        require_no_transaction()
    except TransactionOpen:
        if settings.REFUSE_EMBEDDING_IN_TRANSACTIONS:
            raise
        _log.exception("embedding.in_transaction")
