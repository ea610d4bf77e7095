"""Refusals that are an endpoint's own, for the schema: each with its code and an example."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample, OpenApiResponse

from apps.api.conventions.problems import CONTENT_TYPE, problem_of_status

Responses = dict[Any, Any]
_PROBLEM = {"$ref": "#/components/schemas/Problem"}


def refusals(*told: tuple[int, str, str], **extra: Any) -> Responses:
    """The responses of `extend_schema` for refusals told as (status, code, detail), each status once."""
    return {(status, CONTENT_TYPE): _response(status, code, detail, extra) for status, code, detail in told}


def _response(status: int, code: str, detail: str, extra: dict[str, Any]) -> OpenApiResponse:
    document = problem_of_status(status, code, detail, extra=extra).document("/api/…", "0193d2c4a1b27c3e")
    example = OpenApiExample(
        code, value=document, media_type=CONTENT_TYPE, response_only=True, status_codes=[str(status)]
    )
    return OpenApiResponse(_PROBLEM, description=detail, examples=[example])
