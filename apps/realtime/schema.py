"""JSON Schemas of all frames on the socket, made from their dataclasses and added to the API's description.

`make types` gives the page a TypeScript type of each, and unions of them: `EventFrame`, `ServerFrame`, `ClientFrame`.
The parts of a conversation's state have the shapes that they have in the REST API; none is described twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from typing import Any, get_args

from pydantic import TypeAdapter

from apps.context.selectors.conversation.live_snapshot import LiveState
from apps.engine.compaction.health import Health
from apps.events import types
from apps.events.envelopes import HEAD, HIDDEN, VersionFrame
from apps.events.types import AccessRevoked, Event
from apps.realtime.frames import OwnFrame, SnapshotFrame
from apps.realtime.protocol import ClientFrame

Schema = dict[str, Any]

# The server's sockets act upon these themselves.
INTERNAL = frozenset({AccessRevoked})
# Parts whose shape in the API has another name.
_NAME_IN_API = {Health.__name__: "ConversationHealth"}
_REF = "#/components/schemas/"


def add_frames(result: Schema, **_: Any) -> Schema:
    """The hook of drf-spectacular. Raises `LookupError` where a part of a frame has no shape in the API."""
    schemas = result["components"]["schemas"]
    frames = frame_schemas()
    if missing := set(_references(frames)) - {*schemas, *frames}:
        raise LookupError(f"Parts of frames without a shape in the API: {', '.join(sorted(missing))}")
    schemas.update(frames)
    return result


def frame_schemas() -> dict[str, Schema]:
    """Every frame by the name of its schema, and the three unions."""
    events = {f"{event.__name__}Event": _event_schema(event) for event in client_events()}
    own = {kind.__name__: _frame_schema(kind) for kind in (*get_args(OwnFrame), VersionFrame)}
    own[SnapshotFrame.__name__]["properties"]["state"] = {"$ref": f"{_REF}LiveState"}
    clients = {kind.__name__: _frame_schema(kind) for kind in get_args(ClientFrame)}
    return {
        **events,
        **own,
        **clients,
        "LiveState": _object_schema(LiveState.__doc__, _without(_properties(LiveState), HEAD)),
        "EventFrame": _union(events),
        "ServerFrame": _union((*own, "EventFrame")),
        "ClientFrame": _union(clients),
    }


def client_events() -> list[type[Event]]:
    """The events that sockets send: the classes in `apps/events/types.py` that no other one there is based on."""
    found = [kind for kind in vars(types).values() if isinstance(kind, type) and issubclass(kind, Event)]
    shared = {base for kind in found for base in kind.__bases__}
    return sorted(set(found) - shared - INTERNAL, key=lambda event: event.__name__)


def _event_schema(event: type[Event]) -> Schema:
    """As `event_frame` writes it."""
    properties = _properties(event)
    head = {name: properties[name] for name in HEAD if name in properties}
    data = _object_schema("", _without(properties, HEAD + HIDDEN))
    named = {"type": {"const": "event"}, "name": {"const": event.__name__}}
    return _object_schema(event.__doc__, {**named, **head, "data": data})


def _frame_schema(kind: type[Any]) -> Schema:
    """As `frame_fields` writes it: what may be None may be absent instead."""
    properties = _properties(kind)
    optional = {
        name: part["anyOf"][0] for name, part in properties.items() if {"type": "null"} in part.get("anyOf", ())
    }
    schema = _object_schema(kind.__doc__, {**properties, **optional})
    return {**schema, "required": [name for name in properties if name not in optional]}


def _properties(kind: type[Any]) -> dict[str, Schema]:
    schema = TypeAdapter(kind).json_schema(mode="serialization", ref_template=f"{_REF}{{model}}")
    return {name: _plain(part) for name, part in schema.get("properties", {}).items()}


def _plain(part: Any) -> Any:
    """Without titles and defaults, and with the API's names of parts."""
    if isinstance(part, list):
        return [_plain(one) for one in part]
    if not isinstance(part, dict):
        return part
    plain = {key: _plain(value) for key, value in part.items() if key not in ("title", "default")}
    if "$ref" in plain:
        name = plain["$ref"].removeprefix(_REF)
        plain["$ref"] = f"{_REF}{_NAME_IN_API.get(name, name)}"
    return plain


def _object_schema(description: str | None, properties: Mapping[str, Schema]) -> Schema:
    schema = {"type": "object", "properties": dict(properties), "required": list(properties)}
    return {**schema, "description": cleandoc(description)} if description else schema


def _union(names: Iterable[str]) -> Schema:
    return {"oneOf": [{"$ref": f"{_REF}{name}"} for name in names]}


def _without(properties: Mapping[str, Schema], names: Iterable[str]) -> dict[str, Schema]:
    return {name: part for name, part in properties.items() if name not in names}


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, list):
        for one in part:
            yield from _references(one)
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "$ref":
                yield value.removeprefix(_REF)
            else:
                yield from _references(value)
