"""Trying again, as long as nobody has seen a word: after the first one a second try would say it twice."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace

from apps.llm.errors import ModelError
from apps.llm.providers.base import Events, ModelRequest, Provider, StreamingProvider, TextDelta
from apps.llm.times import ModelTimes


class RetryingProvider(StreamingProvider):
    """Another provider, asked until an attempt succeeds or the time is over."""

    def __init__(self, inner: Provider, times: ModelTimes) -> None:
        self._inner, self._times = inner, times
        self.name = inner.name

    async def stream(self, request: ModelRequest) -> Events:
        now = asyncio.get_running_loop().time
        deadline = now() + self._times.limit_s(request.purpose, request.timeout_s)
        tries, spoken = 0, False
        while True:
            tries += 1
            try:
                async with aclosing(self._inner.stream(replace(request, timeout_s=deadline - now()))) as events:
                    async for event in events:
                        spoken = spoken or isinstance(event, TextDelta)
                        yield event
                return
            except ModelError as error:
                wait_s = self._times.wait_s(tries, error.retry_after)
                if spoken or not error.at_once or wait_s is None or now() + wait_s >= deadline:
                    raise
            await asyncio.sleep(wait_s)

    async def aclose(self) -> None:
        await self._inner.aclose()
