"""Endpoints of pins: text that every pack of a conversation contains verbatim."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.api.framework.etags import expected_version, version_if_named, versioned
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.memory.serializers import PinChanges, PinInput, PinSerializer
from apps.api.openapi.auto_schema import IF_MATCH, MAY_MATCH, PAGING
from apps.api.openapi.documented_errors import error_responses
from apps.memory.selectors.pins import pin_get, pin_list
from apps.memory.services.pins import PinDraft, pin_create, pin_delete, pin_update

EMPTY_PIN = (422, "empty_pin", "A pin needs content, or a message that has content.")
TOO_MANY_PINS = (409, "too_many_pins", "A conversation can have at most 200 pins. Remove one first.")


class PinsView(WorkspaceView):
    @extend_schema(parameters=PAGING, responses=page_serializer(PinSerializer))
    def get(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """List pins

        Returns the pins in the order in which context packs contain them.
        """
        part = window(request)
        page = pin_list(request.actor, conversation_id, after=part.after, limit=part.limit)
        return page_response(request, page, PinSerializer)

    @extend_schema(request=PinInput, responses={201: PinSerializer, **error_responses(EMPTY_PIN, TOO_MANY_PINS)})
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Create a pin

        Pins a message or any text.
        """
        draft = PinDraft(**read_body(PinInput, request.data))
        pin = pin_create(request.actor, conversation_id=conversation_id, draft=draft)
        response = versioned(request, PinSerializer(pin).data, pin.version, status=201)
        response["Location"] = f"/api/conversations/{conversation_id}/pins/{pin.id}"
        return response


class PinDetailView(WorkspaceView):
    @extend_schema(responses=PinSerializer)
    def get(self, request: ApiRequest, conversation_id: UUID, pin_id: UUID) -> Response:
        """Get a pin

        Returns one pin.
        """
        pin = pin_get(request.actor, conversation_id, pin_id)
        return versioned(request, PinSerializer(pin).data, pin.version)

    @extend_schema(
        request=PinChanges, responses={200: PinSerializer, **error_responses(EMPTY_PIN)}, parameters=IF_MATCH
    )
    def patch(self, request: ApiRequest, conversation_id: UUID, pin_id: UUID) -> Response:
        """Update a pin

        Changes the text or the category of the pin.
        """
        changes, version = read_body(PinChanges, request.data), expected_version(request)
        pin = pin_update(
            request.actor, conversation_id=conversation_id, pin_id=pin_id, changes=changes, version=version
        )
        return versioned(request, PinSerializer(pin).data, pin.version)

    @extend_schema(responses={204: None}, parameters=MAY_MATCH)
    def delete(self, request: ApiRequest, conversation_id: UUID, pin_id: UUID) -> Response:
        """Delete a pin

        Deletes the pin. A pinned message itself stays.
        """
        version = version_if_named(request)
        pin_delete(request.actor, conversation_id=conversation_id, pin_id=pin_id, version=version)
        return Response(status=204)
