"""Settling a day's spending: what calls really took, for what they held."""

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
    """Count what calls took, in the days that they began in, in one statement. Inside a unit, as late as may be: it
    holds the day's row. Without ceilings too, so that one that is set at noon knows of the morning."""
    values: list[Any] = []
    for day, more in sorted(_by_day(reports).items()):
        values += [uuid7(), current_workspace_id(), day, more.tokens, more.cost_micros]
    if values:
        rows = ", ".join(["(%s, %s, %s, %s, %s)"] * (len(values) // 5))
        with connection.cursor() as cursor:
            cursor.execute(_SETTLE.format(rows=rows), values)


def _by_day(reports: Sequence[CallReport]) -> dict[date, Spent]:
    """What the offline provider says no model was paid for."""
    found: dict[date, Spent] = {}
    for report in reports:
        if report.provider == OFFLINE_MODEL:
            continue
        reservation = report.reservation or Reservation(day_of(timezone.now()))
        before = found.get(reservation.day, Spent())
        cost = (report.cost_micros or 0) - reservation.cost_micros
        found[reservation.day] = Spent(before.tokens + report.tokens - reservation.tokens, before.cost_micros + cost)
    return found
