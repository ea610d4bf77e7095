"""Budget reservations: the maximum of a call is reserved from the daily budget before a connection is opened.

One SQL statement checks and reserves, so that concurrent calls never exceed the limit. The actual usage is settled when
the call is recorded in the ledger; until then, the next attempt of the same work reuses the unused part. The
reservation of a killed call is never released.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db import connection
from django.db.models import F
from django.utils import timezone

from apps.common.ids import uuid7
from apps.common.tenancy import current_workspace_id, workspace
from apps.engine.policy import Policy
from apps.llm.budget.rules import Ceilings, day_of
from apps.llm.errors import ModelError
from apps.llm.middleware.reservation import CallEstimate, Reservation
from apps.llm.models import SpendDay
from apps.llm.providers.base import Purpose
from apps.llm.runtime.sync_bridge import in_database
from apps.llm.selectors.reservation_estimate import most_of

BACKGROUND = "The background share of today's limit does not suffice for this call. It resets at 00:00 UTC."
CHAT = "Today's limit does not suffice for this reply. It resets at 00:00 UTC."

# The first call of a day inserts the row, all others update it, under the same limits and serialized by the row lock.
_RESERVE = """
INSERT INTO llm_spendday AS today (workspace_id, id, day, tokens, cost_micros)
SELECT %(workspace)s, %(id)s, %(day)s, %(tokens)s, %(cost_micros)s
WHERE (%(max_tokens)s::bigint IS NULL OR %(tokens)s::bigint <= %(max_tokens)s::bigint)
    AND (%(max_cost_micros)s::bigint IS NULL OR %(cost_micros)s::bigint <= %(max_cost_micros)s::bigint)
ON CONFLICT (workspace_id, day) DO UPDATE
SET tokens = today.tokens + excluded.tokens, cost_micros = today.cost_micros + excluded.cost_micros
WHERE (%(max_tokens)s::bigint IS NULL OR today.tokens + excluded.tokens <= %(max_tokens)s::bigint)
    AND (%(max_cost_micros)s::bigint IS NULL
        OR today.cost_micros + excluded.cost_micros <= %(max_cost_micros)s::bigint)
RETURNING id
"""


@dataclass(frozen=True, slots=True)
class DayGuard:
    """The guard of one workspace. Without a ceiling it makes no queries."""

    workspace_id: UUID
    policy: Policy

    async def reserve(self, estimate: CallEstimate, left: Sequence[Reservation] = ()) -> Reservation:
        """Reserve budget for a call beyond `left`, the unused reservations of earlier attempts.

        Raises `ModelError`: `recall_only`, `no_price`, or `ceiling` if the call could exceed the remaining budget.
        """
        if not self.policy.model_calls_enabled:
            raise ModelError("recall_only")
        day = day_of(timezone.now())
        if not Ceilings.of(self.policy).are_set:
            return Reservation(day)
        return await in_database(lambda: self._reserve(estimate, day, left), undo=self._release)

    def _reserve(self, estimate: CallEstimate, day: date, left: Sequence[Reservation]) -> Reservation:
        """Reserve in a separate unit of work."""
        with workspace(self.workspace_id):
            reservation = self._missing(estimate, day, left)
            limits = Ceilings.of(self.policy).for_purpose(estimate.purpose)
            is_empty = not (reservation.tokens or reservation.cost_micros)
            if not (is_empty or _add(reservation, limits)):
                raise ModelError("ceiling", CHAT if estimate.purpose is Purpose.CHAT else BACKGROUND)
        return reservation

    def _missing(self, estimate: CallEstimate, day: date, left: Sequence[Reservation]) -> Reservation:
        maximum, today = most_of(estimate, self.policy), [one for one in left if one.day == day]
        tokens = maximum.tokens - max(0, sum(one.tokens for one in today))
        cost_micros = maximum.cost_micros - max(0, sum(one.cost_micros for one in today))
        return Reservation(day, max(0, tokens), max(0, cost_micros))

    def _release(self, reservation: Reservation) -> None:
        """Undo a reservation, if the call was canceled before it began."""
        with workspace(self.workspace_id):
            SpendDay.objects.filter(day=reservation.day).update(
                tokens=F("tokens") - reservation.tokens, cost_micros=F("cost_micros") - reservation.cost_micros
            )


def _add(reservation: Reservation, limits: Ceilings) -> bool:
    """Add a reservation to the day's row, creating it if needed; False if a limit would be exceeded."""
    values = {
        "workspace": current_workspace_id(),
        "id": uuid7(),
        "day": reservation.day,
        "tokens": reservation.tokens,
        "cost_micros": reservation.cost_micros,
        "max_tokens": limits.tokens,
        "max_cost_micros": limits.cost_micros,
    }
    with connection.cursor() as cursor:
        cursor.execute(_RESERVE, values)
        return cursor.fetchone() is not None
