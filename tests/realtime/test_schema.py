"""The frames that the server sends match the schemas from which the page's types are generated."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from apps.events import types
from apps.events.types import ConversationEvent
from apps.realtime import schema
from apps.realtime.frames import ErrorFrame, PongFrame, RevokedFrame, UnsubscribedFrame, WelcomeFrame, frame
from tests.api.description import committed_description
from tests.realtime import recording

ID = UUID(int=7)
OWN_FRAMES = (
    WelcomeFrame(user_id=ID, workspace_id=ID, heartbeat_s=30.0),
    UnsubscribedFrame(conversation_id=ID),
    RevokedFrame(conversation_id=ID, code=4403),
    PongFrame(),
    ErrorFrame(code="not_json", detail="The frame is not valid JSON."),
    ErrorFrame(code="unavailable", conversation_id=ID),
)


@pytest.fixture(scope="module")
def components() -> dict[str, Any]:
    described: dict[str, Any] = committed_description()["components"]
    return described


def check(frame: Any, name: str, components: dict[str, Any]) -> None:
    whole = {"$ref": f"#/components/schemas/{name}", "components": components}
    Draft202012Validator(whole).validate(frame)


def test_every_recorded_frame_is_one_that_the_page_knows(components: dict[str, Any]) -> None:
    for history in recording.read():
        for told in (*history["snapshots"], *history["frames"]):
            kind = f"{told['name']}Event" if told["type"] == "event" else "ServerFrame"
            check(told, kind, components)


@pytest.mark.parametrize("own", OWN_FRAMES, ids=lambda own: str(type(own).__name__))
def test_every_frame_of_the_socket_itself_is_one_that_the_page_knows(own: Any, components: dict[str, Any]) -> None:
    check(json.loads(frame(own)), type(own).__name__, components)


def test_an_event_that_the_sockets_act_upon_is_hidden_from_the_page() -> None:
    names = {event.__name__ for event in schema.client_events()}
    assert {"MessagesStored", "HealthChanged", "MemoryChanged", "ConversationsChanged", "MembersChanged"} <= names
    assert not names & {"AccessRevoked", "Change", "Event", "PersonalEvent", "WorkspaceEvent", "ConversationEvent"}


def test_a_new_event_is_described_as_soon_as_it_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class SomethingNew(ConversationEvent):
        amount: int

    monkeypatch.setattr(types, "SomethingNew", SomethingNew, raising=False)
    frames = schema.frame_schemas()
    assert frames["SomethingNewEvent"]["properties"]["data"]["properties"] == {"amount": {"type": "integer"}}
    assert {"$ref": "#/components/schemas/SomethingNewEvent"} in frames["EventFrame"]["oneOf"]


def test_a_part_that_the_api_does_not_know_stops_the_description(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "_NAME_IN_API", {})
    with pytest.raises(LookupError, match="Health"):
        schema.add_frames({"components": {"schemas": {}}})
