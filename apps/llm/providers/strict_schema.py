"""Conversion of JSON schemas to the subset that OpenAI's strict mode enforces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Keywords that strict mode cannot express; a schema that needs one is sent as non-strict.
_UNSUPPORTED = frozenset(
    {
        *("allOf", "oneOf", "not", "if", "then", "else", "prefixItems", "patternProperties"),
        *("propertyNames", "dependentRequired", "dependentSchemas", "contains", "unevaluatedProperties"),
    }
)
# Keywords that strict mode rejects. Dropping them is safe, because every answer is validated afterwards.
_DROPPED = frozenset(
    {"default", "examples", "minLength", "maxLength", "uniqueItems", "minProperties", "maxProperties", "discriminator"}
)
_NAMED = ("properties", "$defs", "definitions")


class _NotStrict(Exception):
    """The schema needs a keyword that strict mode does not support."""


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """Close every object and require all its fields; None if the schema cannot be expressed that way.

    >>> strict_schema({"type": "object", "properties": {"a": {"type": "string", "default": ""}}})
    {'type': 'object', 'properties': {'a': {'type': 'string'}}, 'additionalProperties': False, 'required': ['a']}
    >>> strict_schema({"type": "object", "additionalProperties": {"type": "string"}}) is None
    True
    """
    if schema.get("type") != "object":
        return None
    try:
        return _strict(schema)
    except _NotStrict:
        return None


def _strict(schema: Any) -> dict[str, Any]:
    if not isinstance(schema, Mapping) or not schema or _UNSUPPORTED & schema.keys():
        raise _NotStrict
    if "$ref" in schema:
        # A reference must have no sibling keywords.
        return {"$ref": schema["$ref"]}
    strict = {name: value for name, value in schema.items() if name not in _DROPPED}
    for name in _NAMED:
        if name in strict:
            strict[name] = {key: _strict(value) for key, value in strict[name].items()}
    if "items" in strict:
        strict["items"] = _strict(strict["items"])
    if "anyOf" in strict:
        strict["anyOf"] = [_strict(variant) for variant in strict["anyOf"]]
    return _closed(strict) if strict.get("type") == "object" else strict


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    if not schema.get("properties") or schema.get("additionalProperties"):
        raise _NotStrict
    return {**schema, "additionalProperties": False, "required": list(schema["properties"])}
