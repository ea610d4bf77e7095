"""Endpoint-specific error responses for the OpenAPI schema, each with its code and an example."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse

from apps.api.framework.problem_details import CONTENT_TYPE, Problem
from apps.common.errors import Conflict, Ended, Invalid, NotFound, TooLarge, Unprocessable

# Shared by the endpoints that start work of the engine.
ENGINE_DISABLED = (409, "engine_disabled", "The engine is off in this workspace.")

Responses = dict[Any, Any]
_TITLES = {error.status: error.title for error in (Invalid, NotFound, Conflict, Ended, TooLarge, Unprocessable)}
_PROBLEM = {"$ref": "#/components/schemas/Problem"}


def error_responses(*errors: tuple[int, str, str], **extra: Any) -> Responses:
    """Return `extend_schema` responses for errors given as (status, code, detail), one for each status."""
    return {(status, CONTENT_TYPE): _response(status, code, detail, extra) for status, code, detail in errors}


def _response(status: int, code: str, detail: str, extra: dict[str, Any]) -> OpenApiResponse:
    problem = Problem(status, code, _TITLES[status], detail, extra=extra)
    document = problem.document("/api/…", "0193d2c4a1b27c3e")
    example = OpenApiExample(
        code, value=document, media_type=CONTENT_TYPE, response_only=True, status_codes=[str(status)]
    )
    return OpenApiResponse(_PROBLEM, description=detail, examples=[example])
