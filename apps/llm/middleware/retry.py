"""Trying again, as long as nobody has seen a word: after the first one a second try would say it twice."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace

from apps.llm.errors import ModelError
from apps.llm.middleware.decorator import WrappingProvider
from apps.llm.providers.base import Embedded, Events, ModelRequest, Provider, TextDelta
from apps.llm.timeouts import ModelTimes


class RetryingProvider(WrappingProvider):
    """Another provider, asked until an attempt succeeds or the time is over. What our rules refuse stays refused."""

    def __init__(self, inner: Provider, times: ModelTimes) -> None:
        super().__init__(inner)
        self._times = times

    async def stream(self, request: ModelRequest) -> Events:
        deadline = _now() + self._times.limit_s(request.purpose, request.timeout_s)
        tries, spoken = 0, False
        while True:
            tries += 1
            try:
                async with aclosing(self._inner.stream(replace(request, timeout_s=deadline - _now()))) as events:
                    async for event in events:
                        spoken = spoken or isinstance(event, TextDelta)
                        yield event
                return
            except ModelError as error:
                wait_s = self._wait_s(error, tries, deadline)
                if spoken or wait_s is None:
                    raise
            await asyncio.sleep(wait_s)

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        deadline = _now() + self._times.total_s
        tries = 0
        while True:
            tries += 1
            try:
                return await self._inner.embed(texts, model)
            except ModelError as error:
                wait_s = self._wait_s(error, tries, deadline)
                if wait_s is None:
                    raise
            await asyncio.sleep(wait_s)

    def _wait_s(self, error: ModelError, tries: int, deadline: float) -> float | None:
        """How long to wait before the next try; None where there is none."""
        wait_s = self._times.wait_s(tries, error.retry_after) if error.at_once else None
        return None if wait_s is None or _now() + wait_s >= deadline else wait_s


def _now() -> float:
    return asyncio.get_running_loop().time()
