"""Every attempt at a call is measured, however it ends: what it took, how long, and how it ended. Never what was said.

A model may be slow; no transaction may be open while somebody waits for one.
"""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import dataclass

from django.db import connection

from apps.common.tenancy import NoWorkspace, current_scope
from apps.engine.tokens import count_text
from apps.llm.errors import ModelError
from apps.llm.providers.base import (
    Events,
    Finished,
    ModelRequest,
    Provider,
    Purpose,
    StreamEvent,
    StreamingProvider,
    TextDelta,
    Usage,
    UsageSource,
    asked_tokens,
)

OK = "ok"
CANCELLED = "cancelled"
FAILED = "failed"


class TransactionOpen(RuntimeError):
    """A model was called inside a unit of work or another transaction: a mistake in the code, never a user's."""


@dataclass(frozen=True, slots=True)
class CallReport:
    """`outcome` is ok, cancelled (nobody waited any more), or the error's code. Without a word no `first_token_ms`."""

    purpose: Purpose
    provider: str
    model: str
    usage: Usage
    latency_ms: int
    first_token_ms: int | None
    outcome: str


class Meter:
    """Watches the events of one call."""

    def __init__(self, provider: str, request: ModelRequest) -> None:
        self._provider, self._request = provider, request
        self._begin = time.monotonic()
        self._first_token_ms: int | None = None
        self._said = 0
        self._told: Usage | None = None
        self.outcome = CANCELLED

    def note(self, event: StreamEvent) -> None:
        match event:
            case TextDelta(text):
                self._said += len(text)
                if self._first_token_ms is None:
                    self._first_token_ms = self._elapsed_ms()
            case Usage():
                self._told = event
            case Finished():
                self.outcome = OK

    def report(self) -> CallReport:
        request = self._request
        return CallReport(
            purpose=request.purpose,
            provider=self._provider,
            model=request.model,
            usage=self._usage(),
            latency_ms=self._elapsed_ms(),
            first_token_ms=self._first_token_ms,
            outcome=self.outcome,
        )

    def _usage(self) -> Usage:
        """What was reported stands when the answer came to its end; else the output is guessed from what was said."""
        told = self._told
        if told is not None and self.outcome == OK:
            return told
        said = count_text("x" * self._said)
        if told is None:
            return Usage(UsageSource.ESTIMATED, asked_tokens(self._request.prompt) if self._said else 0, said)
        return Usage(
            UsageSource.ESTIMATED,
            told.input_tokens,
            max(told.output_tokens, said),
            told.cache_read_tokens,
            told.cache_write_tokens,
        )

    def _elapsed_ms(self) -> int:
        return round((time.monotonic() - self._begin) * 1000)


class MeteredProvider(StreamingProvider):
    """Another provider, with a report of every attempt in `reports`; whoever calls stores them (`usage_record`)."""

    def __init__(self, inner: Provider) -> None:
        self._inner = inner
        self.name = inner.name
        self.reports: list[CallReport] = []

    async def stream(self, request: ModelRequest) -> Events:
        require_no_transaction()
        meter = Meter(self.name, request)
        try:
            async with aclosing(self._inner.stream(request)) as events:
                async for event in events:
                    meter.note(event)
                    yield event
        except ModelError as error:
            meter.outcome = error.code
            raise
        except Exception:
            meter.outcome = FAILED
            raise
        finally:
            self.reports.append(meter.report())

    async def aclose(self) -> None:
        await self._inner.aclose()


def require_no_transaction() -> None:
    """A test's own transaction, which ends with the test, is none."""
    try:
        current_scope()
    except NoWorkspace:
        blocks = getattr(connection, "atomic_blocks", [])
        if not blocks or getattr(blocks[-1], "_from_testcase", False):
            return
    raise TransactionOpen("close the unit of work before calling a model")
