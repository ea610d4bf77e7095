"""Liveness and readiness endpoints for supervisors and load balancers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from apps.api.framework.requests import ApiRequest
from apps.api.framework.serializers import OutputSerializer
from apps.api.framework.views import Permissions, PublicView
from apps.api.jobs.readiness import Readiness, readiness
from apps.jobs.selectors import KindReport

STATUSES = ("ok", "degraded", "not_ready")


class JobKindSerializer(OutputSerializer[KindReport]):
    """The jobs of one kind that are in the queue."""

    kind = serializers.CharField()
    waiting = serializers.IntegerField(help_text="Due, and not started.")
    running = serializers.IntegerField()
    failed = serializers.IntegerField(help_text="All attempts failed. They are tried again after hours.")
    finished_per_minute = serializers.FloatField(help_text="Of the last five minutes.")
    items_waiting = serializers.IntegerField(
        allow_null=True, help_text="Texts, messages or rows that these jobs have left; null if they don't count them."
    )
    items_per_minute = serializers.FloatField(help_text="Of the last five minutes.")
    ends_at = serializers.DateTimeField(
        allow_null=True, help_text="When the backlog is done at this rate; null without a backlog, or without a rate."
    )


class HealthSerializer(OutputSerializer[Any]):
    """Health checks by name. The numbers are informational: null if unknown, absent for liveness.

    It is `degraded`, and ready, while kinds of jobs fail for the installation as a whole, not only in a few workspaces:
    they are named by checks such as `jobs.memory_vectors`.
    """

    status = serializers.ChoiceField(choices=STATUSES)
    checks = serializers.DictField(
        child=serializers.CharField(), help_text="By name: `ok`, or a description of the problem."
    )
    jobs = JobKindSerializer(many=True, required=False)
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
        otherwise 503 with the failed checks. `degraded` (200) names kinds of jobs that fail in a tenth of the
        workspaces or more: every time, or after all attempts. `jobs` is the backlog by kind.
        """
        report = readiness()
        return Response(HealthSerializer(_body(report)).data, status=200 if report.is_ready else 503)


class HealthView(ReadyView):
    """Readiness under the API's own path."""


def _body(report: Readiness) -> dict[str, Any]:
    working = "degraded" if report.problems else "ok"
    return {
        "status": working if report.is_ready else "not_ready",
        "checks": report.checks | report.problems,
        "jobs": report.jobs,
        "dispatcher_age_s": report.dispatcher_age_s,
        "pool_waiting": report.pool_waiting,
        "server_id": report.server_id,
    }
