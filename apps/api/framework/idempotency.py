"""Idempotent replay: a POST's first response is stored with its effect and returned to repeated requests."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from django.db import transaction
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from apps.accounts.services.idempotency import Claim, StoredAnswer, idempotency_claim, idempotency_store
from apps.api.framework.requests import ApiRequest
from apps.common.errors import Invalid
from apps.common.secrets.redaction import redacted

_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_REPLAYED_HEADERS = ("Location", "ETag")


def respond_once(request: ApiRequest, handler: Callable[[], Response]) -> Response:
    """The handler's answer, or the one a request with the same key got before. Runs inside the unit."""
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if key is None or request.method != "POST":
        return handler()
    if not _KEY.fullmatch(key):
        raise Invalid("An Idempotency-Key must have 1 to 255 visible ASCII characters.", code="invalid_idempotency_key")
    claim = idempotency_claim(request.actor, key=key, digest=_digest(request))
    return _replayed(claim.answer) if claim.answer else _stored(claim, handler())


def reject_idempotency_key(request: ApiRequest) -> None:
    """Refuse idempotency keys where responses are not stored, instead of ignoring them."""
    if request.method == "POST" and "HTTP_IDEMPOTENCY_KEY" in request.META:
        raise Invalid("This endpoint does not accept an Idempotency-Key.", code="idempotency_key_not_supported")


def _stored(claim: Claim, response: Response) -> Response:
    """Errors are not stored: a repeated request may succeed."""
    if response.status_code >= 400:
        transaction.set_rollback(True)
        return response
    body = _without_secrets(json.loads(JSONRenderer().render(response.data))) if response.data is not None else None
    headers = {name: response[name] for name in _REPLAYED_HEADERS if response.has_header(name)}
    idempotency_store(claim, StoredAnswer(response.status_code, body, headers))
    return response


def _without_secrets(value: Any) -> Any:
    """What is stored beside a message says less than the message: a repeated request is answered without secrets."""
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, dict):
        return {name: _without_secrets(item) for name, item in value.items()}
    return [_without_secrets(item) for item in value] if isinstance(value, list) else value


def _replayed(answer: StoredAnswer) -> Response:
    headers = {**answer.headers, "Idempotent-Replayed": "true"}
    return Response(answer.body, status=answer.status, headers=headers)


def _digest(request: ApiRequest) -> str:
    """The same request under /api and /api/v1 is the same."""
    path = request.get_full_path().replace("/api/v1/", "/api/", 1)
    body = json.dumps(request.data, sort_keys=True)
    return hashlib.sha256(f"{path}\n{body}".encode()).hexdigest()
