"""OpenAPI conventions of all endpoints: authentication, summaries, shared headers, pagination and problem responses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import get_doc, get_lib_doc_excludes
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from apps.accounts.records import LONGEST_END_USER_ID
from apps.api.framework.authentication import END_USER_HEADER
from apps.api.framework.pagination import DEFAULT_LIMIT, LARGEST_LIMIT
from apps.api.framework.problem_details import CONTENT_TYPE
from apps.api.framework.serializers import Changes, Input, OutputSerializer
from apps.api.framework.views import PublicView
from apps.api.openapi.examples import openapi_examples

PAGING = [
    OpenApiParameter(
        "cursor",
        {"type": "string", "minLength": 13, "pattern": "^[A-Za-z0-9_-]+$"},
        description="The `next_cursor` of the previous page.",
    ),
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": LARGEST_LIMIT, "default": DEFAULT_LIMIT},
        description="Maximum number of items in a page.",
    ),
]
_ETAG = {"type": "string", "pattern": r'^(\*|(W/)?"[0-9]{1,9}(-[0-9a-f]+)?")$'}
IF_MATCH = [
    OpenApiParameter(
        "If-Match",
        _ETAG,
        OpenApiParameter.HEADER,
        required=True,
        description="The ETag of the version to change.",
    )
]
MAY_MATCH = [
    OpenApiParameter(
        "If-Match",
        _ETAG,
        OpenApiParameter.HEADER,
        description="Delete it only if it is still this version.",
    )
]
SESSION = OpenApiParameter(
    "session", OpenApiTypes.STR, OpenApiParameter.PATH, description="Id of a conversation, or its `external_id`."
)
IDEMPOTENCY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255},
    OpenApiParameter.HEADER,
    description="A repeated request with the same key within a day returns the first response.",
)
WORKSPACE = OpenApiParameter(
    "X-Continuity-Workspace",
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    description="For sessions: the workspace to use instead of the selected one. An API key belongs to one workspace.",
)
END_USER = OpenApiParameter(
    END_USER_HEADER,
    {"type": "string", "minLength": 1, "maxLength": LONGEST_END_USER_ID},
    OpenApiParameter.HEADER,
    description="For keys with the scope `act_for_users`: the application's own id of the user it acts for. "
    "A JSON body may name them instead, in `user` or `user_id`.",
)
_VERBS = {"GET": "get", "POST": "create", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
_STATUS_DESCRIPTIONS = {
    "400": "The request is invalid; `errors` point to the invalid fields.",
    "401": "The request is not authenticated, or the API key is invalid.",
    "403": "The role or the API key lacks the permission.",
    "404": "The resource does not exist, or you have no access to it.",
    "409": "The request conflicts with the current state of the resource.",
    "410": "The resource existed and has ended.",
    "412": "The resource has changed since the version in If-Match.",
    "408": "The request body took too long to arrive.",
    "413": "The request body is too large.",
    "415": "The content type of the request body is not supported.",
    "422": "The request is well formed but cannot be processed.",
    "428": "The If-Match header is required.",
    "429": "Too many requests; retry after the time in Retry-After.",
    "503": "The service is busy or unavailable; retry after the time in Retry-After.",
}
_PROBLEM: dict[str, Any] = {
    "type": "object",
    "description": "RFC 9457 problem details.",
    "required": ["type", "title", "status", "detail", "instance", "code", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "Human-readable explanation."},
        "instance": {"type": "string"},
        "code": {"type": "string", "description": "Stable, machine-readable code."},
        "request_id": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["pointer", "code", "detail"],
                "properties": {
                    "pointer": {
                        "type": "string",
                        "description": "A JSON pointer into the body, or `?name` for a query parameter.",
                    },
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                },
            },
        },
    },
}


class ConventionSchema(AutoSchema):
    """Derive summaries, names and shared headers of an operation from its view.

    The first paragraph of a handler's docstring is the summary, the rest is the description.
    """

    def get_override_parameters(self) -> list[Any]:
        own: list[Any] = super().get_override_parameters()
        return [*own, *self._headers()]

    def get_examples(self) -> list[OpenApiExample]:
        return openapi_examples(self.get_operation_id())

    def get_operation_id(self) -> str:
        """Return the view's name and the method's verb, e.g. `members_get` or `member_detail_update`."""
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(self.view).__name__.removesuffix("View")).lower()
        return f"{name}_{_VERBS[self.method]}"

    def get_serializer_name(self, serializer: Any, direction: Literal["request", "response"]) -> str:
        """Name a component after the resource, without the suffix of its serializer class."""
        name: str = super().get_serializer_name(serializer, direction)
        return name.removesuffix("Serializer").removesuffix("Input")

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> dict[str, Any]:
        """Describe which bodies are refused: those with unknown fields, and changes without any field."""
        schema: dict[str, Any] = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]  # the package has no types
        if isinstance(serializer, Input):
            schema["additionalProperties"] = False
        if isinstance(serializer, Changes):
            schema["minProperties"] = 1
        return schema

    def get_summary(self) -> str:
        return self._docstring()[0]

    def get_description(self) -> str:  # type: ignore[override]  # as in the base class
        return self._docstring()[1]

    def _docstring(self) -> tuple[str, str]:
        summary, _, description = get_doc(getattr(self.view, self.method.lower())).partition("\n\n")
        return summary, description

    def _headers(self) -> Iterator[OpenApiParameter]:
        if not isinstance(self.view, PublicView):
            yield WORKSPACE
            yield END_USER
            if self.method == "POST" and all(getattr(self.view, name, False) for name in ("unit", "stores_response")):
                yield IDEMPOTENCY


class ApiKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself when declared
    target_class = "apps.api.framework.authentication.ApiKeyAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "ck_…",
            "description": "Alternatively, send the key in X-Api-Key.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registers itself when declared
    target_class = "apps.api.framework.authentication.BrowserAuthentication"
    name = "session"
    priority = 1

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "sessionid",
            "description": "Unsafe methods also require X-CSRFToken.",
        }


def bases_without_description() -> list[type]:
    """Return the classes whose docstrings are for developers, not for the schema."""
    lib: list[type] = get_lib_doc_excludes()  # type: ignore[no-untyped-call]  # the package has no types
    return [*lib, Input, Changes, OutputSerializer]


def one_version(endpoints: list[Any], **_: Any) -> list[Any]:
    """Drop the /api/v1/ aliases, so that the schema lists each endpoint once."""
    return [endpoint for endpoint in endpoints if not endpoint[0].startswith("/api/v1/")]


def with_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the error responses of every operation as problem details."""
    result["components"].setdefault("schemas", {})["Problem"] = _PROBLEM
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            for status in _error_statuses(path, method, operation):
                operation["responses"].setdefault(status, _problem_response(status))
    return result


def _error_statuses(path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    headers = {parameter["name"] for parameter in operation.get("parameters", [])}
    yield from ("400", "429", "503")
    if WORKSPACE.name in headers:
        yield from ("401", "403", "404")
    elif method != "get":
        yield from ("401", "403")
    if method != "get":
        yield from ("408", "409", "413", "415", "422")
    if "If-Match" in headers:
        yield from ("412", "428")


def _problem_response(status: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": _STATUS_DESCRIPTIONS[status], "content": {CONTENT_TYPE: {"schema": schema}}}
