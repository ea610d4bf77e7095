"""Endpoints that decide items of the inbox, and undo decisions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Protocol
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response

from apps.accounts.actors import Actor
from apps.api.conversations.serializers import NoInput
from apps.api.framework.etags import expected_version, version_if_named
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.inbox.inputs import BulkDecisionInput, EditInput, MergeIntoInput, UndoDecisionInput, item_edit
from apps.api.inbox.serializers import InboxDecisionSerializer, InboxUndoneSerializer
from apps.api.openapi.auto_schema import IF_MATCH
from apps.api.openapi.documented_errors import error_responses
from apps.inbox.records import DecisionRecord
from apps.inbox.services.decisions import inbox_approve, inbox_decline, inbox_replace, inbox_use_both
from apps.inbox.services.rewriting import inbox_edit, inbox_merge
from apps.inbox.services.undo import inbox_undo

ALREADY_DECIDED = (409, "already_decided", "This was decided already.")
NOTHING_TO_REPLACE = (422, "nothing_to_replace", "There is no memory that it may replace.")
CHANGED_SINCE = (409, "changed_since", "The memory was changed again later. Undo the later change first.")
MAY_MATCH = [
    OpenApiParameter(
        "If-Match",
        IF_MATCH[0].type,
        OpenApiParameter.HEADER,
        description="Decide only about this version of the memory.",
    )
]
_DECIDED = {200: InboxDecisionSerializer, **error_responses(ALREADY_DECIDED)}
_OF_TWO = {200: InboxDecisionSerializer, **error_responses(ALREADY_DECIDED, NOTHING_TO_REPLACE)}


class _Service(Protocol):
    def __call__(self, actor: Actor, *, item_ids: Collection[UUID], version: int | None = None) -> DecisionRecord: ...


SERVICES: Mapping[str, _Service] = MappingProxyType(
    {"approve": inbox_approve, "replace": inbox_replace, "keep_both": inbox_use_both, "decline": inbox_decline}
)


class InboxApproveView(WorkspaceView):
    @extend_schema(request=NoInput, responses=_DECIDED, parameters=MAY_MATCH)
    def post(self, request: ApiRequest, item_id: UUID) -> Response:
        """Approve an item

        Puts a proposed memory in use, trusted like your own words. Of two values of a single-valued fact the one with
        the later words is current, and the other one becomes history. Other memories that it may replace stay in use.
        """
        return _decide(request, item_id, inbox_approve)


class InboxReplaceView(WorkspaceView):
    @extend_schema(request=NoInput, responses=_OF_TWO, parameters=MAY_MATCH)
    def post(self, request: ApiRequest, item_id: UUID) -> Response:
        """Replace the earlier memory

        Puts the later memory in use. The earlier ones become history: they show what held until then.
        """
        return _decide(request, item_id, inbox_replace)


class InboxUseBothView(WorkspaceView):
    @extend_schema(request=NoInput, responses=_OF_TWO, parameters=MAY_MATCH)
    def post(self, request: ApiRequest, item_id: UUID) -> Response:
        """Keep both memories

        Uses the later and the earlier memory: they do not contradict each other. A fact of which both values are used
        can have several from then on.
        """
        return _decide(request, item_id, inbox_use_both)


class InboxDeclineView(WorkspaceView):
    @extend_schema(request=NoInput, responses=_DECIDED, parameters=MAY_MATCH)
    def post(self, request: ApiRequest, item_id: UUID) -> Response:
        """Decline an item

        Archives a proposed memory; the same words do not bring it back. Of two memories in use both stay: you decline
        that they contradict each other.
        """
        return _decide(request, item_id, inbox_decline)


class InboxEditView(WorkspaceView):
    @extend_schema(request=EditInput, responses=_DECIDED, parameters=IF_MATCH)
    def post(self, request: ApiRequest, item_id: UUID) -> Response:
        """Edit and approve an item

        Changes the later memory's text, tags or address, and puts it in use.
        """
        values, version = read_body(EditInput, request.data), expected_version(request)
        return _response(inbox_edit(request.actor, item_id=item_id, edit=item_edit(values), version=version))


class InboxMergeView(WorkspaceView):
    @extend_schema(request=MergeIntoInput, responses=_DECIDED, parameters=IF_MATCH)
    def post(self, request: ApiRequest, item_id: UUID) -> Response:
        """Merge an item into a memory

        Adds the later memory to one in use, which gets its sources, and archives it.
        """
        values, version = read_body(MergeIntoInput, request.data), expected_version(request)
        decided = inbox_merge(request.actor, item_id=item_id, version=version, **values)
        return _response(decided)


class InboxDecisionsView(WorkspaceView):
    @extend_schema(request=BulkDecisionInput, responses=_DECIDED)
    def post(self, request: ApiRequest) -> Response:
        """Decide several items

        Decides up to 500 items alike, in one change, which one undo reverts. Items that cannot be decided are skipped.
        """
        values = read_body(BulkDecisionInput, request.data)
        return _response(SERVICES[values["decision"]](request.actor, item_ids=values["ids"]))


class InboxUndoView(WorkspaceView):
    @extend_schema(request=UndoDecisionInput, responses={200: InboxUndoneSerializer, **error_responses(CHANGED_SINCE)})
    def post(self, request: ApiRequest) -> Response:
        """Undo a decision

        Restores what the decision changed; its items wait again.
        """
        values = read_body(UndoDecisionInput, request.data)
        return Response(InboxUndoneSerializer(inbox_undo(request.actor, change_id=values["change_id"])).data)


def _decide(request: ApiRequest, item_id: UUID, service: _Service) -> Response:
    read_body(NoInput, request.data)
    return _response(service(request.actor, item_ids=[item_id], version=version_if_named(request)))


def _response(decided: DecisionRecord) -> Response:
    return Response(InboxDecisionSerializer(decided).data)
