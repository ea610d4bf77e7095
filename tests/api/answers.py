"""The bytes of a response, complete or streamed."""

from __future__ import annotations

from typing import Any

from asgiref.sync import async_to_sync


def body_of(answer: Any) -> bytes:
    if not answer.streaming:
        whole: bytes = answer.content
        return whole
    return bytes(async_to_sync(_streamed)(answer))


async def _streamed(answer: Any) -> bytes:
    return b"".join([piece async for piece in answer])
