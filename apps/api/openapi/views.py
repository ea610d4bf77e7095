"""Views of the OpenAPI schema and its documentation page, served without third-party hosts."""

from __future__ import annotations

import hashlib
from functools import cache
from threading import Lock
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.encoding import force_bytes
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularSwaggerSplitView

from apps.api.framework.problem_details import plain_response, problem_of_status

Format = Literal["json", "yaml"]
_RENDERERS = {"json": OpenApiJsonRenderer, "yaml": OpenApiYamlRenderer}
_TYPES = {"json": "application/vnd.oai.openapi+json", "yaml": "application/vnd.oai.openapi"}
# The generator keeps its state in classes and modules: two at once fail.
_generating = Lock()
_AN_HOUR = "public, max-age=3600"
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@require_safe
def schema(request: HttpRequest) -> HttpResponseBase:
    """The schema as YAML, or as JSON with `?format=json` or by the Accept header."""
    chosen = request.GET.get("format") or ("json" if "json" in request.headers.get("Accept", "") else "yaml")
    if chosen not in ("json", "yaml"):
        return plain_response(problem_of_status(400, "invalid", "The format must be json or yaml."), request)
    with _generating:
        text, etag = _rendered(chosen)
    known = etag in parse_etags(request.headers.get("If-None-Match", ""))
    response = HttpResponseNotModified() if known else HttpResponse(text, content_type=_TYPES[chosen])
    response["ETag"], response["Cache-Control"] = etag, _AN_HOUR
    patch_vary_headers(response, ["Accept"])
    return response


@cache
def _rendered(form: Format) -> tuple[bytes, str]:
    """Return the schema and its entity tag. Generating it takes half a second, and it depends on the code alone."""
    document = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    text = force_bytes(_RENDERERS[form]().render(document, renderer_context={}))
    return text, f'"{hashlib.sha256(text).hexdigest()[:32]}"'


class DocsView(SpectacularSwaggerSplitView):
    throttle_classes = ()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        response["Content-Security-Policy"] = _PAGE_POLICY
        return response
