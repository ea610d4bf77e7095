"""Mapping of exceptions to problem details, one function for each kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import singledispatch
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

import structlog
from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404
from psycopg import errors as postgres
from rest_framework import exceptions
from rest_framework.response import Response

from apps.api.framework.problem_details import MOST_ERRORS, Problem, drf_response, problem_of_status
from apps.api.framework.requests import request_id
from apps.common.errors import ContinuityError

_BUSY = (postgres.LockNotAvailable, postgres.QueryCanceled, postgres.DeadlockDetected, postgres.SerializationFailure)
_MET: Mapping[type[BaseException | None], str] = MappingProxyType(
    {
        postgres.ForeignKeyViolation: "Another request has deleted what this one refers to.",
        postgres.UniqueViolation: "Another request has created the same. Read it, or try again.",
    }
)
_log = structlog.get_logger("continuity.api")


def problem_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """The framework's exception handler: nothing gets past it."""
    request = context["request"]
    problem = problem_from(error)
    if problem.status == HTTPStatus.INTERNAL_SERVER_ERROR:
        _log.error("request failed", path=request.path, method=request.method, exc_info=error)
    return drf_response(problem, request.path, request_id(request))


@singledispatch
def problem_from(error: Exception) -> Problem:
    """Log an unexpected error with the request's id; the response carries no details."""
    return _unexpected()


def _unexpected() -> Problem:
    detail = "Something went wrong on the server. The log has the details under this request's ID."
    return Problem(500, "internal_error", "Something went wrong", detail)


@problem_from.register
def _(error: ContinuityError) -> Problem:
    extra = {name: value for name, value in error.extra.items() if name not in ("errors", "retry_after")}
    headers = {"Retry-After": str(error.extra["retry_after"])} if "retry_after" in error.extra else {}
    if error.status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="continuity"'
    errors = tuple(error.extra.get("errors", ()))
    return Problem(error.status, error.code, error.title, error.detail, errors, extra, headers)


@problem_from.register
def _(error: exceptions.ValidationError) -> Problem:
    errors = tuple(pointed_errors(error.detail))
    detail = errors[0]["detail"] if len(errors) == 1 else f"{len(errors)} values are not valid."
    if len(errors) > MOST_ERRORS:
        detail += f" The first {MOST_ERRORS} are listed."
    return Problem(400, "invalid", "The request is not valid", detail, errors)


@problem_from.register
def _(error: exceptions.APIException) -> Problem:
    headers = {"WWW-Authenticate": header} if (header := getattr(error, "auth_header", None)) else {}
    return problem_of_status(error.status_code, str(error.default_code), str(error.detail), headers=headers)


@problem_from.register(exceptions.NotAuthenticated)
def _(error: exceptions.NotAuthenticated) -> Problem:
    headers = {"WWW-Authenticate": 'Bearer realm="continuity"'}
    return problem_of_status(401, "not_signed_in", "Sign in or send an API key.", headers=headers)


@problem_from.register
def _(error: exceptions.PermissionDenied) -> Problem:
    """The framework has no class of its own for a failed CSRF check."""
    detail = str(error.detail)
    return problem_of_status(403, "csrf_failed" if detail.startswith("CSRF") else "forbidden", detail)


@problem_from.register
def _(error: exceptions.Throttled) -> Problem:
    wait = max(1, round(getattr(error, "wait", None) or 1))
    headers = {"Retry-After": str(wait)}
    return problem_of_status(429, "rate_limited", f"Too many requests. Try again in {wait} s.", headers=headers)


@problem_from.register
def _(error: Http404) -> Problem:
    return problem_of_status(404, "not_found", "Nothing exists at this URL.")


@problem_from.register
def _(error: PermissionDenied) -> Problem:
    return problem_of_status(403, "forbidden", "This is not allowed.")


@problem_from.register(SuspiciousOperation)
@problem_from.register(BadRequest)
def _(error: Exception) -> Problem:
    return problem_of_status(400, "invalid", "The request is not valid.")


@problem_from.register
def _(error: RequestDataTooBig) -> Problem:
    return problem_of_status(413, "too_large", "The request is too large.")


@problem_from.register(OperationalError)
@problem_from.register(InterfaceError)
def _(error: Exception) -> Problem:
    """A lock or a statement took too long, or the database is away: in both cases a repeat may well succeed."""
    _log.warning("database refused", error=type(error.__cause__ or error).__name__)
    if isinstance(error.__cause__, _BUSY):
        detail = "Another request is changing the same resource. Try again."
        return problem_of_status(503, "busy", detail, headers={"Retry-After": "1"})
    return problem_of_status(
        503, "unavailable", "The database is unavailable. Try again in a few seconds.", headers={"Retry-After": "5"}
    )


@problem_from.register
def _(error: IntegrityError) -> Problem:
    """Two requests met: one deleted what the other refers to, or both created the same. Some constraints are checked
    only at the commit, when no service can tell any more."""
    detail = _MET.get(type(error.__cause__))
    if detail is None:
        return _unexpected()
    _log.warning("constraint refused", error=type(error.__cause__).__name__)
    return problem_of_status(409, "conflict", detail)


def pointed_errors(detail: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    """A serializer's nested errors as a flat list of JSON pointers."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from pointed_errors(inner, pointer if name == "non_field_errors" else f"{pointer}/{_escape(name)}")
    elif isinstance(detail, list) and any(isinstance(inner, (Mapping, list)) for inner in detail):
        for index, inner in enumerate(detail):
            yield from pointed_errors(inner, f"{pointer}/{index}")
    elif isinstance(detail, list):
        for inner in detail:
            yield from pointed_errors(inner, pointer)
    else:
        yield {"pointer": pointer, "code": str(getattr(detail, "code", "invalid")), "detail": str(detail)}


def _escape(name: object) -> str:
    return str(name).replace("~", "~0").replace("/", "~1")
