"""Embeddings from a provider with an OpenAI-compatible API; budgeted, metered and recorded like every call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.llm.embedding.base import SymmetricEmbedder
from apps.llm.embedding.model_ids import RemoteName
from apps.llm.errors import ModelError
from apps.llm.providers.base import Embedded
from apps.llm.runtime.shared_event_loop import run_on_shared_loop
from apps.llm.services.registry import provider_of
from apps.llm.services.usage_ledger import usage_record

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

# For English and code this stays within the common limit of 8,191 tokens.
LONGEST = 16_000


class RemoteEmbedder(SymmetricEmbedder):
    """Embeds on a workspace's account. Call it outside a unit of work."""

    is_local = False

    def __init__(self, name: str, model: RemoteName, workspace_id: UUID) -> None:
        self.name, self.dimension = name, model.dimension
        self._model, self._workspace_id = model, workspace_id

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        with workspace(self._workspace_id):
            provider, reports = provider_of(self._model.backend, policy_for_workspace())
        caller, inputs = (self._workspace_id, self._model.backend), [_input(text) for text in texts]
        try:
            embedded = run_on_shared_loop(caller, provider, lambda: provider.embed(inputs, self._model.model))
        finally:
            with workspace(self._workspace_id):
                usage_record(reports=reports)
        return self._vectors(embedded)

    def _vectors(self, embedded: Embedded) -> list[Vector]:
        import numpy as np  # noqa: PLC0415  # only imported in processes that embed

        if any(len(vector) != self.dimension for vector in embedded.vectors):
            raise ModelError("malformed", f"The provider's embeddings do not have {self.dimension:,} dimensions.")
        vectors = np.asarray(embedded.vectors, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return list(vectors / np.where(lengths > 0, lengths, 1))


def _input(text: str) -> str:
    """Truncate a text, and replace an empty one, which providers reject."""
    return text[:LONGEST].strip() or "."
