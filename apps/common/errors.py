"""The error tree. Every error of a caller is one of these; the API renders them in one format.

ContinuityError
├── Invalid                400  the request is malformed
├── NotSignedIn            401
├── Forbidden              403  known, but not allowed
├── NotFound               404  absent, or invisible to the caller
├── Conflict               409  changed concurrently, or busy
├── Ended                  410  it existed, and has ended
├── Stale                  412  the given version is outdated
├── TooLarge               413
├── Unprocessable          422  well formed, but not possible
├── PreconditionRequired   428
└── Unavailable            503  temporarily
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ContinuityError(Exception):
    """`code` is stable and for programs, `detail` is for people; `extra` is added to the problem document."""

    status = 500
    code = "internal_error"
    title = "Something went wrong"

    def __init__(self, detail: str, *, code: str = "", extra: Mapping[str, Any] | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code or type(self).code
        self.extra = dict(extra or {})


class Invalid(ContinuityError):
    status, code, title = 400, "invalid", "The request is not valid"


class NotSignedIn(ContinuityError):
    status, code, title = 401, "not_signed_in", "Sign in or send an API key"


class Forbidden(ContinuityError):
    status, code, title = 403, "forbidden", "This is not allowed"


class NotFound(ContinuityError):
    status, code, title = 404, "not_found", "Not found"


class Conflict(ContinuityError):
    status, code, title = 409, "conflict", "The request conflicts with the current state"


class Ended(ContinuityError):
    status, code, title = 410, "ended", "No longer available"


class Stale(ContinuityError):
    status, code, title = 412, "stale", "The resource has changed"


class TooLarge(ContinuityError):
    status, code, title = 413, "too_large", "The request is too large"


class Unprocessable(ContinuityError):
    status, code, title = 422, "unprocessable", "The request cannot be processed"


class PreconditionRequired(ContinuityError):
    status, code, title = 428, "precondition_required", "The If-Match header is required"


class Unavailable(ContinuityError):
    status, code, title = 503, "unavailable", "Temporarily unavailable"
