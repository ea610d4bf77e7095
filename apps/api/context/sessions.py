"""Endpoints of sessions: conversations with their summaries and memories."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.agents.records import AgentRecord
from apps.agents.selectors.sessions import agents_of, conversations_of_kind
from apps.api.context.session_serializers import SessionDetailSerializer, SessionQuery, SessionSerializer
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_query
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING, SESSION
from apps.common.pagination import Page
from apps.context.selectors.sessions import SessionDetail, SessionRecord, session_get, session_list


class SessionsView(WorkspaceView):
    @extend_schema(parameters=[SessionQuery, *PAGING], responses=page_serializer(SessionSerializer))
    def get(self, request: ApiRequest) -> Response:
        """List sessions

        Returns your conversations and agent sessions and those shared with you, most recently active first, with the
        abstract and the address of their summary in your memory tree.
        """
        part = window(request)
        query = read_query(SessionQuery, request.query_params)
        where = conversations_of_kind(query["kind"])
        page = session_list(request.actor, after=part.after, limit=part.limit, archived=query["archived"], where=where)
        agents = agents_of(session.conversation.id for session in page.data)
        states = [_session_state(session, agents.get(session.conversation.id)) for session in page.data]
        return page_response(request, Page(states, page.next_cursor), SessionSerializer)


class SessionDetailView(WorkspaceView):
    @extend_schema(parameters=[SESSION], responses=SessionDetailSerializer)
    def get(self, request: ApiRequest, session: str) -> Response:
        """Get a session

        Returns one session with its summary, the memories that were found in it, and where to read its messages.
        """
        detail = session_get(request.actor, session)
        conversation_id = detail.session.conversation.id
        agent = agents_of([conversation_id]).get(conversation_id)
        return Response(SessionDetailSerializer(_detail_state(detail, agent)).data)


def _session_state(session: SessionRecord, agent: AgentRecord | None) -> dict[str, Any]:
    return {**asdict(session.conversation), "agent": agent, "archive": session.archive}


def _detail_state(detail: SessionDetail, agent: AgentRecord | None) -> dict[str, Any]:
    conversation = f"/api/conversations/{detail.session.conversation.id}"
    return {
        **_session_state(detail.session, agent),
        "memories": [{**asdict(one), "url": f"/api/memories/{one.memory_id}"} for one in detail.memories],
        "has_more_memories": detail.has_more,
        "links": {
            "conversation": conversation,
            "messages": f"{conversation}/messages",
            "memories": f"{conversation}/memories",
            "session_context": f"/api/context/{detail.session.conversation.id}",
            "observations": f"/api/sessions/{detail.session.conversation.id}/observations",
        },
    }
