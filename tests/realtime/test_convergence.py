"""Live state equals reload: the snapshot and the events result in the same state as a fetch, on any network."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.events import types
from apps.events.types import Change, ConversationEvent, Event
from tests.realtime.history import EVERY_ACT, Frame, Moment, Talk, Told
from tests.realtime.reducer import View

HISTORIES, MANY_HISTORIES, DELIVERIES, STEPS = 40, 400, 10, 6
BY_THE_SOCKETS = {"HealthChanged"}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    told = Told()
    monkeypatch.setattr("apps.events.publish.publish_frame", told.carry)
    return told


def kinds(of: type[Event]) -> set[str]:
    """Return the names of the concrete event classes."""
    known = [kind for kind in vars(types).values() if isinstance(kind, type) and issubclass(kind, of)]
    return {kind.__name__ for kind in known if not any(kind in other.__bases__ for other in known)}


def health_of(snapshot: Frame) -> Frame:
    """Return the health frame of a snapshot."""
    return {
        "type": "event",
        "name": "HealthChanged",
        "version": snapshot["version"],
        "data": {"health": snapshot["state"]["health"]},
    }


def beat_of(snapshot: Frame) -> Frame:
    return {"type": "version", "version": snapshot["version"]}


def misdelivered(moments: list[Moment], random: Random) -> list[tuple[int, Frame]]:
    """Return frames with their arrival: some lost, some duplicated, some late and out of order."""
    arrivals: list[tuple[float, int, Frame]] = []
    for now, moment in enumerate(moments):
        for frame in [*moment.told, health_of(moment.snapshot)]:
            for _ in range(random.choices((0, 1, 2), weights=(2, 6, 1))[0]):
                late = random.random() * random.choice((0.1, 1, 4))
                arrivals.append((now + late, now, frame))
    arrivals.sort(key=lambda arrival: arrival[0])
    return [(max(sent, int(at)), frame) for at, sent, frame in arrivals]


def watched(first: Frame, moments: list[Moment], random: Random) -> View:
    """Return the view of a client that receives these frames, and refetches when it detects a gap."""
    view = View(first)
    for at, frame in misdelivered(moments, random):
        seen = view.version
        view.apply(frame)
        if view.stale and random.random() < 0.7:
            view.apply(moments[min(at, len(moments) - 1)].snapshot)
        assert view.version >= seen
    view.apply(beat_of(moments[-1].snapshot))
    if view.stale:
        view.apply(moments[-1].snapshot)
    return view


@pytest.mark.slow("it plays many generated histories")
def test_misdelivered_histories_end_as_a_fresh_fetch(alice: Actor, bob: Actor, told: Told, *, thorough: bool) -> None:
    """The run includes every step and every kind of event."""
    talk, done = Talk(alice, bob, told, Random(0)), Counter[str]()
    for seed in range(MANY_HISTORIES if thorough else HISTORIES):
        if seed % 10 == 0:
            talk = Talk(alice, bob, told, Random(seed), done)
        first = talk.snapshot()
        moments = [talk.step() for _ in range(STEPS)]
        for delivery in range(DELIVERIES):
            view = watched(first, moments, Random(seed * 1_000 + delivery))
            assert view.state == moments[-1].snapshot["state"], f"seed {seed}, delivery {delivery}"
    heard = Counter(frame["name"] for frame in told)
    assert kinds(Change) <= kinds(ConversationEvent) - BY_THE_SOCKETS == set(heard), heard
    assert set(+done) == EVERY_ACT, done


@pytest.mark.slow("it plays a long history")
def test_events_that_all_arrive_in_order_need_no_fetch(alice: Actor, bob: Actor, told: Told) -> None:
    talk = Talk(alice, bob, told, Random(7))
    view = View(talk.snapshot())
    for _ in range(60):
        moment = talk.step()
        for frame in [*moment.told, health_of(moment.snapshot)]:
            view.apply(frame)
        assert not view.stale
        assert (view.version, view.state) == (moment.snapshot["version"], moment.snapshot["state"])


@pytest.mark.slow("it plays a long history")
def test_every_change_counts_up_by_one(alice: Actor, bob: Actor, told: Told) -> None:
    talk = Talk(alice, bob, told, Random(11))
    for _ in range(40):
        talk.step()
    versions: list[Any] = [frame["version"] for frame in told.since(0, talk.id) if "version" in frame]
    assert versions == list(range(1, len(versions) + 1))


def test_no_event_contains_message_texts(alice: Actor, bob: Actor, told: Told) -> None:
    talk = Talk(alice, bob, told, Random(3))
    talk.say()
    talk.pin()
    assert told and "Say 0." not in str(told) and "Keep 0." not in str(told)
