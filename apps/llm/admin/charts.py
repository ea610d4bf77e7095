"""Usage charts for the admin console: server-rendered SVG by day, and tables by purpose and model."""

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
    """Format an amount; four decimals for amounts below ten cents.

    >>> dollars(1_234_567), dollars(1_234), dollars(0), dollars(None)
    ('$1.23', '$0.0012', '$0.00', None)
    """
    if micros is None:
        return None
    return f"${micros / 1_000_000:,.{4 if 0 < micros < 100_000 else 2}f}"


def usage_plots(request: HttpRequest) -> dict[str, Any]:
    """Template context for the charts of the filtered workspace, or of all; a limit is drawn only for one workspace."""
    workspace_id = _filtered_workspace(request)
    ceiling = Ceilings.of(_policy(workspace_id)).tokens if workspace_id else None
    first = day_of(timezone.now()) - timedelta(days=DAYS - 1)
    return {
        "usage_days": DAYS,
        "usage_plot": plot(_bars(workspace_id, first), ceiling),
        "usage_tables": _tables(workspace_id, first),
    }


def plot(bars: Sequence[Bar], ceiling: int | None) -> SafeString:
    """Render bars as SVG, with a line at the ceiling."""
    top = max(1, ceiling or 0, *(bar.tokens for bar in bars))
    step = _WIDTH / len(bars)
    rects = format_html_join("", _BAR, (_rect(bar, number * step, step, top) for number, bar in enumerate(bars)))
    line = SafeString("")
    if ceiling:
        height = _HEIGHT - round(_HEIGHT * ceiling / top)
        line = format_html(_CEILING, height, _WIDTH, height, f"{ceiling:,}")
    label = f"Tokens by day from {bars[0].day} to {bars[-1].day}, at most {max(bar.tokens for bar in bars):,}"
    return format_html(_PLOT, _WIDTH, _HEIGHT + 1, label, rects, line)


_PLOT = '<svg class="console-plot" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>'
_BAR = '<rect class="console-bar" x="{}" y="{}" width="{}" height="{}"><title>{}</title></rect>'
_CEILING = '<line class="console-ceiling" x1="0" y1="{}" x2="{}" y2="{}"><title>Daily limit: {} tokens</title></line>'


def _rect(bar: Bar, left: float, step: float, top: int) -> tuple[str, str, str, str, str]:
    height = max(_HEIGHT * bar.tokens / top, 1.0 if bar.tokens else 0.0)
    title = f"{bar.day}: {bar.tokens:,} tokens, {dollars(bar.cost_micros)}"
    return f"{left:.1f}", f"{_HEIGHT - height:.1f}", f"{step - _GAP:.1f}", f"{height:.1f}", title


def _bars(workspace_id: UUID | None, first: date) -> list[Bar]:
    rows = SpendDay.objects.filter(day__gte=first)
    rows = rows.filter(workspace_id=workspace_id) if workspace_id else rows
    sums = rows.values("day").annotate(all_tokens=Sum("tokens"), all_cost=Sum("cost_micros"))
    by_day = {row["day"]: Bar(row["day"], row["all_tokens"], row["all_cost"]) for row in sums}
    days = [first + timedelta(days=number) for number in range(DAYS)]
    return [by_day.get(day, Bar(day, 0, 0)) for day in days]


def _tables(workspace_id: UUID | None, first: date) -> list[tuple[str, list[tuple[str, str, str, str, str]]]]:
    """Tables by purpose and by model. Filters by primary key, because no index covers time across workspaces."""
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
    by_cost = sorted(sums.items(), key=lambda item: (-item[1].cost_micros, -item[1].tokens))
    return [(name, f"{one.calls:,}", f"{one.failed:,}", f"{one.tokens:,}", _cost(one)) for name, one in by_cost]


def _cost(sums: Sums) -> str:
    if sums.unpriced_calls == sums.calls:
        return "price unknown"
    cost = dollars(sums.cost_micros) or ""
    return f"{cost} and {sums.unpriced_calls:,} calls of unknown price" if sums.unpriced_calls else cost


def _policy(workspace_id: UUID) -> Policy:
    row = WorkspacePolicy.objects.filter(workspace_id=workspace_id).first()
    return policy_effective(row.overrides if row else {})


def _filtered_workspace(request: HttpRequest) -> UUID | None:
    try:
        return UUID(request.GET.get("workspace__id__exact", ""))
    except ValueError:
        return None
