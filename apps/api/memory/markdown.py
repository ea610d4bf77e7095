"""Parser of Markdown request bodies for memory imports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import BaseParser

from apps.common.errors import Invalid, TooLarge

MARKDOWN_TYPE = "text/markdown"


class MarkdownParser(BaseParser):
    """Parse the body into an object with the field `markdown`."""

    media_type = MARKDOWN_TYPE

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, str]:
        limit: int = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body: bytes = stream.read(limit + 1)
        if len(body) > limit:
            raise TooLarge(f"A request body can have at most {limit} bytes.")
        try:
            return {"markdown": body.decode("utf-8-sig")}
        except UnicodeDecodeError as error:
            raise Invalid("The body is not valid UTF-8.") from error
