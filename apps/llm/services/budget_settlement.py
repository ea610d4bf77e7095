"""Settlement of reservations against the actual usage of calls."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db import connection
from django.utils import timezone

from apps.common.ids import uuid7
from apps.common.tenancy import current_workspace_id
from apps.llm.budget.rules import Spent, day_of
from apps.llm.middleware.metering import CallReport
from apps.llm.middleware.reservation import Reservation
from apps.llm.providers.offline import OFFLINE_MODEL

_SETTLE = """
INSERT INTO llm_spendday AS spent (id, workspace_id, day, tokens, cost_micros) VALUES {rows}
ON CONFLICT (workspace_id, day) DO UPDATE
SET tokens = spent.tokens + excluded.tokens, cost_micros = spent.cost_micros + excluded.cost_micros
"""


def spending_settle(*, reports: Sequence[CallReport]) -> None:
    """Add actual usage minus reservations to the days in which the calls began, in one statement.

    Run it late in a unit of work, because it locks the day's row. It runs without ceilings too, so that a new ceiling
    takes the whole day into account.
    """
    values: list[Any] = []
    for day, delta in sorted(_by_day(reports).items()):
        values += [uuid7(), current_workspace_id(), day, delta.tokens, delta.cost_micros]
    if values:
        rows = ", ".join(["(%s, %s, %s, %s, %s)"] * (len(values) // 5))
        with connection.cursor() as cursor:
            cursor.execute(_SETTLE.format(rows=rows), values)


def _by_day(reports: Sequence[CallReport]) -> dict[date, Spent]:
    """Usage minus reservations by day, without the offline provider, which is free."""
    by_day: dict[date, Spent] = {}
    for report in reports:
        if report.provider == OFFLINE_MODEL:
            continue
        reservation = report.reservation or Reservation(day_of(timezone.now()))
        before = by_day.get(reservation.day, Spent())
        cost = (report.cost_micros or 0) - reservation.cost_micros
        by_day[reservation.day] = Spent(before.tokens + report.tokens - reservation.tokens, before.cost_micros + cost)
    return by_day
