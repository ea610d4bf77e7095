"""The bytes of a transcript as a request carries them: plain text, or compressed, which keeps damaged bytes as they
are."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from typing import Any

from apps.conversations.imports.field_checks import BadMessage, optional_text, required_text

LARGEST_TRANSCRIPT = 64 * 1024 * 1024
_GZIP = 31
"""The window bits that make zlib read the gzip format."""


def content_of(fields: Mapping[str, Any]) -> bytes:
    """The bytes in `text` (lines as they are) or `gzip` (base64 of compressed lines).

    >>> content_of({"text": "{}"})
    b'{}'
    """
    text = optional_text(fields, "text", LARGEST_TRANSCRIPT)
    return text.encode() if text is not None else _decompressed(required_text(fields, "gzip"))


def _decompressed(encoded: str) -> bytes:
    try:
        reader = zlib.decompressobj(_GZIP)
        content = reader.decompress(base64.b64decode(encoded, validate=True), LARGEST_TRANSCRIPT)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise BadMessage("bad_gzip", "gzip must be base64 of gzip data") from error
    if reader.unconsumed_tail:
        raise BadMessage("too_long", f"a transcript's part can have at most {LARGEST_TRANSCRIPT} bytes; split it")
    if not reader.eof:
        raise BadMessage("bad_gzip", "the gzip data ends in the middle")
    return content
