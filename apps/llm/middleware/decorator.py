"""Base class for providers that wrap another provider, and access to the innermost one."""

from __future__ import annotations

from collections.abc import Sequence

from apps.llm.providers.base import Embedded, ModelRequest, Provider, StreamingProvider, TokenCount


class WrappingProvider(StreamingProvider):
    """Delegate everything to the inner provider except `stream`, which subclasses implement."""

    def __init__(self, inner: Provider) -> None:
        self._inner = inner
        self.name = inner.name
        self.capabilities = inner.capabilities

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        return await self._inner.embed(texts, model)

    async def count_tokens(self, request: ModelRequest) -> TokenCount:
        return await self._inner.count_tokens(request)

    async def aclose(self) -> None:
        await self._inner.aclose()


def adapter_of(provider: Provider) -> Provider:
    """Return the innermost provider: the adapter that talks to the service."""
    while isinstance(provider, WrappingProvider):
        provider = provider._inner
    return provider
