"""Trying a key where that costs nothing: the provider is asked which models the key may use."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from pydantic import SecretStr

from apps.llm.errors import ModelError
from apps.llm.middleware.metering import require_no_transaction
from apps.llm.providers.http import status_error
from apps.llm.routing.providers import Adapter, provider_spec

MOST_MODELS = 50
_LIMIT_S, _CONNECT_S = 10.0, 5.0
_LARGEST_ANSWER = 8 * 1024 * 1024
_LONGEST_NAME = 120
_ANTHROPIC_VERSION = "2023-06-01"


def models_for(backend: str, key: SecretStr, address: str) -> tuple[str, ...]:
    """The names of the models that the key may use, as far as they are told; raises `ModelError` for a key that is
    not accepted, and where nobody answers who should. No transaction may be open."""
    require_no_transaction()
    spec = provider_spec(backend)
    headers = _headers(spec.adapter, key.get_secret_value())
    if spec.key_check_path:
        _asked(f"{address}{spec.key_check_path}", headers)
    return _names(_asked(f"{address}{_path(spec.adapter)}", headers))


def _path(adapter: Adapter) -> str:
    return "/v1/models" if adapter is Adapter.ANTHROPIC else "/models"


def _headers(adapter: Adapter, key: str) -> dict[str, str]:
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ModelError("unauthorized", "This is not a key: it holds characters that no key holds.")
    if adapter is Adapter.ANTHROPIC:
        return {"x-api-key": key, "anthropic-version": _ANTHROPIC_VERSION}
    return {"authorization": f"Bearer {key}"} if key else {}


def _asked(url: str, headers: Mapping[str, str]) -> Any:
    """The answer's JSON; redirects are not followed, for they could lead anywhere."""
    transport = import_module("httpx2")
    deadline = time.monotonic() + _LIMIT_S
    with _as_model_errors(transport):
        times = transport.Timeout(_LIMIT_S, connect=_CONNECT_S)
        with transport.stream("GET", url, headers=headers, timeout=times, follow_redirects=False) as answer:
            if answer.status_code >= 400:
                raise status_error(answer.status_code, None, answer.headers)
            if answer.status_code != 200:
                raise ModelError("malformed", "The address does not speak the provider's protocol.")
            return json.loads(_body(answer, deadline))


def _body(answer: Any, deadline: float) -> bytes:
    body = b""
    for piece in answer.iter_bytes():
        body += piece
        if time.monotonic() > deadline:
            raise ModelError("timeout")
        if len(body) > _LARGEST_ANSWER:
            raise ModelError("malformed")
    return body


def _names(answer: Any) -> tuple[str, ...]:
    listed = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(listed, list):
        raise ModelError("malformed", "The address does not speak the provider's protocol.")
    names = [row.get("id") for row in listed if isinstance(row, dict)]
    # Google's begin with the kind of thing that they are.
    told = [name.removeprefix("models/") for name in names if isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME]
    return tuple(name for name in told if name.isprintable())[:MOST_MODELS]


@contextmanager
def _as_model_errors(transport: Any) -> Iterator[None]:
    """Without the transport's own texts."""
    try:
        yield
        return
    except transport.TimeoutException:
        error = ModelError("timeout")
    except (transport.RequestError, transport.InvalidURL):
        error = ModelError("unavailable")
    except (ValueError, RecursionError):
        error = ModelError("malformed", "The address does not speak the provider's protocol.")
    raise error from None
