"""Every attempt at a call is measured, however it ends: what it took, how long, and how it ended. Never what was said.

A model may be slow; no transaction may be open while somebody waits for one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass

from django.db import connection

from apps.common.tenancy import NoWorkspace, current_scope
from apps.engine.tokens import count_text
from apps.llm.errors import ModelError
from apps.llm.providers.base import (
    Embedded,
    Events,
    Finished,
    ModelRequest,
    Provider,
    Purpose,
    StreamEvent,
    TextDelta,
    Usage,
    UsageSource,
    asked_tokens,
)
from apps.llm.providers.holding import Asked, Guard, Held
from apps.llm.providers.wrapping import WrappingProvider

OK = "ok"
CANCELLED = "cancelled"
FAILED = "failed"


class TransactionOpen(RuntimeError):
    """A model was called inside a unit of work or another transaction: a mistake in the code, never a user's."""


@dataclass(frozen=True, slots=True)
class CallReport:
    """`outcome` is ok, cancelled (nobody waited any more), or the error's code. Without a word no `first_token_ms`.

    `held` is what the call kept of the day, which is settled with the row of this report.
    """

    purpose: Purpose
    provider: str
    model: str
    usage: Usage
    latency_ms: int
    first_token_ms: int | None
    outcome: str
    held: Held | None = None


class Meter:
    """Watches the events of one call."""

    def __init__(self, asked: Asked, held: Held | None) -> None:
        self._asked, self._held = asked, held
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

    def note_vectors(self, vectors: Embedded) -> None:
        self._told = vectors.usage or Usage(UsageSource.ESTIMATED, self._asked.input_tokens, 0)
        self.outcome = OK

    def report(self) -> CallReport:
        return CallReport(
            purpose=self._asked.purpose,
            provider=self._asked.provider,
            model=self._asked.model,
            usage=self._usage(),
            latency_ms=self._elapsed_ms(),
            first_token_ms=self._first_token_ms,
            outcome=self.outcome,
            held=self._held,
        )

    def _usage(self) -> Usage:
        """What was reported stands when the answer came to its end; else the output is guessed from what was said."""
        told = self._told
        if told is not None and self.outcome == OK:
            return told
        said = count_text("x" * self._said)
        if told is None:
            return Usage(UsageSource.ESTIMATED, self._asked.input_tokens if self._said else 0, said)
        return Usage(
            UsageSource.ESTIMATED,
            told.input_tokens,
            max(told.output_tokens, said),
            told.cache_read_tokens,
            told.cache_write_tokens,
        )

    def _elapsed_ms(self) -> int:
        return round((time.monotonic() - self._begin) * 1000)


class MeteredProvider(WrappingProvider):
    """Another provider, with a report of every attempt in `reports`; whoever calls stores them (`usage_record`).

    `guard` is asked before every attempt: what it refuses is no call and has no report. `purpose` is that of vectors,
    for which a request names none.
    """

    def __init__(self, inner: Provider, *, guard: Guard | None = None, purpose: Purpose = Purpose.EXTRACTION) -> None:
        super().__init__(inner)
        self._guard, self._purpose = guard, purpose
        self.reports: list[CallReport] = []

    async def stream(self, request: ModelRequest) -> Events:
        asked = Asked(request.purpose, self.name, request.model, _prompt_tokens(request), request.max_tokens)
        with self._measured(asked, await self._held(asked)) as meter:
            async with aclosing(self._inner.stream(request)) as events:
                async for event in events:
                    meter.note(event)
                    yield event

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        asked = Asked(self._purpose, self.name, model, sum(map(count_text, texts)), 0)
        with self._measured(asked, await self._held(asked)) as meter:
            vectors = await self._inner.embed(texts, model)
            meter.note_vectors(vectors)
            return vectors

    async def _held(self, asked: Asked) -> Held | None:
        require_no_transaction()
        return await self._guard.hold(asked) if self._guard else None

    @contextmanager
    def _measured(self, asked: Asked, held: Held | None) -> Iterator[Meter]:
        meter = Meter(asked, held)
        try:
            yield meter
        except ModelError as error:
            meter.outcome = error.code
            raise
        except Exception:
            meter.outcome = FAILED
            raise
        finally:
            self.reports.append(meter.report())


def _prompt_tokens(request: ModelRequest) -> int:
    """The schema goes along with the prompt."""
    schema = json.dumps(request.answer_schema) if request.answer_schema else ""
    return asked_tokens(request.prompt) + count_text(schema)


def require_no_transaction() -> None:
    """A test's own transaction, which ends with the test, is none."""
    try:
        current_scope()
    except NoWorkspace:
        blocks = getattr(connection, "atomic_blocks", [])
        if not blocks or getattr(blocks[-1], "_from_testcase", False):
            return
    raise TransactionOpen("close the unit of work before calling a model")
