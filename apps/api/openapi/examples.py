"""Request and response examples of every operation, one JSON file per package of the API.

A file maps operation ids to examples. `$conversation_id` and the like stand for ids, which tests replace by real ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, NotRequired, TypedDict

from drf_spectacular.utils import OpenApiExample

_API = Path(__file__).parents[1]
_JSON = "application/json"
_NAMES = (
    *("workspace", "user", "key", "operation", "conversation", "message", "pin", "run", "memory", "node", "other_node"),
    *("revision", "change", "invitation", "item", "agent", "import", "end_user"),
)
EXAMPLE_IDS = {
    **{f"{name}_id": f"019a4f2e-6b00-7000-8000-{number:012d}" for number, name in enumerate(_NAMES, 1)},
    "invitation_secret": "xJ4tG0yqUoZ1cVbE7nRk2LwS",
    "user_code": "BCDF-GHJK",
    "device_code": "u2nD0lq3mYtVbX4zR8cWkPjS6hF1aGe9oTiQvN5xLrA",
}


class Example(TypedDict):
    """A request and its successful response. A response that is not JSON is a string, and its media type is given."""

    status: int
    query: NotRequired[dict[str, Any]]
    path: NotRequired[dict[str, str]]
    request: NotRequired[Any]
    request_type: NotRequired[str]
    response: NotRequired[Any]
    response_type: NotRequired[str]


@cache
def example_files() -> tuple[Path, ...]:
    return tuple(sorted(_API.glob("*/examples.json")))


def examples_with(ids: Mapping[str, object]) -> dict[str, Example]:
    """Return the examples by operation id, with the given ids."""
    examples: dict[str, Example] = {}
    for file in example_files():
        examples |= json.loads(Template(file.read_text()).safe_substitute(ids))
    return examples


@cache
def documented_examples() -> dict[str, Example]:
    return examples_with(EXAMPLE_IDS)


def openapi_examples(operation_id: str) -> list[OpenApiExample]:
    """Return the examples of an operation for its description."""
    example = documented_examples().get(operation_id)
    if example is None:
        return []
    shown = []
    if "request" in example:
        media_type = example.get("request_type", _JSON)
        shown.append(OpenApiExample("Request", example["request"], request_only=True, media_type=media_type))
    if "response" in example:
        media_type, status = example.get("response_type", _JSON), [str(example["status"])]
        response = OpenApiExample(
            "Response", example["response"], response_only=True, media_type=media_type, status_codes=status
        )
        shown.append(response)
    return shown


def parameter_example(operation_id: str, name: str) -> Any:
    """Return an operation's example of a path or query parameter, or None."""
    example = documented_examples().get(operation_id)
    if example is None:
        return None
    values = {**EXAMPLE_IDS, **example.get("path", {}), **example.get("query", {})}
    return values.get(name)
