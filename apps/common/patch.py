"""Partial updates of a stored row: absent fields are unchanged, and null is a value."""

from __future__ import annotations

from dataclasses import asdict
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class Unchanged(Enum):
    UNCHANGED = "unchanged"


UNCHANGED: Final = Unchanged.UNCHANGED


def changes_of(change: DataclassInstance) -> dict[str, Any]:
    """Return the dataclass's fields that are set, with their new values."""
    return {name: value for name, value in asdict(change).items() if value is not UNCHANGED}
