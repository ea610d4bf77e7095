"""Every attempt at a call is measured, however it ends: what it took, how long, and how it ended. Never what was said.

A model may be slow; no transaction may be open while somebody waits for one.
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
    StreamEvent,
    TextDelta,
    Usage,
    UsageSource,
    requested_tokens,
)

OK = "ok"
CANCELLED = "cancelled"
FAILED = "failed"
# Where nobody was asked: no model, no right to ask one, or no place to ask it in.
_NEVER_ASKED = frozenset({"not_configured", "not_supported", "resting", "ceiling", "no_price", "recall_only", "busy"})
# What a provider says at its door.
_TURNED_AWAY = frozenset({"unauthorized", "rejected", "rate_limited", "overloaded"})
# No token of any script has more, as a rule: an answer with more bytes than that is longer than was asked for.
_BYTES_OF_A_TOKEN = 8


Cost = Callable[[str, str, Usage], int | None]
"""Millionths of a dollar of a provider's and a model's usage; empty where no price is known."""


class TransactionOpen(RuntimeError):
    """A model was called inside a unit of work or another transaction: a mistake in the code, never a user's."""


@dataclass(frozen=True, slots=True)
class CallReport:
    """`outcome` is ok, cancelled (nobody waited any more), max_tokens (we ended it, for it did not end by itself), or
    the error's code. Without a word no `first_token_ms`.

    `cost_micros` is empty where no price is known. `held` is what the call kept of the day, beside what earlier
    attempts of the same work had left; it is settled with the row of this report.
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
        """All that the call took, whatever it cost."""
        usage = self.usage
        return usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_write_tokens

    @property
    def left(self) -> Reservation | None:
        """What the call kept and did not take; less than nothing where it took more."""
        if self.reservation is None:
            return None
        return Reservation(
            self.reservation.day,
            self.reservation.tokens - self.tokens,
            self.reservation.cost_micros - (self.cost_micros or 0),
        )


class Meter:
    """Watches the events of one call."""

    def __init__(self, estimate: CallEstimate, reservation: Reservation | None, cost: Cost) -> None:
        self._estimate, self._reservation, self._cost = estimate, reservation, cost
        self._begin = time.monotonic()
        self._first_token_ms: int | None = None
        self._said, self._said_bytes = 0, 0
        self._told: Usage | None = None
        self._taken = True
        self.outcome = CANCELLED

    @property
    def too_long(self) -> bool:
        """The provider goes on though the answer has all the tokens that it may have."""
        return self._said_bytes > _BYTES_OF_A_TOKEN * self._estimate.output_tokens

    def note(self, event: StreamEvent) -> None:
        match event:
            case TextDelta(text):
                self._said += len(text)
                self._said_bytes += len(text.encode("utf-8", "replace"))
                if self._first_token_ms is None:
                    self._first_token_ms = self._elapsed_ms()
            case Usage():
                self._told = event
            case Finished():
                self.outcome = OK

    def note_vectors(self, vectors: Embedded) -> None:
        self._told = vectors.usage or Usage(UsageSource.ESTIMATED, self._estimate.input_tokens, 0)
        self.outcome = OK

    def note_error(self, error: ModelError) -> None:
        self.outcome, self._taken = error.code, _may_be_taken(error)

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
        """What was reported stands when the answer came to its end; else the output is guessed from what was said, and
        the prompt is billed unless it surely was not taken."""
        told = self._told
        if told is not None and self.outcome == OK:
            return told
        said = count_text("x" * self._said)
        if told is None:
            return Usage(UsageSource.ESTIMATED, self._estimate.input_tokens if self._taken or said else 0, said)
        return Usage(
            UsageSource.ESTIMATED,
            told.input_tokens,
            max(told.output_tokens, said),
            told.cache_read_tokens,
            told.cache_write_tokens,
        )

    def _elapsed_ms(self) -> int:
        return round((time.monotonic() - self._begin) * 1000)


def _unknown_cost(_provider: str, _model: str, _usage: Usage) -> int | None:
    return None


class MeteredProvider(WrappingProvider):
    """Another provider, with a report of every attempt in `reports`; whoever calls stores them (`usage_record`).

    `guard` is asked before every attempt: what it refuses is no call and has no report.
    """

    def __init__(self, inner: Provider, *, guard: Guard | None = None, cost: Cost = _unknown_cost) -> None:
        super().__init__(inner)
        self._guard, self._cost = guard, cost
        self._under_way = 0
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
            Purpose.EMBEDDING, self.name, model, sum(map(count_text, texts)), 0, tokens_by_bytes(texts)
        )
        async with self._attempt(estimate) as meter:
            vectors = await self._inner.embed(texts, model)
            meter.note_vectors(vectors)
            return vectors

    def _estimate(self, request: ModelRequest) -> CallEstimate:
        """The schema goes along with the prompt."""
        schema = json.dumps(request.answer_schema) if request.answer_schema else ""
        tokens, by_bytes = _prompt_tokens(request, schema)
        turns = self.capabilities.turns_in_a_form if schema else 1
        return CallEstimate(request.purpose, self.name, request.model, tokens, request.max_tokens, by_bytes, turns)

    @asynccontextmanager
    async def _attempt(self, estimate: CallEstimate) -> AsyncIterator[Meter]:
        require_no_transaction()
        # What is left over is nobody's only while no other attempt of the work goes on with it.
        left = [] if self._under_way else [report.left for report in self.reports if report.left]
        self._under_way += 1
        try:
            reservation = await self._guard.reserve(estimate, left) if self._guard else None
            with self._measured(estimate, reservation) as meter:
                yield meter
        finally:
            self._under_way -= 1

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


def _may_be_taken(error: ModelError) -> bool:
    """Whether the provider may have read the prompt, which it bills then, though it said nothing."""
    if not error.sent or error.code in _NEVER_ASKED:
        return False
    status = error.provider_status
    if status is None:
        return error.code not in _TURNED_AWAY
    return not (400 <= status < 500 or status == 529)


def _prompt_tokens(request: ModelRequest, schema: str) -> tuple[int, int]:
    """By our own estimate, and by the bytes."""
    prompt = request.prompt
    tokens = requested_tokens(prompt) + count_text(schema)
    if not isinstance(prompt, ContextPack):
        return tokens, tokens_by_bytes((prompt.system, prompt.text, schema))
    texts = chain.from_iterable(prompt.parts.values())
    return tokens, tokens_by_bytes((*texts, schema)) + ROLE_TOKENS * sum(prompt.roles.values())


def require_no_transaction() -> None:
    """A test's own transaction, which ends with the test, is none."""
    try:
        current_scope()
    except NoWorkspace:
        blocks = getattr(connection, "atomic_blocks", [])
        if not blocks or getattr(blocks[-1], "_from_testcase", False):
            return
    raise TransactionOpen("close the unit of work before calling a model")
