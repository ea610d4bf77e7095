"""Endpoints that take the events of coding agents: one from a hook, or a batch from a client's spool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response

from apps.accounts.services.paired_clients import client_event_record
from apps.agents.clients.payload import Payload
from apps.agents.clients.registry import CLIENTS
from apps.agents.records import BatchItem, Delivery
from apps.agents.services.answers import event_answer
from apps.agents.services.events import batch_store, event_read, event_store
from apps.agents.services.prompt_recall import PromptRecall, prompt_recall
from apps.api.agents.serializers import (
    HookBatchBodySerializer,
    HookBatchInput,
    HookBatchSerializer,
    HookEventSerializer,
    HookQuery,
)
from apps.api.framework.lenient_json import LenientJSONParser
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body, read_query
from apps.api.framework.views import WorkspaceView
from apps.common.errors import Invalid, NotFound
from apps.common.ids import is_id
from apps.common.tenancy import workspace

LARGEST_BODY = 5 * 1024 * 1024
CLIENT = OpenApiParameter("client", OpenApiTypes.STR, OpenApiParameter.PATH, enum=CLIENTS)
EVENT_ID, RECORDED_AT = "X-Continuity-Event-Id", "X-Continuity-Recorded-At"
CLIENT_VERSION = "X-Continuity-Client-Version"
_HEADERS = [
    OpenApiParameter(EVENT_ID, OpenApiTypes.UUID, OpenApiParameter.HEADER, description="The event's id in a spool."),
    OpenApiParameter(RECORDED_AT, OpenApiTypes.DATETIME, OpenApiParameter.HEADER, description="When it happened."),
    OpenApiParameter(CLIENT_VERSION, OpenApiTypes.STR, OpenApiParameter.HEADER, description="Shown in the settings."),
]


class HookEventView(WorkspaceView):
    parser_classes = (LenientJSONParser,)
    largest_body = LARGEST_BODY
    recall: PromptRecall | None = None

    def prepare(self, request: ApiRequest, *args: Any, **kwargs: Any) -> None:
        client = known_client(kwargs["client"])
        if read_query(HookQuery, request.query_params)["recall"]:
            self.recall = prompt_recall(request.actor, event_read(client, _payload(request)))

    @extend_schema(
        parameters=[CLIENT, HookQuery, *_HEADERS], request=HookEventSerializer, responses=OpenApiTypes.OBJECT
    )
    def post(self, request: ApiRequest, client: str) -> Response:
        """Store an event of a coding agent

        Takes one event in the agent's own JSON and returns the hook's output in its JSON: what is known about you when
        a session starts, else `{}`. Events are stored once, in whatever order they arrive; the first one opens the
        session. Unknown events are ignored.
        """
        delivery = Delivery(client, _event_id(request), _recorded_at(request))
        stored = event_store(request.actor, delivery=delivery, payload=_payload(request))
        answer = event_answer(request.actor, client, stored, self.recall)
        _record(request, [_payload(request)])
        return Response(answer)


class HookBatchView(WorkspaceView):
    parser_classes = (LenientJSONParser,)
    largest_body = LARGEST_BODY
    unit = False

    @extend_schema(parameters=[CLIENT], request=HookBatchBodySerializer, responses=HookBatchSerializer)
    def post(self, request: ApiRequest, client: str) -> Response:
        """Store events of a coding agent

        Stores up to 100 events that waited on the client's disk, each in a transaction of its own: an event that is
        refused harms no other. A batch can be sent again.
        """
        events = read_body(HookBatchInput, request.data)["events"]
        items = [_item(place, event) for place, event in enumerate(events)]
        results = batch_store(request.actor, client=known_client(client), items=items)
        with workspace(request.actor.workspace_id):
            _record(request, [item.payload for item in items])
        return Response(HookBatchSerializer({"results": results}).data)


def known_client(client: str) -> str:
    if client not in CLIENTS:
        raise NotFound(f"There is no client of this name. Known are {', '.join(CLIENTS)}.")
    return client


def _payload(request: ApiRequest) -> dict[str, Any]:
    """The body, which the parser requires to be an object."""
    return request.data if isinstance(request.data, dict) else {}


def _record(request: ApiRequest, payloads: Sequence[Mapping[str, Any]]) -> None:
    """Count the events for the client that the key was paired for, refused ones included: it shows that it works."""
    name = Payload(payloads[-1]).text("hook_event_name", "hookEventName")
    version = request.headers.get(CLIENT_VERSION, "")
    client_event_record(request.actor, name, version, count=len(payloads))


def _event_id(request: ApiRequest) -> str:
    value = request.headers.get(EVENT_ID, "")
    if value and not is_id(value):
        raise Invalid(f"{EVENT_ID} must be a UUID.", code="invalid_event_id")
    return value and str(UUID(value))


def _recorded_at(request: ApiRequest) -> datetime | None:
    value = request.headers.get(RECORDED_AT, "")
    at = _time(value)
    if value and at is None:
        raise Invalid(f"{RECORDED_AT} must be an ISO 8601 time with an offset.", code="invalid_recorded_at")
    return at


def _item(place: int, event: Any) -> BatchItem:
    given = event if isinstance(event, dict) else {}
    event_id, payload, recorded_at = given.get("id"), given.get("payload"), given.get("recorded_at")
    if not (isinstance(event_id, str) and is_id(event_id)):
        return BatchItem(
            None, problem="The event must be an object with a UUID as `id`.", pointer=f"/events/{place}/id"
        )
    known_id, at = str(UUID(event_id)), _time(recorded_at)
    if not isinstance(payload, dict):
        pointer = f"/events/{place}/payload"
        return BatchItem(known_id, problem="The payload must be a JSON object.", pointer=pointer)
    if recorded_at is not None and at is None:
        pointer = f"/events/{place}/recorded_at"
        return BatchItem(known_id, problem="The time must be ISO 8601 with an offset.", pointer=pointer)
    return BatchItem(known_id, payload, at)


def _time(value: Any) -> datetime | None:
    """A time with an offset; None if it is none, or before the first day or after the last one in UTC."""
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else None
        return at if at and at.tzinfo and at.astimezone(UTC) else None
    except (ValueError, OverflowError):
        return None
