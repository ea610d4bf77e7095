"""Base of views that build a pack: what it searches for is embedded before the transaction begins."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from rest_framework.serializers import DateTimeField, ValidationError

from apps.api.framework.requests import ApiRequest
from apps.api.framework.views import WorkspaceView
from apps.context.selectors.pack_requests import EmbeddedQuery
from apps.context.services.embedded_queries import query_embed
from apps.conversations.records import MessageDraft


class EmbeddedQueryView(WorkspaceView):
    """A view with `embedded_query`: the `message` of the body, or the message that waits for a reply.

    With the body's `as_of` the memories of that time are judged.
    """

    embedded_query: EmbeddedQuery | None = None

    def prepare(self, request: ApiRequest, *args: Any, **kwargs: Any) -> None:
        body = request.data if isinstance(request.data, dict) else {}
        message = body.get("message")
        # The handler rejects a body that is not valid.
        draft = MessageDraft("user", message) if isinstance(message, str) and message else None
        self.embedded_query = query_embed(
            request.actor, kwargs["conversation_id"], draft, as_of=_moment(body.get("as_of"))
        )


def _moment(value: object) -> datetime | None:
    """A time of a body that is not checked yet."""
    try:
        moment: datetime | None = DateTimeField().run_validation(value)
    except ValidationError:
        return None
    return moment
