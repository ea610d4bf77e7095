"""Endpoint of the workspace's model usage and cost."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from apps.accounts.selectors import policy_for_workspace
from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import read_query
from apps.api.framework.views import WorkspaceView
from apps.api.llm.usage_serializers import UsageOverviewSerializer, UsageQuery
from apps.llm.selectors.usage import usage_overview
from apps.llm.services.budget_status import spending_today


class UsageView(WorkspaceView):
    @extend_schema(parameters=[UsageQuery], responses=UsageOverviewSerializer)
    def get(self, request: ApiRequest) -> Response:
        """Get model usage

        Returns today's spending with its limits and, for all roles but member and viewer, the usage by day,
        purpose and model. Replies written without a model are not counted.
        """
        days = read_query(UsageQuery, request.query_params)["days"]
        spending = spending_today(policy_for_workspace())
        return Response(UsageOverviewSerializer(usage_overview(request.actor, days=days, spending=spending)).data)
