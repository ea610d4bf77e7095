"""Endpoint of the observations of an agent's session."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.agents.selectors.observations import observation_list
from apps.api.agents.serializers import ObservationSerializer
from apps.api.framework.pagination import page_response, page_serializer, window
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import Input, read_query
from apps.api.framework.views import WorkspaceView
from apps.api.openapi.auto_schema import PAGING, SESSION


class ObservationsQuery(Input):
    newest_first = serializers.BooleanField(required=False, default=False)


class ObservationsView(WorkspaceView):
    @extend_schema(parameters=[SESSION, ObservationsQuery, *PAGING], responses=page_serializer(ObservationSerializer))
    def get(self, request: ApiRequest, session: str) -> Response:
        """List observations

        Returns what happened in an agent's session besides its messages, in the order in which it arrived: runs of
        tools, subagents, and the agent's own compactions with what their summaries lost; `newest_first` reverses it. A
        conversation that is no agent's session has none.
        """
        part = window(request)
        newest_first = read_query(ObservationsQuery, request.query_params)["newest_first"]
        page = observation_list(request.actor, session, after=part.after, limit=part.limit, newest_first=newest_first)
        return page_response(request, page, ObservationSerializer)
