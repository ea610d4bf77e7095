"""The recorded histories, with which the page's reducer is tested, match this server's frames.

To record them again, delete the file and run these tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_origin, get_type_hints

import pytest

from apps.accounts.actors import Actor
from apps.context.selectors.conversation.live_snapshot import LiveState
from apps.events import types
from apps.events.types import ConversationEvent
from tests.realtime import recording
from tests.realtime.history import Frame, Told
from tests.realtime.recording import History
from tests.realtime.reducer import View
from tests.realtime.test_convergence import BY_THE_SOCKETS, kinds

IN_HEAD = {"conversation_id", "version"}


pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def histories(alice: Actor, bob: Actor, monkeypatch: pytest.MonkeyPatch) -> list[History]:
    if not recording.FILE.exists():
        told = Told()
        monkeypatch.setattr("apps.events.publish.publish_frame", told.carry)
        recording.write(recording.record(alice, bob, told, kinds(ConversationEvent) - BY_THE_SOCKETS))
    return recording.read()


def events_in(histories: list[History]) -> list[Frame]:
    return [frame for history in histories for frame in history["frames"] if frame["type"] == "event"]


def test_a_recorded_history_ends_as_a_fresh_fetch_however_it_is_delivered(histories: list[History]) -> None:
    for history in histories:
        for delivery in history["deliveries"]:
            view = View(history["snapshots"][0])
            for frame, snapshot in recording.arrivals(history, delivery):
                view.apply(frame)
                if view.stale and snapshot is not None:
                    view.apply(snapshot)
            assert view.state == history["snapshots"][-1]["state"]


def test_every_event_of_a_conversation_is_recorded(histories: list[History]) -> None:
    assert {frame["name"] for frame in events_in(histories)} == kinds(ConversationEvent)


def test_what_is_recorded_has_the_present_shapes(histories: list[History]) -> None:
    for history in histories:
        for snapshot in history["snapshots"]:
            check_shape(LiveState, snapshot["state"] | dict.fromkeys(IN_HEAD))
    for frame in events_in(histories):
        check_shape(getattr(types, frame["name"]), frame["data"] | dict.fromkeys(IN_HEAD & set(frame)))


def check_shape(kind: Any, value: Any) -> None:
    """Check recursively that `value` has exactly the fields of the dataclass `kind`."""
    hints = get_type_hints(kind)
    assert set(value) == {field.name for field in fields(kind)}, kind.__name__
    for name, part in value.items():
        inner = dataclass_in(hints[name])
        for one in parts_of(part, get_origin(hints[name])):
            if inner is not None and one is not None:
                check_shape(inner, one)


def parts_of(value: Any, origin: Any) -> list[Any]:
    if origin is Mapping:
        return list(value.values())
    return value if isinstance(value, list) else [value]


def dataclass_in(hint: Any) -> Any:
    """Return the dataclass in `A`, `A | None`, `tuple[A, ...]` or `Mapping[str, A]`."""
    candidates = (hint, *getattr(hint, "__args__", ()))
    return next((one for one in candidates if hasattr(one, "__dataclass_fields__")), None)
