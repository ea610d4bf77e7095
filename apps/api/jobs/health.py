"""For supervisors and load balancers: alive, and ready."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import OutputSerializer
from apps.api.framework.views import Permissions, PublicView
from apps.api.jobs.readiness import readiness

STATUSES = ("ok", "not_ready")


class HealthSerializer(OutputSerializer[Any]):
    """The numbers decide nothing; null where they are not known, absent where nothing is asked."""

    status = serializers.ChoiceField(choices=STATUSES)
    checks = serializers.DictField(child=serializers.CharField(), help_text="By name: `ok`, or what is the matter.")
    dispatcher_age_s = serializers.FloatField(
        required=False, allow_null=True, help_text="Since a dispatcher last gave a sign of life."
    )
    pool_waiting = serializers.IntegerField(
        required=False, allow_null=True, help_text="Requests that wait for a database connection."
    )


class AliveView(PublicView):
    permission_classes: Permissions = ()
    throttle_classes = ()

    @extend_schema(responses=HealthSerializer)
    def get(self, request: ApiRequest) -> Response:
        """The process answers; nothing else is asked."""
        return Response({"status": "ok", "checks": {}})


class ReadyView(PublicView):
    permission_classes: Permissions = ()
    throttle_classes = ()

    @extend_schema(responses={200: HealthSerializer, 503: HealthSerializer})
    def get(self, request: ApiRequest) -> Response:
        """200 when the database, its schema, Redis and the jobs are all in order, else 503 with what is not."""
        found = readiness()
        shown = {"status": "ok" if found.is_ready else "not_ready", **asdict(found)}
        return Response(HealthSerializer(shown).data, status=200 if found.is_ready else 503)


class HealthView(ReadyView):
    """The same under the API's own address."""
