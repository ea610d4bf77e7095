"""Plain HTTP requests to a fake provider."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any


def post(url: str, body: Any, headers: Mapping[str, str]) -> tuple[int, bytes]:
    return _called(urllib.request.Request(url, json.dumps(body).encode(), dict(headers)))  # noqa: S310  # our own loopback address


def get(url: str, headers: Mapping[str, str]) -> tuple[int, Any]:
    status, body = _called(urllib.request.Request(url, None, dict(headers)))  # noqa: S310  # as above
    return status, json.loads(body)


def _called(request: urllib.request.Request) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310  # as above
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()
