"""Mutations of payloads: what a broken, changed or hostile client might send. Seeded, so that a failure repeats."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

_TEXTS = (
    *("", " ", "\x00", "a\x00b", "\ud800", "\udfff\ud800", "x" * 70_000, "語" * 5_000, "<private>", "</private>"),
    *(
        "<system-reminder>",
        "<continuity-memory>",
        "&lt;continuity-memory&gt;",
        "mem://user/../..",
        "'; DROP TABLE x;--",
    ),
    *(
        "{",
        "[" * 500,
        "\u202e\u0000\ufeff",
        "%s%n{}",
        "\r\n\r\n",
        "NaN",
        "Remember that I like \x00 it",
        "ＡＢＣ",
        "🧨" * 300,
    ),
)
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 10**30, -(10**400), 1.5, 1e308, float("inf"), float("nan")),
    *(
        [],
        {},
        [[]],
        [None],
        {"": None},
        {"a": {"b": {"c": [1, "x"]}}},
        ["x"] * 2_000,
        {str(n): n for n in range(1_500)},
    ),
)
_NAMES = (
    "session_id",
    "hook_event_name",
    "prompt",
    "tool_input",
    "tool_response",
    "timestamp",
    "cwd",
    "input",
    "output",
)


def mutated(sample: dict[str, Any], chance: random.Random) -> bytes:
    """Return the body of a request: the sample, changed once or several times, and now and then no JSON at all."""
    body = changed(sample, chance)
    return _broken(body, chance) if chance.random() < 0.15 else body


def changed(sample: dict[str, Any], chance: random.Random) -> bytes:
    """Return the sample as JSON, changed once or several times."""
    payload = copy.deepcopy(sample)
    for _ in range(chance.choice((1, 1, 2, 4))):
        chance.choice(_CHANGES)(payload, chance)
    return json.dumps(payload).encode()


def _replace(payload: dict[str, Any], chance: random.Random) -> None:
    container, key = _place(payload, chance)
    container[key] = copy.deepcopy(chance.choice((chance.choice(_TEXTS), chance.choice(_VALUES))))


def _remove(payload: dict[str, Any], chance: random.Random) -> None:
    container, key = _place(payload, chance)
    del container[key]


def _add(payload: dict[str, Any], chance: random.Random) -> None:
    payload[chance.choice((*_NAMES, chance.choice(_TEXTS)[:300]))] = copy.deepcopy(chance.choice((*_TEXTS, *_VALUES)))


def _nest(payload: dict[str, Any], chance: random.Random) -> None:
    container, key = _place(payload, chance)
    for _ in range(chance.choice((10, 70, 300))):
        container[key] = chance.choice(([container[key]], {"inner": container[key]}))


def _swap(payload: dict[str, Any], chance: random.Random) -> None:
    names = list(payload)
    if len(names) > 1:
        one, other = chance.sample(names, 2)
        payload[one], payload[other] = payload[other], payload[one]


_CHANGES: tuple[Callable[[dict[str, Any], random.Random], None], ...] = (
    _replace,
    _replace,
    _remove,
    _add,
    _nest,
    _swap,
)


def _place(payload: dict[str, Any], chance: random.Random) -> tuple[Any, Any]:
    """A place anywhere in the payload."""
    places: list[tuple[Any, Any]] = [(payload, name) for name in payload]
    for container, key in list(places):
        if isinstance(container[key], dict):
            places += [(container[key], name) for name in container[key]]
    if not places:
        payload["only"] = 1
        return payload, "only"
    return chance.choice(places)


def _broken(body: bytes, chance: random.Random) -> bytes:
    cut = chance.randrange(len(body) + 1)
    return chance.choice(
        (body[:cut], body[cut:], body + b"\x00", b"\xff\xfe" + body, b"[" * 5_000, body.replace(b'"', b"'"), b"", b"7")
    )
