"""Liveness and readiness endpoints for supervisors and load balancers."""

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
    """Health checks by name. The numbers are informational: null if unknown, absent for liveness."""

    status = serializers.ChoiceField(choices=STATUSES)
    checks = serializers.DictField(
        child=serializers.CharField(), help_text="By name: `ok`, or a description of the problem."
    )
    dispatcher_age_s = serializers.FloatField(
        required=False, allow_null=True, help_text="Seconds since a dispatcher's last heartbeat."
    )
    pool_waiting = serializers.IntegerField(
        required=False, allow_null=True, help_text="Number of requests that wait for a database connection."
    )
    server_id = serializers.UUIDField(
        required=False,
        allow_null=True,
        help_text="Identifies this installation, so that a paired client sends nothing to another server.",
    )


class AliveView(PublicView):
    permission_classes: Permissions = ()
    throttle_classes = ()

    @extend_schema(responses=HealthSerializer)
    def get(self, request: ApiRequest) -> Response:
        """Check liveness

        Returns 200 while the process answers. No dependency is checked.
        """
        return Response({"status": "ok", "checks": {}})


class ReadyView(PublicView):
    permission_classes: Permissions = ()
    throttle_classes = ()

    @extend_schema(responses={200: HealthSerializer, 503: HealthSerializer})
    def get(self, request: ApiRequest) -> Response:
        """Check readiness

        Returns 200 when the database, its schema, Redis and the background jobs are all available, and
        otherwise 503 with the failed checks.
        """
        report = readiness()
        body = {"status": "ok" if report.is_ready else "not_ready", **asdict(report)}
        return Response(HealthSerializer(body).data, status=200 if report.is_ready else 503)


class HealthView(ReadyView):
    """Readiness under the API's own path."""
