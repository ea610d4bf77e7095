"""What the OpenAPI schema says of every endpoint alike: how to sign in, how refusals look, headers and paging."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from apps.api.framework.pagination import DEFAULT_LIMIT, LARGEST_LIMIT
from apps.api.framework.problem_details import CONTENT_TYPE
from apps.api.framework.views import PublicView

PAGING = [
    OpenApiParameter("cursor", OpenApiTypes.STR, description="The `next_cursor` of the page before."),
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": LARGEST_LIMIT, "default": DEFAULT_LIMIT},
        description="How many at most.",
    ),
]
IF_MATCH = [
    OpenApiParameter(
        "If-Match",
        OpenApiTypes.STR,
        OpenApiParameter.HEADER,
        required=True,
        description="The ETag of the version that is changed.",
    )
]
IDEMPOTENCY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255},
    OpenApiParameter.HEADER,
    description="A repeat with the same key within a day gets the first answer.",
)
WORKSPACE = OpenApiParameter(
    "X-Continuity-Workspace",
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    description="For sessions: the workspace to work in, if not the chosen one. A key has its own.",
)
_VERBS = {"GET": "get", "POST": "create", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
_REFUSALS = {
    "400": "The request is not valid; `errors` point at what.",
    "401": "Nobody is signed in, or the key is not valid.",
    "403": "The role or the key does not allow it.",
    "404": "It does not exist, or not for you.",
    "409": "It cannot be done now.",
    "412": "It was changed meanwhile.",
    "413": "The request is too large.",
    "422": "It is well formed but not possible.",
    "428": "Say in If-Match which version is changed.",
    "429": "Too many requests; Retry-After says when to try again.",
    "503": "Busy or not reachable; Retry-After says when to try again.",
}
_PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "RFC 9457 problem details.",
    "required": ["type", "title", "status", "detail", "instance", "code", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "For people."},
        "instance": {"type": "string"},
        "code": {"type": "string", "description": "Stable; for programs."},
        "request_id": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["pointer", "code", "detail"],
                "properties": {
                    "pointer": {"type": "string", "description": "A JSON pointer into the body, or `?name`."},
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                },
            },
        },
    },
}


class ConventionSchema(AutoSchema):
    """Adds the headers that every endpoint of a kind understands."""

    def get_override_parameters(self) -> list[Any]:
        own: list[Any] = super().get_override_parameters()
        return [*own, *self._headers()]

    def get_operation_id(self) -> str:
        """`members_get`, `member_detail_update`: the view's name and what is done."""
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(self.view).__name__.removesuffix("View")).lower()
        return f"{name}_{_VERBS[self.method]}"

    def get_serializer_name(self, serializer: Any, direction: Literal["request", "response"]) -> str:
        """A component is called after the thing, not after our class for it."""
        name: str = super().get_serializer_name(serializer, direction)
        return name.removesuffix("Serializer").removesuffix("Input")

    def _headers(self) -> Iterator[OpenApiParameter]:
        if not isinstance(self.view, PublicView):
            yield WORKSPACE
            if self.method == "POST" and all(getattr(self.view, name, False) for name in ("unit", "keeps_answer")):
                yield IDEMPOTENCY


class ApiKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself when declared
    target_class = "apps.api.framework.authentication.ApiKeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "ck_…", "description": "Or as X-Api-Key."}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself when declared
    target_class = "apps.api.framework.authentication.BrowserAuthentication"
    name = "session"
    priority = 1

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": "Unsafe methods: X-CSRFToken."}


def one_version(endpoints: list[Any], **_: Any) -> list[Any]:
    """The same addresses answer under /api/v1/; the schema names them once."""
    return [endpoint for endpoint in endpoints if not endpoint[0].startswith("/api/v1/")]


def with_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Every operation's refusals, in the one format."""
    result["components"].setdefault("schemas", {})["Problem"] = _PROBLEM
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            for status in _refusals_of(path, method, operation):
                operation["responses"].setdefault(status, _problem_response(status))
    return result


def _refusals_of(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    headers = {parameter["name"] for parameter in operation.get("parameters", [])}
    yield from ("400", "429", "503")
    if WORKSPACE.name in headers:
        yield from ("401", "403", "404")
    if method != "get":
        yield from ("409", "413", "422")
    if "If-Match" in headers:
        yield from ("412", "428")


def _problem_response(status: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": _REFUSALS[status], "content": {CONTENT_TYPE: {"schema": schema}}}
