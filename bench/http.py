"""Latency of API calls over HTTP, with one client and with eight, compared with bare HTTP and SQL.

The baselines are two bare applications with one SQL read, served by uvicorn (ASGI) and granian (WSGI). All calls take
turns, so that other load affects all of them; the best median of several rounds counts.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from bench._http.calls import Call, connected, many_at_once
from bench._http.servers import floors
from bench._http.workspace import Workspace, filled_workspace
from bench._packs.percentiles import p50, p95, ratio
from config.stack.throwaway_stack import TemporaryStack, temporary_stack

CLIENTS = 8
WARM_UP, ROUNDS, CALLS_PER_ROUND = 20, 4, 40
SECONDS, FIND_SECONDS = 2.0, 6.0
MEASURED = ("me", "find", "context", "append")

Line = dict[str, Any]
Caller = Callable[[int, int], Call]


def measure() -> Iterator[Line]:
    # No model is called.
    with temporary_stack({"CONTINUITY_MODEL_PROVIDER": "offline"}) as stack:
        print("Starting a stack for this measurement.", file=sys.stderr)
        stack.start()
        yield from _measured(stack)


def _measured(stack: TemporaryStack) -> Iterator[Line]:
    workspace = filled_workspace(stack.client, CLIENTS)
    with floors(stack) as bases:
        callers = _callers(workspace, bases)
        rounds = _one_client(callers)
        best = {name: min(p50(times) for times in of_rounds) for name, of_rounds in rounds.items()}
        floor = min(best[name] for name in bases)
        for name, of_rounds in rounds.items():
            everything = [took for times in of_rounds for took in times]
            yield {
                "bench": "http_call",
                "call": name,
                "clients": 1,
                "p50_ms": best[name],
                "p95_ms": p95(everything),
            } | {"ratio": ratio(best[name], floor)}
        per_s = {}
        for name, caller in callers.items():
            line = _many_clients(name, caller)
            per_s[name] = line["per_s"]
            yield line
    found = {f"{name}_p50_ms": best[name] for name in MEASURED}
    floor_per_s = max(per_s[name] for name in bases)
    yield {
        "bench": "http",
        **found,
        "floor_p50_ms": floor,
        "find_per_s_8": per_s["find"],
        "floor_per_s_8": floor_per_s,
    }


def _callers(workspace: Workspace, bases: Mapping[str, str]) -> dict[str, Caller]:
    """Return, by name, a function from client and number to a call."""
    ours = {name: getattr(workspace, name) for name in ("alive", *MEASURED)}
    return ours | {name: partial(_floor, Call.of(name, base, "/")) for name, base in bases.items()}


def _floor(call: Call, client: int, number: int) -> Call:
    return call


def _one_client(callers: Mapping[str, Caller]) -> dict[str, list[list[float]]]:
    """Return the times of each round by name."""
    print("One client.", file=sys.stderr)
    bases = {caller(0, 0).base for caller in callers.values()}
    times: dict[str, list[list[float]]] = {name: [] for name in callers}
    with connected(sorted(bases)) as connections:
        for number in range(WARM_UP + ROUNDS * CALLS_PER_ROUND):
            counted = number - WARM_UP
            for name, caller in callers.items():
                call = caller(0, number)
                took = connections[call.base].took_ms(call)
                if counted >= 0 and counted % CALLS_PER_ROUND == 0:
                    times[name].append([])
                if counted >= 0:
                    times[name][-1].append(took)
    return times


def _many_clients(name: str, caller: Caller) -> Line:
    print(f"{CLIENTS} clients: {name}.", file=sys.stderr)
    seconds = FIND_SECONDS if name == "find" else SECONDS
    times, per_s = many_at_once([partial(caller, client) for client in range(CLIENTS)], seconds)
    result = {"p50_ms": p50(times), "p95_ms": p95(times), "per_s": round(per_s, 1), "samples": len(times)}
    return {"bench": "http_call", "call": name, "clients": CLIENTS, **result}
