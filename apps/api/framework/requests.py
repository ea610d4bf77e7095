"""Requests whose actor is known before the handler runs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.actors import Actor
from apps.accounts.records import KeyHolder
from apps.engine.text.normal_form import TextChange

TEXT_CHANGES = "Continuity-Text-Changes"
_MOST_NAMED, _LONGEST_NAMED = 20, 100


class ApiRequest(Request):
    """`actor` is set for every view in a workspace; `text_changes` are those of the body's texts, by pointer."""

    actor: Actor
    text_changes: Mapping[str, tuple[TextChange, ...]] = MappingProxyType({})

    @property
    def user_id(self) -> UUID:
        """Return the id of the user authenticated by session or key."""
        user: Any = self.user
        user_id: UUID = user.id
        return user_id

    @property
    def key_holder(self) -> KeyHolder | None:
        return self.auth if isinstance(self.auth, KeyHolder) else None

    @property
    def is_by_browser(self) -> bool:
        """Whether a person's session sent it, and no key."""
        return self.key_holder is None

    def _load_stream(self) -> None:
        """The framework takes a body without Content-Length for an empty one; chunked bodies have none."""
        super()._load_stream()  # type: ignore[misc]  # the stubs leave it out
        if self._stream is None and "chunked" in self.META.get("HTTP_TRANSFER_ENCODING", "").lower():
            self._stream = self._request


def text_change_header(request: ApiRequest, response: Response) -> None:
    """Name each text of the body that was changed before it was stored: the first twenty.

    Each by its JSON pointer, percent-encoded and cut after a hundred characters, with what was changed.
    """
    if request.text_changes:
        first = islice(request.text_changes.items(), _MOST_NAMED)
        named = (f"{quote(pointer[:_LONGEST_NAMED])} {'+'.join(changes)}" for pointer, changes in first)
        response[TEXT_CHANGES] = ", ".join(named)


def request_id(request: HttpRequest | Request) -> str:
    """The id that the outermost middleware gave, for logs and for the person who reports a failure."""
    plain: Any = getattr(request, "_request", request)
    value: str = getattr(plain, "request_id", "")
    return value
