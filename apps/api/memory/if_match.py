"""Optional If-Match of deletions, which are unconditional without one."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from apps.api.framework.etags import expected_version
from apps.api.framework.requests import ApiRequest

MAY_MATCH = [
    OpenApiParameter(
        "If-Match",
        OpenApiTypes.STR,
        OpenApiParameter.HEADER,
        description="Delete it only if it is still this version.",
    )
]


def version_if_named(request: ApiRequest) -> int | None:
    return expected_version(request) if request.META.get("HTTP_IF_MATCH", "").strip() else None
