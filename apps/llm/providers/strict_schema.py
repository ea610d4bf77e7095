"""A JSON schema in the form that OpenAI's strict mode takes: it holds an answer to it word for word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# What the mode has no words for: who needs one of them gets a schema that the answer is only advised by.
_BEYOND = frozenset(
    {
        *("allOf", "oneOf", "not", "if", "then", "else", "prefixItems", "patternProperties"),
        *("propertyNames", "dependentRequired", "dependentSchemas", "contains", "unevaluatedProperties"),
    }
)
# What the mode refuses and the answer is checked for afterwards in any case.
_UNTOLD = frozenset(
    {"default", "examples", "minLength", "maxLength", "uniqueItems", "minProperties", "maxProperties", "discriminator"}
)
_NAMED = ("properties", "$defs", "definitions")


class _NotStrict(Exception):
    """The schema asks for something that the mode cannot hold."""


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """None where the schema cannot be put so: every object closed, every field of it required.

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
    if not isinstance(schema, Mapping) or not schema or _BEYOND & schema.keys():
        raise _NotStrict
    if "$ref" in schema:
        # A reference stands alone.
        return {"$ref": schema["$ref"]}
    strict = {name: value for name, value in schema.items() if name not in _UNTOLD}
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
