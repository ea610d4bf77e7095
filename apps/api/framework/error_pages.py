"""Problem details for errors raised by Django itself: unknown paths, bad requests, CSRF failures, server errors."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from apps.api.framework.exception_mapping import problem_from
from apps.api.framework.problem_details import plain_response, problem_of_status


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return plain_response(problem_of_status(404, "not_found", "Nothing exists at this URL."), request)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return plain_response(problem_from(exception) if exception else _bad(), request)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return plain_response(problem_of_status(403, "forbidden", "This is not allowed."), request)


def server_error(request: HttpRequest) -> HttpResponse:
    return plain_response(problem_from(Exception()), request)


def csrf_failure(request: HttpRequest, reason: str = "", **_: Any) -> HttpResponse:
    return plain_response(problem_of_status(403, "csrf_failed", f"CSRF failed: {reason}"), request)


def _bad() -> Any:
    return problem_of_status(400, "invalid", "The request is not valid.")
