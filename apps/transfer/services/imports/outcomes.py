"""Outcomes of single items while a batch is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import DataError, IntegrityError, transaction

from apps.common.errors import ContinuityError
from apps.conversations.field_checks import BadMessage
from apps.transfer.models import ImportedItem, ImportStatus
from apps.transfer.records import MOST_PROBLEMS, ImportedResult, ItemProblem

CONFIRMED, NOT_CONFIRMED, WAITING = "confirmed", "not_confirmed", "waiting"
"""Reasons: the memory waited in the inbox and is accepted now; what nobody confirmed is not stored; it waits now."""


class NotImported(Exception):
    """The reason why an item is not stored: what it would become is recorded already, or was deleted."""

    def __init__(self, status: ImportStatus, reason: str) -> None:
        super().__init__(status, reason)
        self.status = status
        self.reason = reason


@dataclass
class Outcome:
    """What became of one item; `is_final` if it was decided before and needs no row."""

    key: str
    kind: str
    digest: str
    status: ImportStatus = ImportStatus.CREATED
    reason: str = ""
    detail: str = ""
    node_id: UUID | None = None
    address: str = ""
    conversation_id: UUID | None = None
    session_id: UUID | None = None
    messages: int = 0
    problems: list[ItemProblem] = field(default_factory=list)
    earlier: ImportedItem | None = None

    def refuse(self, reason: str, detail: str = "") -> None:
        self.status, self.reason, self.detail = ImportStatus.REFUSED, reason[:60], detail

    def end(self, status: ImportStatus, reason: str = "") -> None:
        self.status, self.reason = status, reason[:60]

    def note(self, problems: Sequence[ItemProblem]) -> None:
        self.problems += problems[: MOST_PROBLEMS - len(self.problems)]

    def result(self, *, without_ids: bool = False) -> ImportedResult:
        """Its result; after a dry run the ids of what it would create exist nowhere."""
        is_virtual = without_ids and self.status is ImportStatus.CREATED
        return ImportedResult(
            key=self.key,
            kind=self.kind,
            status=self.status.value,
            reason=self.reason,
            detail=self.detail,
            address=self.address,
            node_id=None if is_virtual else self.node_id,
            conversation_id=None if is_virtual else self.conversation_id,
            session_id=None if is_virtual else self.session_id,
            messages=self.messages,
            problems=tuple(self.problems),
        )


def attempt(outcome: Outcome, store: Callable[[], None]) -> bool:
    """Store something in a savepoint of its own; note why that failed, and return whether it did not."""
    try:
        with transaction.atomic():
            store()
        return True
    except NotImported as reason:
        outcome.end(reason.status, reason.reason)
    except BadMessage as bad:
        outcome.refuse(bad.code, bad.detail)
    except ContinuityError as error:
        outcome.refuse(error.code, error.detail)
    except (DataError, IntegrityError):
        outcome.refuse("not_storable", "One of its values cannot be stored.")
    return False


def problems_json(problems: Sequence[ItemProblem]) -> list[dict[str, Any]]:
    return [{"line": one.line, "code": one.code, "detail": one.detail} for one in problems]


def problems_of(stored: Sequence[dict[str, Any]]) -> list[ItemProblem]:
    return [ItemProblem(**one) for one in stored]
