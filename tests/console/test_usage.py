"""Model costs in the console: a chart by day with a workspace's ceiling, sums, and exhausted workspaces."""

from __future__ import annotations

import re
from datetime import date

from django.test import Client
from django.urls import reverse

from apps.accounts.models import WorkspacePolicy
from apps.common.tenancy import workspace
from apps.llm.admin.charts import Bar, plot
from apps.llm.models import ModelUsage, RejectedAnswer, SpendDay
from tests.console.conftest import Rows
from tests.console.rows import ANSWERED
from tests.console.test_pages import url


def page(console: Client, model: type, **query: str) -> str:
    return console.get(url(model, "changelist"), query).content.decode()


def limit(row: SpendDay, tokens: int) -> None:
    with workspace(row.workspace.id):
        WorkspacePolicy.objects.update(overrides={"daily_token_ceiling": tokens})


def test_the_days_are_drawn_with_what_each_took(console: Client, rows: Rows) -> None:
    (row, _) = rows["SpendDay"]
    assert isinstance(row, SpendDay)
    for model in (SpendDay, ModelUsage):
        shown = page(console, model)
        assert shown.count('class="console-bar"') == 30
        assert f"<title>{row.day}: 1,960 tokens, $0.0058</title>" in shown
        assert "console-ceiling" not in shown


def test_of_one_workspace_its_limit_is_drawn_and_its_calls_are_summed(console: Client, rows: Rows) -> None:
    (row, _) = rows["SpendDay"]
    assert isinstance(row, SpendDay)
    limit(row, 1_000)
    shown = page(console, SpendDay, workspace__id__exact=str(row.workspace_id))
    assert "Daily limit: 1,000 tokens" in shown
    assert f"<title>{row.day}: 980 tokens, $0.0029</title>" in shown
    assert "azure-model (anthropic)" in shown and "cyan-model (anthropic)" not in shown
    assert "background stopped" in shown


def test_the_first_page_shows_a_workspace_without_budget(console: Client, rows: Rows) -> None:
    def card() -> str:
        text = re.sub(r"<[^>]+>|\s+", " ", console.get(reverse("admin:index")).content.decode())
        found = re.search(r"Workspaces at their limit\s+(\d+)\s+(none today|.*?chats too)", text)
        assert found
        return re.sub(r" +", " ", found[0])

    assert card() == "Workspaces at their limit 0 none today"
    (row, other) = rows["SpendDay"]
    assert isinstance(row, SpendDay) and isinstance(other, SpendDay)
    limit(row, 1_000)
    limit(other, 980)
    assert card() == "Workspaces at their limit 2 1 of them for chats too"


def test_the_ledger_shows_costs_and_unknown_prices(console: Client, rows: Rows) -> None:
    (row, _) = rows["ModelUsage"]
    assert isinstance(row, ModelUsage)
    with workspace(row.workspace.id):
        ModelUsage.objects.update(cost_micros=None)
    shown = page(console, ModelUsage)
    assert "$0.0029" in shown
    assert "price unknown" in shown


def test_a_rejected_answer_is_read_on_its_own_page_alone(console: Client, rows: Rows) -> None:
    (row, _) = rows["RejectedAnswer"]
    assert ANSWERED not in page(console, RejectedAnswer)
    assert ANSWERED in console.get(url(RejectedAnswer, "change", row.pk)).content.decode()


def test_an_empty_plot_is_a_plot() -> None:
    drawn = plot([Bar(date(2026, 1, day), 0, 0) for day in range(1, 31)], None)
    assert drawn.count('height="0.0"') == 30
