"""The single-page app's document, served at each of its addresses."""

from __future__ import annotations

import re
import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt, ensure_csrf_cookie

from apps.api.framework.error_pages import not_found
from apps.api.framework.problem_details import plain_response, problem_of_status

# Every path that no other URL matches and that does not look like a file. The page has its own screen for the others.
_SCREENS = re.compile(
    r"/(?:sign-in|sign-up|join/[^/]+|pair|c/[^/]+|memory(?:/.*)?|sessions(?:/.*)?|settings(?:/[^/]*)?)?/?"
)
PAGE_ADDRESSES = r"^(?!(?:api|admin|static|assets|ws|healthz|readyz)(?:/|$))(?:.*/)?[^/.]*$"
NONCE_PLACE = "__CSP_NONCE__"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_NOT_BUILT = """\
The web app has not been built on this machine.

Run `make page` (or `make up`, which also builds it), then reload this page.
The API under /api/ works without it.
"""


@csrf_exempt
@ensure_csrf_cookie
def page(request: HttpRequest) -> HttpResponseBase:
    """Serve the document; with 404 where it has no screen.

    Styles that the page makes itself carry a nonce, another one in each response.
    """
    is_screen = _SCREENS.fullmatch(request.path) is not None
    if request.method not in {"GET", "HEAD"} and not is_screen:
        return not_found(request)
    if request.method not in {"GET", "HEAD"}:
        refused = problem_of_status(
            405, "method_not_allowed", "Pages only support GET and HEAD.", headers={"Allow": "GET, HEAD"}
        )
        return plain_response(refused, request)
    try:
        document = (settings.PAGE_ROOT / "index.html").read_text(encoding="utf-8")
    except FileNotFoundError:
        return HttpResponse(_NOT_BUILT, status=503, content_type="text/plain; charset=utf-8", headers=_headers("none"))
    nonce = secrets.token_urlsafe(16)
    status = 200 if is_screen else 404
    return HttpResponse(document.replace(NONCE_PLACE, nonce), status=status, headers=_headers(nonce))


def _headers(nonce: str) -> dict[str, str]:
    """Never cached, because it refers to the files of the newest build."""
    return {"Cache-Control": "no-cache", "Content-Security-Policy": _POLICY.format(nonce=nonce)}
