"""Leaving a provider alone that failed several times in a row, so that nobody waits for what will not come.

The circuits are in the memory of each process, for a shared one would put a database or a network between every call
and its provider; there are few processes, and each learns it within a few calls.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from uuid import UUID
from weakref import WeakKeyDictionary

from apps.llm.errors import ModelError
from apps.llm.middleware.decorator import WrappingProvider
from apps.llm.providers.base import Embedded, Events, Finished, ModelRequest, Provider, Purpose, TextDelta

FAILURES_IN_A_ROW = 5
FIRST_REST_S = 30.0
LONGEST_REST_S = 300.0
# Of one provider, those that fail; whoever failed longest ago is forgotten first.
_MOST_CIRCUITS = 1_000
_FAILURES = frozenset({"overloaded", "unavailable", "timeout", "cut", "in_band", "rate_limited"})
# The provider is there and answers, only not to our liking.
_ANSWERS = frozenset({"refused", "unauthorized", "rejected", "malformed", "not_supported"})


@dataclass(slots=True)
class _Circuit:
    """`probing` while one call finds out whether the provider is back."""

    failures: int = 0
    rest_s: float = 0
    until: float = 0
    probing: bool = False


class Breaker:
    """The circuits of this process, by adapter (one for each address and key) and workspace; safe for threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failing: WeakKeyDictionary[Provider, OrderedDict[UUID, _Circuit]] = WeakKeyDictionary()

    def admit(self, adapter: Provider, workspace_id: UUID, *, person: bool) -> bool:
        """Let a call through, or raise `resting`; whether it is the probe.

        After the rest one call at a time finds out. A person who waits may do so before, for the rest spares work in
        the background its errors, and a person can see one; their failure does not make the rest any longer.
        """
        with self._lock:
            circuit = self._found(adapter, workspace_id)
            if circuit is None or circuit.failures < FAILURES_IN_A_ROW:
                return False
            left_s = circuit.until - self._clock()
            if circuit.probing or (left_s > 0 and not person):
                raise ModelError("resting", retry_after=max(left_s, 1.0))
            circuit.probing = True
            return True

    def succeeded(self, adapter: Provider, workspace_id: UUID) -> None:
        with self._lock:
            self._failing.get(adapter, OrderedDict()).pop(workspace_id, None)

    def failed(self, adapter: Provider, workspace_id: UUID, *, wish_s: float | None) -> None:
        """`wish_s` is how long the provider wants to be left alone. What fails during the rest makes it no longer."""
        with self._lock:
            circuit = self._kept(adapter, workspace_id)
            circuit.failures += 1
            now = self._clock()
            if circuit.failures >= FAILURES_IN_A_ROW and circuit.until <= now:
                circuit.rest_s = min(LONGEST_REST_S, max(2 * circuit.rest_s, FIRST_REST_S, wish_s or 0))
                circuit.until = now + circuit.rest_s

    def released(self, adapter: Provider, workspace_id: UUID) -> None:
        """The probe told nothing, or enough for the next one to be let through."""
        with self._lock:
            circuit = self._found(adapter, workspace_id)
            if circuit is not None:
                circuit.probing = False

    def _found(self, adapter: Provider, workspace_id: UUID) -> _Circuit | None:
        circuits = self._failing.get(adapter)
        return circuits.get(workspace_id) if circuits else None

    def _kept(self, adapter: Provider, workspace_id: UUID) -> _Circuit:
        circuits = self._failing.setdefault(adapter, OrderedDict())
        circuit = circuits.setdefault(workspace_id, _Circuit())
        circuits.move_to_end(workspace_id)
        if len(circuits) > _MOST_CIRCUITS:
            circuits.popitem(last=False)
        return circuit


BREAKER = Breaker()


class BreakingProvider(WrappingProvider):
    """Another provider, which is not asked while it rests. `adapter` is what all calls to one address share."""

    def __init__(self, inner: Provider, *, adapter: Provider, workspace_id: UUID, breaker: Breaker = BREAKER) -> None:
        super().__init__(inner)
        self._adapter, self._workspace_id, self._breaker = adapter, workspace_id, breaker

    async def stream(self, request: ModelRequest) -> Events:
        with self._watched(person=request.purpose is Purpose.CHAT) as is_probe:
            begun = False
            async with aclosing(self._inner.stream(request)) as events:
                async for event in events:
                    if is_probe and not begun and isinstance(event, TextDelta):
                        # A long answer must not keep the next probe waiting.
                        self._breaker.released(self._adapter, self._workspace_id)
                        begun = True
                    if isinstance(event, Finished):
                        self._breaker.succeeded(self._adapter, self._workspace_id)
                    yield event

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        with self._watched(person=False):
            vectors = await self._inner.embed(texts, model)
            self._breaker.succeeded(self._adapter, self._workspace_id)
            return vectors

    @contextmanager
    def _watched(self, *, person: bool) -> Iterator[bool]:
        probe = self._breaker.admit(self._adapter, self._workspace_id, person=person)
        try:
            yield probe
        except ModelError as error:
            self._learn(error)
            raise
        finally:
            # Whoever looked away says nothing about the provider, but the next one may find out.
            if probe:
                self._breaker.released(self._adapter, self._workspace_id)

    def _learn(self, error: ModelError) -> None:
        """What our own rules refuse says nothing about the provider."""
        if error.code in _FAILURES:
            self._breaker.failed(self._adapter, self._workspace_id, wish_s=error.retry_after)
        elif error.code in _ANSWERS:
            self._breaker.succeeded(self._adapter, self._workspace_id)
