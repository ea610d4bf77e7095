"""Keyset pagination over HTTP: signed opaque cursors and one page format for every list."""

from __future__ import annotations

import base64
import binascii
import hmac
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import urlencode

from django.utils.crypto import salted_hmac
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.framework.serializers import prepared
from apps.common.errors import Invalid
from apps.common.pagination import Page

DEFAULT_LIMIT, LARGEST_LIMIT = 50, 200
_SIGNATURE_LENGTH = 9


@dataclass(frozen=True, slots=True)
class Window:
    """The requested part of a list; pass it to a selector as `after=…, limit=…`."""

    after: str | None
    limit: int


def window(request: Request) -> Window:
    """From `?limit=` and `?cursor=`."""
    cursor = request.query_params.get("cursor")
    return Window(_opened(cursor, _list_name(request)) if cursor else None, _limit(request))


def page_response(request: Request, page: Page[Any], shape: type[serializers.Serializer[Any]]) -> Response:
    """The page as every list is shown, with the address of the next in Link."""
    cursor = _signed(page.next_cursor, _list_name(request)) if page.next_cursor is not None else None
    data = [prepared(shape).to_representation(one) for one in page.data]
    headers = {"Link": f'<{_address(request, cursor)}>; rel="next"'} if cursor else {}
    return Response({"data": data, "next_cursor": cursor, "has_more": cursor is not None}, headers=headers)


@cache
def page_serializer(shape: type[serializers.Serializer[Any]]) -> type[serializers.Serializer[Any]]:
    """The serializer of a page of `shape`, for the schema."""
    fields = {
        "data": shape(many=True),
        "next_cursor": serializers.CharField(allow_null=True),
        "has_more": serializers.BooleanField(),
    }
    return type(f"{shape.__name__.removesuffix('Serializer')}PageSerializer", (serializers.Serializer,), fields)


def _limit(request: Request) -> int:
    text = request.query_params.get("limit", str(DEFAULT_LIMIT))
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= LARGEST_LIMIT):
        raise _invalid("limit", f"Must be a whole number from 1 to {LARGEST_LIMIT}.")
    return int(text)


def _list_name(request: Request) -> str:
    """Refuse a cursor of another list, whose order may differ."""
    match = request.resolver_match
    return match.url_name or match.route if match else ""


def _signed(value: str, name: str) -> str:
    return base64.urlsafe_b64encode(_signature(value, name) + value.encode()).decode().rstrip("=")


def _opened(cursor: str, name: str) -> str:
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        value = raw[_SIGNATURE_LENGTH:].decode()
    except (binascii.Error, ValueError) as error:
        raise _invalid("cursor", "This is not a cursor of this list.") from error
    if not hmac.compare_digest(raw[:_SIGNATURE_LENGTH], _signature(value, name)):
        raise _invalid("cursor", "This is not a cursor of this list.")
    return value


def _signature(value: str, name: str) -> bytes:
    return salted_hmac(f"cursor {name}", value, algorithm="sha256").digest()[:_SIGNATURE_LENGTH]


def _address(request: Request, cursor: str) -> str:
    query = {**request.query_params.dict(), "cursor": cursor}
    return f"{request.path}?{urlencode(query)}"


def _invalid(parameter: str, detail: str) -> Invalid:
    error = {"pointer": f"?{parameter}", "code": "invalid", "detail": detail}
    return Invalid(f"{parameter}: {detail}", extra={"errors": [error]})
