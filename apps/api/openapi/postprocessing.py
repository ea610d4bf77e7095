"""Corrections of the generated OpenAPI schema."""

from __future__ import annotations

from typing import Any

from apps.api.openapi.examples import parameter_example


def with_parameter_examples(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add examples to the parameters in path and query."""
    for operations in result["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                value = parameter_example(operation["operationId"], parameter["name"])
                if value is not None and parameter["in"] != "header":
                    parameter["example"] = value
    return result


def with_open_unions(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Describe bodies of several shapes by `anyOf`, since a body may fit more than one of them."""
    for schema in result["components"]["schemas"].values():
        if "oneOf" in schema and "discriminator" not in schema:
            schema["anyOf"] = schema.pop("oneOf")
    return result
