"""Imports of files that a person cancels, at whatever moment: while the files are uploaded, or while they are read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.accounts.models import Workspace
from apps.common.errors import Conflict
from apps.common.ids import uuid7
from apps.jobs.models import DueJob
from apps.jobs.services import schedule_tick
from apps.jobs.timeouts import JOB_TIMES
from apps.transfer.files.uploads import SentFile
from apps.transfer.services.imports.files import FileImportRequest, file_import_start
from tests.api.callers import Caller, viewer_of
from tests.compaction.runs import run_due_jobs
from tests.transfer.test_import_files import SOURCES, report_of, run, send, store

__all__ = ["store"]

pytestmark = pytest.mark.django_db


def cancel(actor: Actor, import_id: UUID | str, status: int = 204) -> None:
    Caller(actor).post("/imports/files/cancel", {"import_id": str(import_id)}, status)


def test_a_canceled_import_stops_and_the_next_one_imports_the_rest(
    store: Path, alice: Actor, bob: Actor, charlie: Actor
) -> None:
    operation = send(alice, SOURCES["json"] or {})
    for other in (charlie, bob):
        cancel(other, operation["subject"])
    assert Caller(alice).get(f"/operations/{operation['id']}")["state"] == "queued"
    cancel(alice, operation["subject"])
    run_due_jobs()
    canceled = Caller(alice).get(f"/operations/{operation['id']}")
    assert (canceled["state"], canceled["error"]["code"]) == ("failed", "canceled")
    assert not list(store.iterdir())
    assert report_of(alice, SOURCES["json"] or {})["counts"]["memory"]["created"] == 1


def test_an_import_that_waits_for_its_next_try_keeps_its_files_until_it_is_canceled(
    store: Path, alice: Actor, settings: Settings
) -> None:
    operation = send(alice, SOURCES["json"] or {})
    DueJob.objects.update(losses=JOB_TIMES.max_lost_runs, last_error="worker_lost")
    run_due_jobs()
    waiting = Caller(alice).get(f"/operations/{operation['id']}")
    assert (waiting["state"], waiting["stage"][:30]) == ("running", "Failed (worker_lost). Next try")
    (folder,) = store.iterdir()
    os.utime(folder, (0, 0))
    schedule_tick(kind="file_import_prune", period_seconds=settings.SCHEDULES["file_import_prune"])
    run_due_jobs()
    assert list(store.iterdir()) == [folder]
    cancel(alice, operation["subject"])
    run_due_jobs()
    assert not list(store.iterdir())
    assert not DueJob.objects.exists()


@pytest.mark.usefixtures("store")
def test_an_import_that_is_canceled_before_its_files_arrive_never_starts(alice: Actor, bob: Actor) -> None:
    import_id = uuid7()
    cancel(alice, import_id)
    cancel(alice, import_id)
    refused = send(alice, SOURCES["json"] or {}, f"?import_id={import_id.hex}", status=409)
    assert refused["code"] == "canceled"
    (record,) = Caller(alice).get("/operations")["data"]
    assert (record["state"], record["error"]["code"]) == ("failed", "canceled")
    assert report_of(bob, SOURCES["json"] or {}, f"?import_id={import_id}")["counts"]["memory"]["created"] == 1


def test_a_cancel_that_arrives_with_the_last_bytes_wins_over_the_start(store: Path, alice: Actor) -> None:
    import_id = uuid7()

    def content() -> Iterator[bytes]:
        yield b"[]"
        cancel(alice, import_id)

    request = FileImportRequest(None, import_id, dry_run=False)
    with pytest.raises(Conflict) as refused:
        file_import_start(alice, request=request, files=[SentFile("a.json", content())])
    assert refused.value.code == "canceled"
    assert not list(store.iterdir())


@pytest.mark.usefixtures("store")
def test_a_finished_import_cannot_be_canceled_and_its_id_is_not_used_up(alice: Actor) -> None:
    import_id = uuid7()
    done = run(alice, SOURCES["json"] or {}, f"?dry_run=true&import_id={import_id}")
    cancel(alice, import_id)
    assert Caller(alice).get(f"/operations/{done['id']}")["state"] == "succeeded"
    assert report_of(alice, SOURCES["json"] or {}, f"?import_id={import_id}")["import_id"] == str(import_id)


def test_a_cancel_names_its_import_and_a_reader_cancels_none(alice: Actor) -> None:
    for body in ({}, {"import_id": 7}, {"import_id": "o1"}):
        assert Caller(alice).post("/imports/files/cancel", body, 400)["code"] == "invalid"
    cancel(viewer_of(Workspace.objects.get(pk=alice.workspace_id)), uuid7(), 403)
