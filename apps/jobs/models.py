"""Jobs as rows. A due row guarantees the run; its Celery message may be lost or delivered twice."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from apps.common.models import Identified, WorkspaceOwned


class JobState(models.TextChoices):
    DUE = "due"
    DEAD = "dead", "failed"


class Priority(models.IntegerChoices):
    """Order in which due jobs start: a person waits seconds for `PERSON`, minutes for `REQUESTED`, such as an import.

    One slot is reserved for `PERSON`; the others are background work (claim_due.sql).
    """

    PERSON = 0, "somebody waits for it"
    REQUESTED = 1, "requested by a person"
    AFTER_TURN = 2, "follows a turn or an import"
    UPKEEP = 3


class DueJob(Identified):
    """One job per (workspace, kind, key), however often it was requested; `generation` counts the requests.

    A job without a workspace belongs to the installation. `attempts` counts failures and the current run, `losses`
    the lost runs without progress in between, `rests` how often the attempts were used up.
    """

    workspace = models.ForeignKey(
        "accounts.Workspace", models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=40)
    key = models.CharField(max_length=80)
    priority = models.PositiveSmallIntegerField(choices=Priority, default=Priority.AFTER_TURN)
    due_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    generation = models.BigIntegerField(default=1)
    lease_token = models.UUIDField(null=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    losses = models.PositiveIntegerField("lost runs", default=0, db_default=0)
    rests = models.PositiveIntegerField("times failed", default=0, db_default=0)
    started_at = models.DateTimeField(null=True, help_text="Set while a worker runs the job, or was lost with it.")
    progressed = models.BooleanField(
        default=False, db_default=False, help_text="The current run has stored a part of its work."
    )
    done = models.BigIntegerField("items done", default=0, db_default=0)
    waiting = models.BigIntegerField("items waiting", null=True)
    last_error = models.CharField(max_length=500, blank=True)
    state = models.CharField(max_length=4, choices=JobState, default=JobState.DUE)

    class Meta:
        verbose_name = "job"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["workspace", "kind", "key"], name="due_job_once", nulls_distinct=False),
        ]
        indexes: ClassVar = [
            models.Index(fields=["priority", "due_at"], name="due_job_next", condition=models.Q(state="due")),
            models.Index(fields=["lease_until"], name="due_job_leased", condition=models.Q(lease_token__isnull=False)),
            models.Index(fields=["due_at"], name="due_job_dead", condition=models.Q(state="dead")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class RunCount(Identified):
    """What became of runs: inserted where a run ends or stores a part of its work, and deleted after a while.

    Rows are never updated, so that concurrent runs do not wait for each other.
    """

    kind = models.CharField(max_length=40)
    at = models.DateTimeField()
    finished = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0, help_text="Failed or lost.")
    done = models.BigIntegerField(default=0, help_text="Items.")

    class Meta:
        db_table = "jobs_jobtally"
        verbose_name = "run count"
        indexes: ClassVar = [models.Index(fields=["at"], name="job_tally_at")]

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%Y-%m-%d %H:%M}"


class Schedule(Identified):
    """A started period of a schedule; the unique key lets only one dispatcher start it."""

    kind = models.CharField(max_length=40)
    period = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["kind", "period"], name="schedule_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.period:%Y-%m-%d %H:%M}"


class OperationState(models.TextChoices):
    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class Operation(WorkspaceOwned):
    """A long-running operation that its requester can watch: progress in percent and the outcome."""

    user = models.ForeignKey("accounts.User", models.SET_NULL, null=True, related_name="+", db_index=False)
    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=80, help_text="Id of the object that the operation works on.")
    state = models.CharField(max_length=10, choices=OperationState, default=OperationState.QUEUED)
    stage = models.CharField(max_length=60, blank=True)
    progress = models.PositiveSmallIntegerField(default=0)
    result = models.JSONField(null=True)
    error = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["workspace", "-created_at"], name="operation_newest")]
