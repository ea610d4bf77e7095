"""Changes of a stored row: what is absent stays as it is, also where null is a value of its own."""

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
    """The fields of a dataclass that are to change, with their new values."""
    return {name: value for name, value in asdict(change).items() if value is not UNCHANGED}
