"""Admin pages of jobs, with the backlog and rate of each kind, and of operations."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.timesince import timesince, timeuntil

from apps.common.admin_base import (
    BY_WORKSPACE,
    Card,
    ReadOnlyAdmin,
    choices,
    column,
    counted,
    link_column,
    list_url,
)
from apps.jobs.models import DueJob, JobState, Operation, RunCount, Schedule
from apps.jobs.selectors import KindReport, queue_report
from apps.jobs.services import jobs_run_now

JOB_TONES = {"waiting": "info", "running": "primary", "failed": "danger"}
OPERATION_TONES = {"queued": "info", "running": "primary", "succeeded": "success", "failed": "danger"}


@admin.register(DueJob)
class DueJobAdmin(ReadOnlyAdmin):
    list_before_template = "console/queue.html"
    list_display = (
        *("kind", "key", "priority", "shown_state", "due_at"),
        *("attempts", "losses", "last_error", "workspace_link"),
    )
    list_filter = (choices("state"), "kind", choices("priority"), BY_WORKSPACE)
    list_select_related = ("workspace",)
    search_fields = ("key", "kind")
    search_help_text = "Search by id, kind or key"
    ordering = ("due_at",)
    actions = ("run_now",)
    fieldsets = (
        (None, {"fields": ("kind", "key", "priority", "workspace_link", "shown_state")}),
        ("Times", {"fields": (("due_at", "deadline_at"),)}),
        ("Progress", {"fields": (("done", "waiting"),)}),
        (
            "Attempts",
            {"fields": ("attempts", "losses", "rests", "last_error", "generation", "started_at", "lease_until")},
        ),
    )
    workspace_link = link_column("workspace")

    @column("state", order="state", tones=JOB_TONES)
    def shown_state(self, row: DueJob) -> str:
        if row.state == JobState.DEAD:
            return "failed"
        leased = row.lease_until is not None and row.lease_until > timezone.now()
        return "running" if leased else "waiting"

    @admin.action(description="Run again now", permissions=["run_now"])
    def run_now(self, request: HttpRequest, queryset: QuerySet[DueJob]) -> None:
        ids = list(queryset.values_list("pk", flat=True))
        started = jobs_run_now(ids)
        left = len(ids) - started
        self.message_user(
            request,
            f"Running {counted(started, 'job')}." + (f" {counted(left, 'job')} already running." if left else ""),
        )

    def has_run_now_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("jobs.change_duejob")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        kinds = [(_kind_cells(one), one.failure) for one in queue_report() if one.has_jobs]
        return super().changelist_view(request, {"kinds": kinds, **(extra_context or {})})

    def cards(self) -> Iterable[Card]:
        dead = DueJob.objects.filter(state=JobState.DEAD).count()
        oldest = DueJob.objects.filter(state=JobState.DUE).order_by("due_at").values_list("due_at", flat=True).first()
        yield Card(
            "Needs attention",
            "Failed jobs",
            f"{dead:,}",
            "tried again after hours" if dead else "none",
            list_url(DueJob, state__exact=JobState.DEAD),
            "danger" if dead else "",
        )
        yield _oldest_card(oldest)


def _kind_cells(one: KindReport) -> list[str]:
    counts = (one.waiting, one.later, one.running, one.failed, round(one.finished_per_minute, 1))
    items = ("", "") if one.items_waiting is None else (f"{one.items_waiting:,}", f"{one.items_per_minute:,.0f}")
    end = f"in {timeuntil(one.ends_at, depth=1)}" if one.ends_at else ""
    return [one.kind, *(f"{count:,}" for count in counts), *items, end]


def _oldest_card(due_at: datetime | None) -> Card:
    late = due_at is not None and due_at <= timezone.now()
    if due_at is None:
        value, note = "none", "no jobs are queued"
    elif late:
        value, note = timesince(due_at, depth=1), "overdue"
    else:
        value, note = "none late", "the next one is due later"
    url = list_url(DueJob, state__exact=JobState.DUE)
    minutes = (timezone.now() - due_at).total_seconds() / 60 if due_at else 0
    return Card("Needs attention", "Oldest due job", value, note, url, "warning" if minutes >= 1 else "")


@admin.register(Schedule)
class ScheduleAdmin(ReadOnlyAdmin):
    list_display = ("kind", "period", "created_at")
    search_fields = ("kind",)
    search_help_text = "Search by id or kind"


@admin.register(RunCount)
class RunCountAdmin(ReadOnlyAdmin):
    list_display = ("kind", "at", "finished", "failed", "done")
    search_fields = ("kind",)
    search_help_text = "Search by id or kind"
    ordering = ("-at",)


@admin.register(Operation)
class OperationAdmin(ReadOnlyAdmin):
    list_display = ("kind", "shown_state", "stage", "shown_progress", "user_link", "workspace_link", "created_at")
    list_filter = (choices("state"), BY_WORKSPACE)
    list_select_related = ("user", "workspace")
    id_search = ("id", "user_id")
    search_fields = ("subject",)
    search_help_text = "Search by id, or by the id of its subject"
    fieldsets = (
        (None, {"fields": ("kind", "subject", "user_link", "workspace_link")}),
        ("Progress", {"fields": ("shown_state", "stage", "shown_progress")}),
        ("Outcome", {"fields": ("result", "error")}),
        ("Times", {"fields": ("created_at", "updated_at", "finished_at")}),
    )
    user_link = link_column("user")
    workspace_link = link_column("workspace")

    def label(self, row: Operation) -> str:
        return f"{row.kind} {row.subject}"

    @column("state", order="state", tones=OPERATION_TONES)
    def shown_state(self, row: Operation) -> str:
        return row.state

    @column("progress", order="progress")
    def shown_progress(self, row: Operation) -> str:
        return f"{row.progress}%"
