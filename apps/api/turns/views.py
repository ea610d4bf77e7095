"""Endpoints of turns: send a message, follow, stop and retry its reply."""

from __future__ import annotations

from uuid import UUID

from asgiref.sync import async_to_sync
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.response import Response

from apps.api.conversations.message_serializers import message_draft
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_body
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.documented_errors import error_responses
from apps.api.turns.serializers import RetryInput, StoppingSerializer, TurnInput
from apps.api.turns.streams import turn_stream
from apps.common.errors import NotFound
from apps.common.tenancy import workspace
from apps.turns.records import Turn
from apps.turns.services.first_token_priority import beginning
from apps.turns.services.prepare import retry_prepare, turn_prepare
from apps.turns.services.reply_writer import reply_writer_of, reply_writer_start
from apps.turns.services.start import turn_begin, turn_retry
from apps.turns.services.stop import turn_running, turn_stop

_RUNNING = (409, "turn_running", "A reply is already being written. Stop it, or wait until it ends.")
_NONE_RUNNING = (409, "no_turn_running", "No reply is in progress.")
_BEYOND = error_responses(
    (422, "budget_beyond_window", "The request does not fit: the model has room for 191808 tokens besides its reply."),
    budget=500_000,
    largest_budget=191_808,
)
_EVENTS = (
    "`started` {message, reply, pack}, then `delta` {text} …, then `finished` {reply}: `complete` if the provider "
    "completed it, else `partial` or `failed` with an `error_code` (`max_tokens`: the reply exceeded its limit; "
    "`ceiling`: too little of today's budget is left) and a `detail` for people, which may be empty. "
    "`revoked` {code, detail} ends the stream of a reader who lost access to the conversation."
)
_STREAM = {(200, "text/event-stream"): OpenApiResponse(OpenApiTypes.ANY, description=_EVENTS)}


class StreamView(WorkspaceView):
    """Base of streaming views, which open short transactions instead of one as long as the reply."""

    unit = False


class TurnsView(StreamView):
    @extend_schema(request=TurnInput, responses={**_STREAM, **error_responses(_RUNNING), **_BEYOND})
    def post(self, request: ApiRequest, conversation_id: UUID) -> HttpResponseBase:
        """Send a message and stream the reply

        Stores the message and streams the reply. The reply is written to its end even if the client
        disconnects.

        With an `external_id`, the request can be repeated, for example after a lost connection: the message is
        not stored again, and its reply is streamed from the beginning, either while it is being written or as
        it was stored (then in one `delta`). A stored message without a reply is answered if it is the newest
        and rejected otherwise (`not_the_newest`). A reply that another process is writing is rejected too
        (`turn_running`).
        """
        values = read_body(TurnInput, request.data)
        budget = values.pop("token_budget", None)
        draft, options = turn_prepare(request.actor, conversation_id, message_draft(values), budget)
        with beginning(), workspace(request.actor.workspace_id):
            begun = turn_begin(request.actor, conversation_id=conversation_id, draft=draft, options=options)
        reply = async_to_sync(reply_writer_start)(begun) if isinstance(begun, Turn) else begun
        return turn_stream(request, reply, conversation_id)


class TurnRetryView(StreamView):
    @extend_schema(request=RetryInput, responses={**_STREAM, **error_responses(_RUNNING), **_BEYOND})
    def post(self, request: ApiRequest, conversation_id: UUID) -> HttpResponseBase:
        """Retry a reply

        Writes a new reply after one that failed or was stopped, and excludes the old one.
        """
        budget = read_body(RetryInput, request.data).get("token_budget")
        options = retry_prepare(request.actor, conversation_id, budget)
        with beginning(), workspace(request.actor.workspace_id):
            turn = turn_retry(request.actor, conversation_id=conversation_id, options=options)
        return turn_stream(request, async_to_sync(reply_writer_start)(turn), conversation_id)


class TurnCurrentView(StreamView):
    @extend_schema(responses=_STREAM)
    def get(self, request: ApiRequest, conversation_id: UUID) -> HttpResponseBase:
        """Follow the current reply

        Streams the reply that is being written, from its beginning.

        The status is 404 when no reply is being written, or when another process writes it: then poll the
        conversation's newest message, whose text grows every two seconds, until its `status` is no longer
        `streaming`.
        """
        with workspace(request.actor.workspace_id):
            reply_id = turn_running(request.actor, conversation_id=conversation_id)
        writer = reply_writer_of(reply_id) if reply_id else None
        if writer is None:
            raise NotFound("No reply is in progress.")
        return turn_stream(request, writer, conversation_id)


class TurnStopView(WorkspaceView):
    @extend_schema(request=None, responses={202: StoppingSerializer, **error_responses(_NONE_RUNNING)})
    def post(self, request: ApiRequest, conversation_id: UUID) -> Response:
        """Stop the current reply

        Stops the reply that is being written. The text written so far is stored with the status `partial`.
        """
        reply_id = turn_stop(request.actor, conversation_id=conversation_id)
        return Response(StoppingSerializer({"reply_id": reply_id}).data, status=202)
