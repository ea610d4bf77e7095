"""RFC 9457 problem details for every error, with a stable code and the request id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, JsonResponse
from rest_framework.response import Response

CONTENT_TYPE = "application/problem+json"
MOST_ERRORS = 20
OWN_FIELDS = frozenset({"type", "title", "status", "detail", "instance", "code", "request_id"})


@dataclass(frozen=True, slots=True)
class Problem:
    """`errors` point at what was wrong in the input, of which the first are listed; `extra` joins the document."""

    status: int
    code: str
    title: str
    detail: str
    errors: tuple[Mapping[str, Any], ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def document(self, instance: str, request_id: str) -> dict[str, Any]:
        document: dict[str, Any] = {
            "type": f"urn:continuity:problem:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "instance": instance,
            "code": self.code,
            "request_id": request_id,
        }
        document |= {name: value for name, value in self.extra.items() if name not in OWN_FIELDS}
        if self.errors:
            document["errors"] = [dict(error) for error in self.errors[:MOST_ERRORS]]
        return document


def problem_of_status(status: int, code: str, detail: str, **more: Any) -> Problem:
    """Return a problem document whose title is the status's phrase."""
    return Problem(status, code, HTTPStatus(status).phrase, detail, **more)


def drf_response(problem: Problem, instance: str, request_id: str) -> Response:
    document = problem.document(instance, request_id)
    headers = dict(problem.headers)
    return Response(document, status=problem.status, headers=headers, content_type=CONTENT_TYPE)


def plain_response(problem: Problem, request: HttpRequest) -> JsonResponse:
    """For error_responses outside the framework: unknown addresses, CSRF, failures of middleware."""
    document = problem.document(request.path, getattr(request, "request_id", ""))
    return JsonResponse(document, status=problem.status, headers=dict(problem.headers), content_type=CONTENT_TYPE)
