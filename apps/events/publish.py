"""Telling what happened, after the commit: a failure to tell never turns a stored write into an error."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

import structlog
from django.db import transaction

from apps.events.types import Event

_log = structlog.get_logger("continuity.events")


def publish(event: Event) -> None:
    """Tell once the current transaction has committed; not at all if it is rolled back."""
    transaction.on_commit(partial(_tell, event), robust=True)


def _tell(event: Event) -> None:
    _log.info(type(event).__name__, **{name: str(value) for name, value in asdict(event).items()})
