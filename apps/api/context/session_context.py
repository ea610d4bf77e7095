"""Endpoints that compose the context for a session: what is known about its user, as JSON or as plain text."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.cache import patch_vary_headers
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.agents.selectors.instructions import already_read
from apps.agents.selectors.sessions import session_named
from apps.api.context.session_context_serializers import (
    TEXT,
    TEXT_BYTES,
    SessionContextQuery,
    SessionContextSerializer,
)
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_query
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import SESSION
from apps.common.ids import is_id
from apps.context.already_read import NOTHING_READ
from apps.context.injection_records import InjectionSource, SessionContext
from apps.context.records import private_omission
from apps.context.services.injection import ContextLimits, session_context
from apps.engine.pack.injection import Candidate, InjectedItem, InjectedSection, Omission
from apps.engine.pack.injection_shares import SECTION_HEADINGS

JSON_TYPE, TEXT_TYPE = "application/json", "text/plain"
_MOST_SOURCES = 10
_RESPONSES = {(200, JSON_TYPE): SessionContextSerializer, (200, TEXT_TYPE): OpenApiTypes.STR}


class NewSessionContextView(WorkspaceView):
    @extend_schema(parameters=[SessionContextQuery], responses=_RESPONSES)
    def get(self, request: ApiRequest) -> Response | HttpResponse:
        """Compose the context for a new session

        Returns what is known about you in four sections: how to work with you, your profile, your last
        conversations, and the entities you use most. Every memory is quoted with its address. Memories that wait for a
        decision, no longer hold, or have a relevance of 0.3 or less are omitted, with the reason. The memories in it
        count as used.
        """
        return _answer(request, None)


class SessionContextView(WorkspaceView):
    @extend_schema(parameters=[SESSION, SessionContextQuery], responses=_RESPONSES)
    def get(self, request: ApiRequest, session: str) -> Response | HttpResponse:
        """Compose the context for a session

        Returns the same as for a new session, without the archive of this one, and without what its agent has read in
        files of instructions; the text then says how much that is.
        """
        return _answer(request, session)


def _answer(request: ApiRequest, session: str | None) -> Response | HttpResponse:
    query = read_query(SessionContextQuery, request.query_params)
    as_text = _wants_text(request, query["format"])
    limits = ContextLimits(query["token_budget"], query["max_bytes"] or (TEXT_BYTES if as_text else None))
    read = already_read(session_named(request.actor, session)) if session else NOTHING_READ
    context = session_context(request.actor, limits=limits, session=session, read=read)
    response: Response | HttpResponse = (
        HttpResponse(context.injection.text, content_type=f"{TEXT_TYPE}; charset=utf-8")
        if as_text
        else Response(SessionContextSerializer(_document(context)).data)
    )
    patch_vary_headers(response, ["Accept"])
    return response


def _wants_text(request: ApiRequest, form: str | None) -> bool:
    if form is not None:
        return form == TEXT
    return request._request.get_preferred_type([JSON_TYPE, TEXT_TYPE]) == TEXT_TYPE


def _document(context: SessionContext) -> dict[str, Any]:
    injection = context.injection
    return {
        "conversation_id": context.conversation_id,
        "engine": "enabled" if context.engine_enabled else "disabled",
        "text": injection.text,
        "tokens": injection.tokens,
        "bytes": injection.size,
        "token_budget": context.token_budget,
        "max_bytes": context.max_bytes,
        "sections": [_section(context, section) for section in injection.sections],
        "private_memory": private_omission(context.audience),
        "omitted": [_omission(context, omission) for omission in injection.omitted],
    }


def _section(context: SessionContext, section: InjectedSection) -> dict[str, Any]:
    numbers = {name: getattr(section, name) for name in ("section", "share", "needed", "granted", "used")}
    items = [_item(context, item) for item in section.items]
    return {**numbers, "heading": SECTION_HEADINGS[section.section].removeprefix("## "), "items": items}


def _item(context: SessionContext, item: InjectedItem) -> dict[str, Any]:
    source = context.by_id[item.candidate.id]
    origins = [origin for memory_id in source.memory_ids for origin in context.origins.get(memory_id, ())]
    return {
        **_identity(source, item.candidate),
        "tier": item.tier,
        "text": item.text,
        "tokens": item.tokens,
        "memory_ids": source.memory_ids,
        "sources": list(dict.fromkeys(origins))[:_MOST_SOURCES],
    }


def _omission(context: SessionContext, omission: Omission) -> dict[str, Any]:
    one = omission.candidate
    return {**_identity(context.by_id[one.id], one), "section": one.section, "reason": omission.reason}


def _identity(source: InjectionSource, one: Candidate) -> dict[str, Any]:
    return {
        "id": UUID(one.id) if is_id(one.id) else None,
        "kind": source.kind,
        "uri": source.uri,
        "origin": one.origin,
        "relevance": round(one.relevance, 3),
        "trust": one.trust,
    }
