"""Circuit breaker: stop calling a provider that failed several times in a row.

Circuits live in the memory of each process. A shared circuit would add a database or network round trip to every call;
there are few processes, and each one opens its own circuit within a few calls.
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
# Per adapter; the circuit with the oldest failure is evicted first.
_CIRCUIT_LIMIT = 1_000
_FAILURES = frozenset({"overloaded", "unavailable", "timeout", "cut", "in_band", "rate_limited"})
# The provider is reachable: it answered, though not with a usable result.
_ANSWERS = frozenset({"refused", "unauthorized", "rejected", "malformed", "not_supported"})


@dataclass(slots=True)
class _Circuit:
    """Failures of one adapter and workspace. `probing` while one call tests whether the provider has recovered."""

    failures: int = 0
    rest_s: float = 0
    until: float = 0
    probing: bool = False


class Breaker:
    """The circuits of this process, by adapter (one per address and key) and workspace. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failing: WeakKeyDictionary[Provider, OrderedDict[UUID, _Circuit]] = WeakKeyDictionary()

    def admit(self, adapter: Provider, workspace_id: UUID, *, person: bool) -> bool:
        """Admit a call and return whether it is the probe; raise `ModelError` (`resting`) while the circuit is open.

        After the rest, one call at a time probes the provider. A call that a person waits for may probe earlier: the
        rest exists to spare background work errors, whereas a person can see one. A failed early probe does not extend
        the rest.
        """
        with self._lock:
            circuit = self._get(adapter, workspace_id)
            if circuit is None or circuit.failures < FAILURES_IN_A_ROW:
                return False
            left_s = circuit.until - self._clock()
            if circuit.probing or (left_s > 0 and not person):
                raise ModelError("resting", retry_after=max(left_s, 1.0))
            circuit.probing = True
            return True

    def succeeded(self, adapter: Provider, workspace_id: UUID) -> None:
        """Close the circuit."""
        with self._lock:
            self._failing.get(adapter, OrderedDict()).pop(workspace_id, None)

    def failed(self, adapter: Provider, workspace_id: UUID, *, retry_after_s: float | None) -> None:
        """Count a failure and open the circuit after `FAILURES_IN_A_ROW`. A failure during a rest does not extend it.

        `retry_after_s` is the provider's Retry-After, in seconds.
        """
        with self._lock:
            circuit = self._get_or_create(adapter, workspace_id)
            circuit.failures += 1
            now = self._clock()
            if circuit.failures >= FAILURES_IN_A_ROW and circuit.until <= now:
                circuit.rest_s = min(LONGEST_REST_S, max(2 * circuit.rest_s, FIRST_REST_S, retry_after_s or 0))
                circuit.until = now + circuit.rest_s

    def released(self, adapter: Provider, workspace_id: UUID) -> None:
        """End the probe, so that the next call may probe."""
        with self._lock:
            circuit = self._get(adapter, workspace_id)
            if circuit is not None:
                circuit.probing = False

    def _get(self, adapter: Provider, workspace_id: UUID) -> _Circuit | None:
        circuits = self._failing.get(adapter)
        return circuits.get(workspace_id) if circuits else None

    def _get_or_create(self, adapter: Provider, workspace_id: UUID) -> _Circuit:
        circuits = self._failing.setdefault(adapter, OrderedDict())
        circuit = circuits.setdefault(workspace_id, _Circuit())
        circuits.move_to_end(workspace_id)
        if len(circuits) > _CIRCUIT_LIMIT:
            circuits.popitem(last=False)
        return circuit


BREAKER = Breaker()


class BreakingProvider(WrappingProvider):
    """Guard another provider with a circuit breaker. All calls to one address and key share an `adapter`."""

    def __init__(self, inner: Provider, *, adapter: Provider, workspace_id: UUID, breaker: Breaker = BREAKER) -> None:
        super().__init__(inner)
        self._adapter, self._workspace_id, self._breaker = adapter, workspace_id, breaker

    async def stream(self, request: ModelRequest) -> Events:
        with self._admitted(person=request.purpose is Purpose.CHAT) as is_probe:
            started = False
            async with aclosing(self._inner.stream(request)) as events:
                async for event in events:
                    if is_probe and not started and isinstance(event, TextDelta):
                        # A long answer must not block the next probe.
                        self._breaker.released(self._adapter, self._workspace_id)
                        started = True
                    if isinstance(event, Finished):
                        self._breaker.succeeded(self._adapter, self._workspace_id)
                    yield event

    async def embed(self, texts: Sequence[str], model: str) -> Embedded:
        with self._admitted(person=False):
            embedded = await self._inner.embed(texts, model)
            self._breaker.succeeded(self._adapter, self._workspace_id)
            return embedded

    @contextmanager
    def _admitted(self, *, person: bool) -> Iterator[bool]:
        probe = self._breaker.admit(self._adapter, self._workspace_id, person=person)
        try:
            yield probe
        except ModelError as error:
            self._record(error)
            raise
        finally:
            # A canceled probe is no verdict on the provider, but the next call must be able to probe.
            if probe:
                self._breaker.released(self._adapter, self._workspace_id)

    def _record(self, error: ModelError) -> None:
        """Count the error as a failure or a success. Errors from our own rules count as neither."""
        if error.code in _FAILURES:
            self._breaker.failed(self._adapter, self._workspace_id, retry_after_s=error.retry_after)
        elif error.code in _ANSWERS:
            self._breaker.succeeded(self._adapter, self._workspace_id)
