"""A provider around another one: what it does not change goes through as it is."""

from __future__ import annotations

from collections.abc import Sequence

from apps.llm.providers.base import Embedded, ModelRequest, Provider, StreamingProvider, TokenCount


class WrappingProvider(StreamingProvider):
    """Name and capabilities are the inner one's, and so are vectors and counts; streams are for who wraps to write."""

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
    """The innermost one, which speaks to the provider itself."""
    while isinstance(provider, WrappingProvider):
        provider = provider._inner
    return provider
