"""The header that names the texts of a request which were not stored as they were sent."""

from __future__ import annotations

from urllib.parse import quote

from rest_framework.response import Response

from apps.api.framework.requests import ApiRequest

TEXT_CHANGES = "Continuity-Text-Changes"
_MOST = 20


def text_change_header(request: ApiRequest, response: Response) -> None:
    """Name each changed text by its JSON pointer, percent-encoded, with what was changed: the first twenty."""
    if request.text_changes:
        named = [f"{quote(pointer)} {'+'.join(changes)}" for pointer, changes in request.text_changes.items()]
        response[TEXT_CHANGES] = ", ".join(named[:_MOST])
