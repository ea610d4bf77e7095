"""Recorded histories, so that the page's reducer is tested with frames of the real server.

`{"snapshots": [...], "frames": [...], "deliveries": [[[frame, snapshot], ...], ...]}`: the first snapshot is what a
client begins with, the last the final state. A delivery lists the frames in the order of their arrival, each with the
snapshot that a stale client fetches at that time; null is a client that waits.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, TypedDict

from apps.accounts.actors import Actor
from tests.realtime.history import Frame, Moment, Talk, Told
from tests.realtime.test_convergence import beat_of, misdelivered

FILE = Path(__file__).parents[2] / "frontend" / "src" / "events" / "fixtures" / "histories.json"
STEPS, DELIVERIES, MOST = 8, 6, 100

Delivery = list[tuple[int, int | None]]


class History(TypedDict):
    snapshots: list[Frame]
    frames: list[Frame]
    deliveries: list[Delivery]


def record(actor: Actor, guest: Actor, told: Told, names: set[str]) -> list[History]:
    """Record as few histories as necessary for all events in `names`."""
    kept: list[History] = []
    missing = set(names)
    for seed in range(MOST):
        talk = Talk(actor, guest, told, Random(seed))
        first = talk.snapshot()
        moments = [talk.step() for _ in range(STEPS)]
        found = {frame["name"] for moment in moments for frame in moment.told}
        if found & missing:
            missing -= found
            kept.append(_history(first, moments, Random(seed)))
        if not missing:
            break
    return kept


def read() -> list[History]:
    histories: list[History] = json.loads(FILE.read_text(encoding="utf-8"))
    return histories


def write(histories: list[History]) -> None:
    """Write one history per line."""
    lines = ",\n".join(json.dumps(history, separators=(",", ":")) for history in histories)
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def arrivals(history: History, delivery: Delivery) -> Iterator[tuple[Frame, Frame | None]]:
    for frame, snapshot in delivery:
        yield history["frames"][frame], None if snapshot is None else history["snapshots"][snapshot]


def _history(first: Frame, moments: list[Moment], random: Random) -> History:
    history = History(snapshots=[first, *(moment.snapshot for moment in moments)], frames=[], deliveries=[])
    history["deliveries"] = [_delivery(history, moments, random) for _ in range(DELIVERIES)]
    return history


def _delivery(history: History, moments: list[Moment], random: Random) -> Delivery:
    last = len(moments)
    delivery: Delivery = [
        (_place(history["frames"], _addressed(frame, moments)), min(at + 1, last) if random.random() < 0.7 else None)
        for at, frame in misdelivered(moments, random)
    ]
    beat = _addressed(beat_of(moments[-1].snapshot), moments)
    return [*delivery, (_place(history["frames"], beat), last)]


def _place(frames: list[Frame], frame: Frame) -> int:
    if frame not in frames:
        frames.append(frame)
    return frames.index(frame)


def _addressed(frame: Frame, moments: list[Moment]) -> dict[str, Any]:
    return {"conversation_id": moments[0].snapshot["conversation_id"], **frame}
