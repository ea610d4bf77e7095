"""Usage at a glance for the console: a plot by day with the limit, sums by purpose and model. No script draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Sum
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.accounts.models import WorkspacePolicy
from apps.accounts.selectors.policies import policy_effective
from apps.common.admin_base import first_id_at
from apps.engine.policy import Policy
from apps.llm.budget.rules import Ceilings, day_of
from apps.llm.models import ModelUsage, SpendDay
from apps.llm.records import Sums
from apps.llm.selectors.usage import grouped_usage, sums_of

DAYS = 30
_WIDTH, _HEIGHT, _GAP = 720, 140, 2


@dataclass(frozen=True, slots=True)
class Bar:
    day: date
    tokens: int
    cost_micros: int


def dollars(micros: int | None) -> str | None:
    """Small amounts with all that counts.

    >>> dollars(1_234_567), dollars(1_234), dollars(0), dollars(None)
    ('$1.23', '$0.0012', '$0.00', None)
    """
    if micros is None:
        return None
    return f"${micros / 1_000_000:,.{4 if 0 < micros < 100_000 else 2}f}"


def usage_plots(request: HttpRequest) -> dict[str, Any]:
    """Of the workspace that the list is filtered by, else of all; only of one there is a limit to be drawn."""
    workspace_id = _wanted(request)
    ceiling = Ceilings.of(_policy(workspace_id)).tokens if workspace_id else None
    first = day_of(timezone.now()) - timedelta(days=DAYS - 1)
    return {
        "usage_days": DAYS,
        "usage_plot": plot(_bars(workspace_id, first), ceiling),
        "usage_tables": _tables(workspace_id, first),
    }


def plot(bars: Sequence[Bar], ceiling: int | None) -> SafeString:
    top = max(1, ceiling or 0, *(bar.tokens for bar in bars))
    step = _WIDTH / len(bars)
    drawn = format_html_join("", _BAR, (_drawn(bar, number * step, step, top) for number, bar in enumerate(bars)))
    line = SafeString("")
    if ceiling:
        height = _HEIGHT - round(_HEIGHT * ceiling / top)
        line = format_html(_CEILING, height, _WIDTH, height, f"{ceiling:,}")
    told = f"Tokens by day from {bars[0].day} to {bars[-1].day}, at most {max(bar.tokens for bar in bars):,}"
    return format_html(_PLOT, _WIDTH, _HEIGHT + 1, told, drawn, line)


_PLOT = '<svg class="console-plot" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>'
_BAR = '<rect class="console-bar" x="{}" y="{}" width="{}" height="{}"><title>{}</title></rect>'
_CEILING = (
    '<line class="console-ceiling" x1="0" y1="{}" x2="{}" y2="{}"><title>The limit of a day: {} tokens</title></line>'
)


def _drawn(bar: Bar, left: float, step: float, top: int) -> tuple[str, str, str, str, str]:
    height = max(_HEIGHT * bar.tokens / top, 1.0 if bar.tokens else 0.0)
    told = f"{bar.day}: {bar.tokens:,} tokens, {dollars(bar.cost_micros)}"
    return f"{left:.1f}", f"{_HEIGHT - height:.1f}", f"{step - _GAP:.1f}", f"{height:.1f}", told


def _bars(workspace_id: UUID | None, first: date) -> list[Bar]:
    rows = SpendDay.objects.filter(day__gte=first)
    rows = rows.filter(workspace_id=workspace_id) if workspace_id else rows
    sums = rows.values("day").annotate(all_tokens=Sum("tokens"), all_cost=Sum("cost_micros"))
    found = {row["day"]: Bar(row["day"], row["all_tokens"], row["all_cost"]) for row in sums}
    days = [first + timedelta(days=number) for number in range(DAYS)]
    return [found.get(day, Bar(day, 0, 0)) for day in days]


def _tables(workspace_id: UUID | None, first: date) -> list[tuple[str, list[tuple[str, str, str, str, str]]]]:
    """Over the primary key, for all workspaces have no index by time."""
    rows = ModelUsage.objects.filter(id__gte=first_id_at(timezone.now() - timedelta(days=DAYS)))
    rows = rows.filter(workspace_id=workspace_id) if workspace_id else rows
    by_purpose: dict[str, Sums] = {}
    by_model: dict[str, Sums] = {}
    for group in grouped_usage(rows, first):
        name = f"{group['model']} ({group['provider']})"
        by_purpose[group["purpose"]] = by_purpose.get(group["purpose"], Sums()) + sums_of(group)
        by_model[name] = by_model.get(name, Sums()) + sums_of(group)
    return [("Purpose", _lines(by_purpose)), ("Model", _lines(by_model))]


def _lines(sums: dict[str, Sums]) -> list[tuple[str, str, str, str, str]]:
    dearest = sorted(sums.items(), key=lambda item: (-item[1].cost_micros, -item[1].tokens))
    return [(name, f"{one.calls:,}", f"{one.failed:,}", f"{one.tokens:,}", _cost(one)) for name, one in dearest]


def _cost(sums: Sums) -> str:
    if sums.unpriced_calls == sums.calls:
        return "no price known"
    told = dollars(sums.cost_micros) or ""
    return f"{told} and {sums.unpriced_calls:,} calls of no known price" if sums.unpriced_calls else told


def _policy(workspace_id: UUID) -> Policy:
    row = WorkspacePolicy.objects.filter(workspace_id=workspace_id).first()
    return policy_effective(row.overrides if row else {})


def _wanted(request: HttpRequest) -> UUID | None:
    try:
        return UUID(request.GET.get("workspace__id__exact", ""))
    except ValueError:
        return None
