"""Reads of the usage ledger."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from apps.accounts.actors import Actor, require
from apps.accounts.permissions import Permission
from apps.llm.budget.pricing import prices
from apps.llm.budget.rules import day_of
from apps.llm.middleware.metering import CANCELLED, OK
from apps.llm.models import CountSource, ModelUsage
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.llm.records import (
    DaySums,
    ModelSums,
    PurposeSums,
    Spending,
    Sums,
    UsageOverview,
    UsageRecord,
    usage_record_of,
)

_BY = ("day", "purpose", "provider", "model")

Group = dict[str, Any]
Key = TypeVar("Key", bound=Hashable)


def usage_of_replies(message_ids: Collection[UUID]) -> dict[UUID, UsageRecord]:
    """Usage of the calls that wrote the messages, by message id: the last attempt of each, if any."""
    rows = ModelUsage.objects.filter(message_id__in=message_ids).order_by("id")
    return {row.message_id: usage_record_of(row) for row in rows if row.message_id is not None}


def usage_overview(actor: Actor, *, days: int, spending: Spending) -> UsageOverview:
    """Usage of the last UTC days including today, without the offline provider, plus today's budget status."""
    require(actor, Permission.READ_USAGE)
    today = day_of(timezone.now())
    first = today - timedelta(days=days - 1)
    groups = list(grouped_usage(ModelUsage.objects.filter(workspace_id=actor.workspace_id), first))
    by_day = _summed(groups, _day)
    all_days = [first + timedelta(days=number) for number in range(days)]
    by_model = _summed(groups, lambda group: (str(group["provider"]), str(group["model"])))
    return UsageOverview(
        today=spending,
        days=tuple(DaySums(day, by_day.get(day, Sums())) for day in all_days),
        by_purpose=tuple(
            PurposeSums(purpose, sums) for purpose, sums in _summed(groups, lambda group: str(group["purpose"])).items()
        ),
        by_model=tuple(ModelSums(*name, sums) for name, sums in by_model.items()),
        prices_as_of=prices().as_of,
        unpriced_calls=sum(sums.unpriced_calls for sums in by_model.values()),
    )


def grouped_usage(rows: QuerySet[ModelUsage], first: date) -> Iterator[Group]:
    """Sums by day, purpose and model from a day on, in one read."""
    since = rows.filter(created_at__gte=datetime.combine(first, time(), UTC)).exclude(provider=OFFLINE_MODEL)
    groups = (
        since.annotate(day=TruncDate("created_at", tzinfo=UTC))
        .values(*_BY)
        .annotate(
            sum_input=Sum("input_tokens"),
            sum_output=Sum("output_tokens"),
            sum_cache_read=Sum("cache_read_tokens"),
            sum_cache_write=Sum("cache_write_tokens"),
            sum_cost=Sum("cost_micros", default=0),
            calls=Count("id"),
            failed=Count("id", filter=~Q(outcome__in=[OK, CANCELLED])),
            estimated=Count("id", filter=Q(source=CountSource.ESTIMATED)),
            unpriced=Count("id", filter=Q(cost_micros=None)),
        )
        .order_by()
    )
    yield from groups


def sums_of(group: Group) -> Sums:
    return Sums(
        group["sum_input"],
        group["sum_output"],
        group["sum_cache_read"],
        group["sum_cache_write"],
        group["sum_cost"],
        group["calls"],
        group["failed"],
        group["estimated"],
        group["unpriced"],
    )


def _summed(groups: Iterable[Group], key: Callable[[Group], Key]) -> dict[Key, Sums]:
    """Sums by key, in descending order of cost, then tokens."""
    sums: dict[Key, Sums] = {}
    for group in groups:
        sums[key(group)] = sums.get(key(group), Sums()) + sums_of(group)
    return dict(sorted(sums.items(), key=lambda item: (-item[1].cost_micros, -item[1].tokens, str(item[0]))))


def _day(group: Group) -> date:
    day: date = group["day"]
    return day
