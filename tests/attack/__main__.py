"""`python -m tests.attack`: run every attack and print what it achieved as one line of JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from config.stack.throwaway_stack import temporary_stack
from tests.attack import (
    delimiters,
    flooding,
    guessing,
    hidden_text,
    injection,
    jobs,
    kills,
    long_texts,
    parsing,
    secret_kinds,
    shared_chat,
    tenancy,
)
from tests.attack.target import Target
from tests.own_servers import OWN_SERVERS

IDLE_S = 70.0
BACKLOG = 50_000
KILLS_S = 120.0
# No model is called.
SETTINGS = {**OWN_SERVERS, "CONTINUITY_MODEL_PROVIDER": "offline"}


def attack_stack() -> dict[str, Any]:
    """Run all attacks on a stack of its own."""
    with temporary_stack(SETTINGS) as stack:
        print("Starting a stack for this attack.", file=sys.stderr)
        stack.start()
        return attack(Target.of(stack))


def attack(
    target: Target,
    *,
    idle_s: float = IDLE_S,
    backlog: int = BACKLOG,
    length: int = long_texts.LENGTH,
    shapes: int = long_texts.WORST_SHAPES,
    kills_s: float = KILLS_S,
    texts: int = delimiters.TEXTS,
    payloads: Sequence[str] = injection.PAYLOADS,
    shared_s: float = injection.SHARED_ARCHIVED_S,
    kinds: Mapping[str, Sequence[str]] = secret_kinds.EVERY_KIND,
    probes: int = tenancy.MOST_PROBES,
) -> dict[str, Any]:
    """Run all attacks; the idle time comes last, when nothing else is going on."""
    results: dict[str, Any] = {}
    for name, run in (
        ("bracket bomb", parsing.bracket_bomb),
        ("600,000 names", parsing.many_names),
        ("60 readers that do not read", flooding.slow_readers),
        ("forged addresses", guessing.forged_addresses),
        (f"{texts:,} texts that try to leave their quote", lambda _: delimiters.delimiters(texts)),
        (
            f"{len(payloads)} orders by each channel",
            lambda target: injection.injection(target, payloads, shared_s=shared_s),
        ),
        (f"{len(kinds)} kinds of secrets by each way", lambda target: secret_kinds.secret_kinds(target, kinds)),
        ("hidden characters", hidden_text.hidden_text),
        (f"{probes:,} requests of a stranger", lambda target: tenancy.tenancy(target, probes)),
        ("chats that others read", shared_chat.shared_chat_leaks),
        (f"texts of {length:,} characters", lambda target: long_texts.longest_texts(target, length, shapes)),
        (f"a backlog of {backlog:,} messages", lambda target: jobs.person_beside_backlog(target, backlog)),
        (f"workers killed for {kills_s:.0f} s", lambda target: kills.worker_kills(target, kills_s)),
        (f"{idle_s:.0f} s without a request", lambda target: jobs.idle(target, idle_s)),
    ):
        began = time.monotonic()
        results |= run(target)
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return results


if __name__ == "__main__":
    print(json.dumps(attack_stack()))
