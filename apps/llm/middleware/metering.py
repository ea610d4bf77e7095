"""Metering of provider calls: usage, latency and outcome of every attempt, however it ends. Never any content.

No transaction may be open during a call, because a model may be slow.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import chain

from django.db import connection

from apps.common.tenancy import NoWorkspace, current_scope
from apps.engine.pack.context_pack import ContextPack
from apps.engine.tokens.counting import ROLE_TOKENS, count_text
from apps.engine.tokens.estimate import estimate_text
from apps.llm.errors import ModelError
from apps.llm.middleware.decorator import WrappingProvider
from apps.llm.middleware.reservation import CallEstimate, Guard, Reservation, tokens_by_bytes
from apps.llm.providers.base import (
    MAX_TOKENS,
    Embedded,
    Events,
    Finished,
    ModelRequest,
    Provider,
    Purpose,
    Reasoning,
    StreamEvent,
    TextDelta,
    Usage,
    UsageSource,
    requested_tokens,
)

OK = "ok"
CANCELLED = "cancelled"
FAILED = "failed"
# Errors raised before any request was sent.
_NOT_SENT = frozenset({"not_configured", "not_supported", "resting", "ceiling", "no_price", "recall_only", "busy"})
# Errors with which a provider rejects a request before it reads the prompt.
_REJECTED_UNREAD = frozenset({"unauthorized", "rejected", "rate_limited", "overloaded"})
# Tokens of any script rarely have more bytes; an answer with more than this exceeds its token limit.
_MAX_BYTES_PER_TOKEN = 8


Cost = Callable[[str, str, Usage], int | None]
"""Cost of a usage by provider and model, in millionths of a dollar; None if no price is known."""


class TransactionOpen(RuntimeError):
    """A model was called inside a unit of work or another transaction: always a programming error."""


@dataclass(frozen=True, slots=True)
class CallReport:
    """Usage, timing and outcome of one attempt.

    `outcome` is ok, cancelled (the caller stopped waiting), max_tokens (we cut the answer off at its limit), or the
    error's code. `first_token_ms` is None if no text arrived, `cost_micros` if no price is known. `reservation` is what
    the attempt reserved of the day's budget in addition to the unused reservations of earlier attempts; it is settled
    when this report is stored.
    """

    purpose: Purpose
    provider: str
    model: str
    usage: Usage
    latency_ms: int
    first_token_ms: int | None
    outcome: str
    cost_micros: int | None = None
    reservation: Reservation | None = None

    @property
    def tokens(self) -> int:
        """All tokens that the call used, cached or not."""
        usage = self.usage
        return usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_write_tokens

    @property
    def left(self) -> Reservation | None:
        """The unused part of the reservation; negative if the call used more."""
        if self.reservation is None:
            return None
        return Reservation(
            self.reservation.day,
            self.reservation.tokens - self.tokens,
            self.reservation.cost_micros - (self.cost_micros or 0),
        )


class Meter:
    """Builds the report of one call from its events."""

    def __init__(self, estimate: CallEstimate, reservation: Reservation | None, cost: Cost) -> None:
        self._estimate, self._reservation, self._cost = estimate, reservation, cost
        self._started_at = time.monotonic()
        self._first_token_ms: int | None = None
        self._text_chars, self._text_bytes = 0, 0
        self._reported: Usage | None = None
        self._may_be_billed = True
        self.outcome = CANCELLED

    @property
    def too_long(self) -> bool:
        """Whether the answer is certainly longer than its token limit."""
        return self._text_bytes > _MAX_BYTES_PER_TOKEN * self._estimate.output_tokens

    def note(self, event: StreamEvent) -> None:
        match event:
            case TextDelta(text) | Reasoning(text):
                self._text_chars += len(text)
                self._text_bytes += len(text.encode("utf-8", "replace"))
                if self._first_token_ms is None and isinstance(event, TextDelta):
                    self._first_token_ms = self._elapsed_ms()
            case Usage():
                self._reported = event
            case Finished():
                self.outcome = OK

    def note_vectors(self, vectors: Embedded) -> None:
        self._reported = vectors.usage or Usage(UsageSource.ESTIMATED, self._estimate.input_tokens, 0)
        self.outcome = OK

    def note_error(self, error: ModelError) -> None:
        self.outcome, self._may_be_billed = error.code, _prompt_may_be_billed(error)

    def report(self) -> CallReport:
        usage = self._usage()
        return CallReport(
            purpose=self._estimate.purpose,
            provider=self._estimate.provider,
            model=self._estimate.model,
            usage=usage,
            latency_ms=self._elapsed_ms(),
            first_token_ms=self._first_token_ms,
            outcome=self.outcome,
            cost_micros=self._cost(self._estimate.provider, self._estimate.model, usage),
            reservation=self._reservation,
        )

    def _usage(self) -> Usage:
        """The reported usage of a complete answer; otherwise the output is estimated from the text received, and the
        prompt counts unless the provider certainly did not read it."""
        reported = self._reported
        if reported is not None and self.outcome == OK:
            return reported
        output_tokens = count_text("x" * self._text_chars)
        if reported is None:
            return Usage(
                UsageSource.ESTIMATED,
                self._estimate.input_tokens if self._may_be_billed or output_tokens else 0,
                output_tokens,
            )
        return Usage(
            UsageSource.ESTIMATED,
            reported.input_tokens,
            max(reported.output_tokens, output_tokens),
            reported.cache_read_tokens,
            reported.cache_write_tokens,
        )

    def _elapsed_ms(self) -> int:
        return round((time.monotonic() - self._started_at) * 1000)


def _unknown_cost(_provider: str, _model: str, _usage: Usage) -> int | None:
    return None


class MeteredProvider(WrappingProvider):
    """Wrap a provider and collect a report of every attempt in `reports`; the caller stores them (`usage_record`).

    `guard` reserves budget before every attempt; a refused attempt makes no call and has no report.
    """

    def __init__(self, inner: Provider, *, guard: Guard | None = None, cost: Cost = _unknown_cost) -> None:
        super().__init__(inner)
        self._guard, self._cost = guard, cost
        self._running = 0
        self.reports: list[CallReport] = []

    async def stream(self, request: ModelRequest) -> Events:
        async with self._attempt(self._estimate(request)) as meter, aclosing(self._inner.stream(request)) as events:
            async for event in events:
                meter.note(event)
                if meter.too_long:
                    meter.outcome = MAX_TOKENS
                    yield Finished(MAX_TOKENS)
                    return
                yield event

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        estimate = CallEstimate(
            Purpose.EMBEDDING, self.name, model, sum(map(estimate_text, texts)), 0, tokens_by_bytes(texts)
        )
        async with self._attempt(estimate) as meter:
            vectors = await self._inner.embed(texts, model)
            meter.note_vectors(vectors)
            return vectors

    def _estimate(self, request: ModelRequest) -> CallEstimate:
        """The estimate of one call. The answer schema counts as part of the prompt."""
        schema = json.dumps(request.answer_schema) if request.answer_schema else ""
        tokens, by_bytes = _prompt_tokens(request, schema)
        turns = self.capabilities.turns_in_a_form if schema else 1
        return CallEstimate(request.purpose, self.name, request.model, tokens, request.max_tokens, by_bytes, turns)

    @asynccontextmanager
    async def _attempt(self, estimate: CallEstimate) -> AsyncIterator[Meter]:
        require_no_transaction()
        # Unused reservations may be reused only while no other attempt of the same work is running.
        left = [] if self._running else [report.left for report in self.reports if report.left]
        self._running += 1
        try:
            reservation = await self._guard.reserve(estimate, left) if self._guard else None
            with self._measured(estimate, reservation) as meter:
                yield meter
        finally:
            self._running -= 1

    @contextmanager
    def _measured(self, estimate: CallEstimate, reservation: Reservation | None) -> Iterator[Meter]:
        meter = Meter(estimate, reservation, self._cost)
        try:
            yield meter
        except ModelError as error:
            meter.note_error(error)
            raise
        except Exception:
            meter.outcome = FAILED
            raise
        finally:
            self.reports.append(meter.report())


def _prompt_may_be_billed(error: ModelError) -> bool:
    """Whether the provider may have read the prompt, and so bills it although it returned no text."""
    if not error.sent or error.code in _NOT_SENT:
        return False
    status = error.provider_status
    if status is None:
        return error.code not in _REJECTED_UNREAD
    return not (400 <= status < 500 or status == 529)


def _prompt_tokens(request: ModelRequest, schema: str) -> tuple[int, int]:
    """The prompt's tokens by our estimate, and their upper bound by bytes."""
    prompt = request.prompt
    tokens = requested_tokens(prompt) + estimate_text(schema)
    if not isinstance(prompt, ContextPack):
        return tokens, tokens_by_bytes((prompt.system, prompt.text, schema))
    texts = chain.from_iterable(prompt.parts.values())
    apart = ROLE_TOKENS * sum(prompt.roles.values()) + sum(prompt.media.values())
    return tokens, tokens_by_bytes((*texts, schema)) + apart


def require_no_transaction() -> None:
    """Raise `TransactionOpen` inside a unit of work or a transaction. The one that wraps a test case does not count."""
    try:
        current_scope()
    except NoWorkspace:
        blocks = getattr(connection, "atomic_blocks", [])
        if not blocks or getattr(blocks[-1], "_from_testcase", False):
            return
    raise TransactionOpen("close the unit of work before calling a model")
