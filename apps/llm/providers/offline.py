"""The offline provider: always available, no model, no network. It quotes the context pack and says so."""

from __future__ import annotations

import asyncio

from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.offline_reply import chunks, offline_reply
from apps.engine.tokens.estimate import estimate_text
from apps.llm.errors import ModelError
from apps.llm.providers.base import Events, Finished, ModelRequest, StreamingProvider, TextDelta, Usage, UsageSource

OFFLINE_MODEL = "offline"


class OfflineProvider(StreamingProvider):
    """Answers conversations only; other purposes have their own offline fallback."""

    name = "offline"

    async def stream(self, request: ModelRequest) -> Events:
        if not isinstance(request.prompt, ContextPack) or request.answer_schema is not None:
            raise ModelError("not_configured")
        reply = offline_reply(request.prompt, request.matches, request.notice)
        for piece in chunks(reply):
            yield TextDelta(piece)
            # Yield to the event loop, so that the reply can be stopped.
            await asyncio.sleep(0)
        yield Usage(UsageSource.ESTIMATED, request.prompt.total_tokens, estimate_text(reply))
        yield Finished("end_turn")

    async def aclose(self) -> None:
        """Do nothing: there are no connections."""
