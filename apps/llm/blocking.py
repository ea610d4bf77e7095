"""Asking from code that does not run on an event loop: workers and commands."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from apps.llm.providers.base import Provider

T = TypeVar("T")


def run_blocking(provider: Provider, answer: Coroutine[Any, Any, T]) -> T:
    """Wait for the answer on a loop of its own, and leave no connection behind."""

    async def whole() -> T:
        try:
            return await answer
        finally:
            await provider.aclose()

    return asyncio.run(whole())
