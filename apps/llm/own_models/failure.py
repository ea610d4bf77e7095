"""Failures of calls of the server's own models, as they travel between processes.

An error's text might contain what a person wrote: only its kind is told, and of a `ModelError` its code and detail.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from apps.llm.errors import ModelError


class OwnModelError(RuntimeError):
    """A model failed by a fault of the program; the text is the class of its error."""


@dataclass(frozen=True, slots=True)
class Failed:
    """`code` and `detail` are those of a `ModelError`; any other error has only its class, `kind`."""

    kind: str
    code: str = ""
    detail: str = ""


def failure_of(error: Exception) -> Failed:
    kind = type(error).__name__
    return Failed(kind, error.code, error.detail) if isinstance(error, ModelError) else Failed(kind)


def raise_failure(failed: Failed) -> NoReturn:
    """Raise what a call raised: a job that ran out of memory is not tried again, wherever it did."""
    if failed.code:
        raise ModelError(failed.code, failed.detail)
    if failed.kind == MemoryError.__name__:
        raise MemoryError
    raise OwnModelError(failed.kind)
