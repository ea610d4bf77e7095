"""The answer to a request whose work goes on in the background."""

from __future__ import annotations

from rest_framework.response import Response

from apps.api.jobs.operation_serializers import OperationSerializer
from apps.jobs.records import OperationView


def operation_response(operation: OperationView) -> Response:
    """Return the started operation (202), with its Location."""
    headers = {"Location": f"/api/operations/{operation.id}"}
    return Response(OperationSerializer(operation).data, status=202, headers=headers)
