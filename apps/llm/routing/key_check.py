"""Free check of a provider key: request the list of models that it may use."""

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

MODEL_LIMIT = 50
_LIMIT_S, _CONNECT_S = 10.0, 5.0
_LARGEST_ANSWER = 8 * 1024 * 1024
_LONGEST_NAME = 120
_ANTHROPIC_VERSION = "2023-06-01"


def models_for(backend: str, key: SecretStr, address: str) -> tuple[str, ...]:
    """The names of the models that the key may use, up to `MODEL_LIMIT`.

    Raises `ModelError` if the key is rejected or the provider does not answer. No transaction may be open.
    """
    require_no_transaction()
    spec = provider_spec(backend)
    headers = _headers(spec.adapter, key.get_secret_value())
    if spec.key_check_path:
        _get_json(f"{address}{spec.key_check_path}", headers)
    return _names(_get_json(f"{address}{_path(spec.adapter)}", headers))


def _path(adapter: Adapter) -> str:
    return "/v1/models" if adapter is Adapter.ANTHROPIC else "/models"


def _headers(adapter: Adapter, key: str) -> dict[str, str]:
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ModelError("unauthorized", "This is not a valid key: it contains invalid characters.")
    if adapter is Adapter.ANTHROPIC:
        return {"x-api-key": key, "anthropic-version": _ANTHROPIC_VERSION}
    return {"authorization": f"Bearer {key}"} if key else {}


def _get_json(url: str, headers: Mapping[str, str]) -> Any:
    """The response's JSON. Redirects are not followed, because they could send the key to another host."""
    transport = import_module("httpx2")
    deadline = time.monotonic() + _LIMIT_S
    with _as_model_errors(transport):
        times = transport.Timeout(_LIMIT_S, connect=_CONNECT_S)
        with transport.stream("GET", url, headers=headers, timeout=times, follow_redirects=False) as answer:
            if answer.status_code >= 400:
                raise status_error(answer.status_code, None, answer.headers)
            if answer.status_code != 200:
                raise ModelError("malformed", "This URL does not respond like the provider's API. Check the base URL.")
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
        raise ModelError("malformed", "This URL does not respond like the provider's API. Check the base URL.")
    ids = [row.get("id") for row in listed if isinstance(row, dict)]
    # Google prefixes names with the resource type.
    names = [name.removeprefix("models/") for name in ids if isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME]
    return tuple(name for name in names if name.isprintable())[:MODEL_LIMIT]


@contextmanager
def _as_model_errors(transport: Any) -> Iterator[None]:
    """Translate errors of the transport, without their texts."""
    try:
        yield
        return
    except transport.TimeoutException:
        error = ModelError("timeout")
    except (transport.RequestError, transport.InvalidURL):
        error = ModelError("unavailable")
    except (ValueError, RecursionError):
        error = ModelError("malformed", "This URL does not respond like the provider's API. Check the base URL.")
    raise error from None
