"""ETags of editable resources: If-None-Match for reads, mandatory If-Match for writes.

An ETag is `"<version>-<digest of the answer>"`. If-Match compares the version, which only edits change; If-None-Match
compares the whole, so that a counter that moved is never hidden behind a 304.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from apps.common.errors import Invalid, PreconditionRequired, Stale

_TAG = re.compile(r'(?:W/)?"([^"]*)"')
_VERSION = re.compile(r"(\d{1,9})(?:-[0-9a-f]+)?")


def versioned(request: Request, data: Any, version: int, *, status: int = 200) -> Response:
    """Add an ETag to the response, or answer 304 to a client that has this version."""
    tag = f"{version}-{hashlib.blake2s(JSONRenderer().render(data), digest_size=6).hexdigest()}"
    if request.method == "GET" and _names(request, "HTTP_IF_NONE_MATCH", tag):
        return Response(status=304, headers={"ETag": f'"{tag}"'})
    return Response(data, status=status, headers={"ETag": f'"{tag}"'})


def expected_version(request: Request) -> int | None:
    """Return the version that the writer saw, from If-Match; None for `*`, which overwrites any."""
    header = request.META.get("HTTP_IF_MATCH", "").strip()
    if header == "*":
        return None
    if not header:
        raise PreconditionRequired("Send the ETag of the version you are changing in If-Match.")
    tags = _TAG.findall(header)
    if len(tags) != 1:
        raise Invalid("If-Match must contain one ETag.", code="invalid_etag")
    version = _VERSION.fullmatch(tags[0])
    if version is None:
        raise Stale("No version has this ETag.")
    return int(version[1])


def version_if_named(request: Request) -> int | None:
    """Return the version in If-Match, for deletions, which are unconditional without one."""
    return expected_version(request) if request.META.get("HTTP_IF_MATCH", "").strip() else None


def _names(request: Request, header: str, tag: str) -> bool:
    value = request.META.get(header, "").strip()
    return value == "*" or tag in _TAG.findall(value)
