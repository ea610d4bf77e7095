"""Retries of failed calls, until the first text is emitted: a later retry would repeat it."""

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
    """Retry another provider until an attempt succeeds or the deadline passes. Refusals by our own rules are final."""

    def __init__(self, inner: Provider, times: ModelTimes) -> None:
        super().__init__(inner)
        self._times = times

    async def stream(self, request: ModelRequest) -> Events:
        deadline = _now() + self._times.limit_s(request.purpose, request.timeout_s)
        attempts, emitted = 0, False
        while True:
            attempts += 1
            try:
                async with aclosing(self._inner.stream(replace(request, timeout_s=deadline - _now()))) as events:
                    async for event in events:
                        emitted = emitted or isinstance(event, TextDelta)
                        yield event
                return
            except ModelError as error:
                wait_s = self._wait_s(error, attempts, deadline)
                if emitted or wait_s is None:
                    raise
            await asyncio.sleep(wait_s)

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        deadline = _now() + self._times.total_s
        attempts = 0
        while True:
            attempts += 1
            try:
                return await self._inner.embed(texts, model)
            except ModelError as error:
                wait_s = self._wait_s(error, attempts, deadline)
                if wait_s is None:
                    raise
            await asyncio.sleep(wait_s)

    def _wait_s(self, error: ModelError, attempts: int, deadline: float) -> float | None:
        """Seconds until the next attempt; None if there is none."""
        wait_s = self._times.wait_s(attempts, error.retry_after) if error.at_once else None
        return None if wait_s is None or _now() + wait_s >= deadline else wait_s


def _now() -> float:
    return asyncio.get_running_loop().time()
