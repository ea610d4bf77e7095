"""Vectors by a provider that speaks OpenAI's embeddings: guarded, measured and written down like every call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.llm.embedding.model_ids import RemoteName
from apps.llm.errors import ModelError
from apps.llm.providers.base import Embedded
from apps.llm.runtime.shared_event_loop import run_on_shared_loop
from apps.llm.services.registry import provider_of
from apps.llm.services.usage_ledger import usage_record

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

# Of English and code this is within the 8,191 tokens that are common.
LONGEST = 16_000


class RemoteEmbedder:
    """On the account of one workspace. Whoever calls holds no unit open."""

    is_local = False

    def __init__(self, name: str, model: RemoteName, workspace_id: UUID) -> None:
        self.name, self.dimension = name, model.dimension
        self._model, self._workspace_id = model, workspace_id

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        with workspace(self._workspace_id):
            provider, reports = provider_of(self._model.backend, policy_for_workspace())
        asker, asked = (self._workspace_id, self._model.backend), [_asked(text) for text in texts]
        try:
            made = run_on_shared_loop(asker, provider, lambda: provider.embed(asked, self._model.model))
        finally:
            with workspace(self._workspace_id):
                usage_record(reports=reports)
        return self._vectors(made)

    def _vectors(self, made: Embedded) -> list[Vector]:
        import numpy as np  # noqa: PLC0415  # only a process that makes vectors pays for it

        if any(len(vector) != self.dimension for vector in made.vectors):
            raise ModelError("malformed", f"The provider's vectors do not have {self.dimension:,} dimensions.")
        vectors = np.asarray(made.vectors, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return list(vectors / np.where(lengths > 0, lengths, 1))


def _asked(text: str) -> str:
    """Providers refuse a text that is empty."""
    return text[:LONGEST].strip() or "."
