"""Trying again, as long as nobody has seen a word: after the first one a second try would say it twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing

from apps.llm.errors import ModelError
from apps.llm.providers.base import Events, TextDelta
from apps.llm.times import ModelTimes


async def retried(attempt: Callable[[], Events], times: ModelTimes, deadline: float) -> Events:
    """The events of the first attempt that succeeds; `deadline` is a time of the running loop."""
    tries, spoken = 0, False
    while True:
        tries += 1
        try:
            async with aclosing(attempt()) as events:
                async for event in events:
                    spoken = spoken or isinstance(event, TextDelta)
                    yield event
            return
        except ModelError as error:
            wait_s = times.wait_s(tries, error.retry_after)
            late = asyncio.get_running_loop().time() + (wait_s or 0) >= deadline
            if spoken or not error.at_once or wait_s is None or late:
                raise
        await asyncio.sleep(wait_s)
