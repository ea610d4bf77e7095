"""Background jobs of memories: counting accesses, generating abstracts and overviews, archiving stale memories."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from threading import Event, Thread

import pytest
from django.db import connection, connections
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.decay import DAY, Strength, accessed
from apps.engine.memory.tiers import ABSTRACT_TOKENS, OVERVIEW_TOKENS
from apps.engine.policy import Policy
from apps.engine.tokens.counting import count_text
from apps.jobs.models import DueJob
from apps.jobs.services import RescheduleJob, claim_named, job_request, lease_take
from apps.jobs.services.leases import Lease
from apps.llm.models import ModelUsage
from apps.memory.models import MemAccess, MemNode, MemRevision, Passage
from apps.memory.selectors.integrity_checks import tree_faults
from apps.memory.services.accesses import accesses_add, accesses_count
from apps.memory.services.tiers.tier_job import tiers_run
from apps.memory.services.tree import archive_stale_job
from apps.memory.services.tree.archive import node_archive, node_unarchive
from apps.memory.services.tree.archive_stale_job import archive_run, stale_archive
from apps.memory.services.tree.change_sets import TIERS_KIND, TREE_KEY
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.node_storage import STALE
from apps.memory.services.tree.undo.change_undo import change_undo
from tests.compaction.runs import run_due_jobs
from tests.memory.trees import at, listed, moment, read, write
from tests.processes import eventually
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

pytestmark = pytest.mark.django_db(transaction=True)
ACME = "mem://user/entities/acme"
LONG = "Acme's interface takes 100 calls a minute and 20 at once. " * 20
VERY_LONG = LONG * 20


def run_the_job(kind: str) -> None:
    """Run the jobs of this kind now."""
    DueJob.objects.exclude(kind=kind).delete()
    DueJob.objects.filter(kind=kind).update(due_at=timezone.now())
    run_due_jobs()
    DueJob.objects.filter(kind=kind, last_error="").update(due_at=timezone.now())
    run_due_jobs()


@pytest.mark.parametrize("runs", [1, 2, 10])
def test_use_counts_once_a_day_however_often_the_job_runs(alice: Actor, runs: int) -> None:
    made = write(alice, "mem://user/events/fair", occurred_at=timezone.now() - timedelta(days=90))
    with workspace(alice.workspace_id):
        for run in range(10):
            accesses_add([made.id])
            if run % (10 // runs) == 0:
                while accesses_count():
                    pass
        while accesses_count():
            pass
        row = MemNode.objects.get(pk=made.id)
    assert made.last_access is not None
    assert row.last_access is not None
    once = accessed(Strength(made.base_relevance, made.last_access.timestamp()), row.last_access.timestamp(), Policy())
    assert (row.access_count, row.version) == (10, 1)
    assert row.base_relevance == pytest.approx(once.base) == pytest.approx(0.65, abs=1e-3)


def test_pending_accesses_are_applied_in_their_order(alice: Actor) -> None:
    made = write(alice, "mem://user/events/fair", occurred_at=timezone.now() - timedelta(days=200))
    assert made.last_access is not None
    start = made.last_access
    with workspace(alice.workspace_id):
        days = [30.0, 30.5, 100.0]
        MemAccess.objects.bulk_create(
            [MemAccess(node_id=made.id, accessed_at=start + timedelta(days=day)) for day in reversed(days)]
        )
        assert accesses_count()
        row = MemNode.objects.get(pk=made.id)
    strength = Strength(1.0, start.timestamp())
    for day in days:
        strength = accessed(strength, start.timestamp() + day * DAY, Policy())
    assert row.last_access is not None
    assert row.base_relevance == pytest.approx(strength.base)
    assert row.last_access.timestamp() == pytest.approx(strength.last_access)


def test_what_waits_or_is_archived_gains_nothing(alice: Actor) -> None:
    low, away = write(alice, "mem://user/events/low"), write(alice, "mem://user/events/away")
    with workspace(alice.workspace_id):
        MemNode.objects.filter(pk=low.id).update(trust="tool")
        MemNode.objects.filter(pk=away.id).update(archived_at=timezone.now())
        accesses_add([low.id, away.id, at(alice, "mem://user/events").id])
        assert not accesses_count()


def test_the_job_counts_what_was_noted(alice: Actor) -> None:
    made = write(alice, "mem://user/events/fair")
    with workspace(alice.workspace_id):
        accesses_add([made.id])
    run_the_job("memory_accesses")
    assert read(alice, made.id).access_count == 1


def test_a_directorys_overview_describes_its_memories(alice: Actor) -> None:
    write(alice, f"{ACME}/rate", "100 calls a minute.")
    write(alice, f"{ACME}/owner", "Lena owns it.")
    run_the_job("memory_tiers")
    acme = at(alice, ACME)
    assert acme.abstract == "Lena owns it; 100 calls a minute"
    assert acme.overview == "- owner: Lena owns it.\n- rate: 100 calls a minute."
    assert (acme.version, acme.tiers_stale) == (1, False)
    assert at(alice, "mem://user/entities").abstract == "Lena owns it; 100 calls a minute"
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=at(alice, f"{ACME}/owner").id, changes={"content": "Jonas owns it."}, version=1)
    run_the_job("memory_tiers")
    assert at(alice, "mem://user/entities").abstract == "Jonas owns it; 100 calls a minute"


def test_without_a_model_the_texts_made_at_once_stay(alice: Actor) -> None:
    made = write(alice, f"{ACME}/rate", VERY_LONG)
    assert made.tiers_stale
    run_the_job("memory_tiers")
    told = read(alice, made.id)
    assert (told.abstract, told.version, told.tiers_stale, told.tiers_by) == (made.abstract, 1, False, "offline")
    assert 0 < count_text(told.abstract) <= ABSTRACT_TOKENS
    assert 0 < count_text(told.overview) <= OVERVIEW_TOKENS


def test_a_model_rewrites_the_abstract_with_a_revision_and_a_passage(alice: Actor, provider: ProviderServer) -> None:
    made, short = write(alice, f"{ACME}/rate", LONG), write(alice, f"{ACME}/short", "20 at once.")
    long = write(alice, f"{ACME}/long", VERY_LONG)
    with workspace(alice.workspace_id):
        before = Passage.objects.get(node_id=made.id)
    run_the_job("memory_tiers")
    told = read(alice, made.id)
    assert told.abstract == "In short: Acme's interface takes 100 calls a minute and"
    assert (told.overview, told.version, told.tiers_stale) == (LONG.strip(), 2, False)
    assert read(alice, long.id).overview.startswith("# All of it")
    assert read(alice, short.id).version == 1
    with workspace(alice.workspace_id):
        revision = MemRevision.objects.get(node_id=made.id, number=2)
        assert (revision.actor_id, revision.made_by, revision.operation) == (None, told.tiers_by, "edit")
        assert Passage.objects.get(node_id=made.id).id == before.id
        assert list(ModelUsage.objects.values_list("purpose", "outcome")) == [("extraction", "ok")] * 2
        assert tree_faults() == []


def test_a_model_that_fails_leaves_the_text_that_is_there(alice: Actor, provider: ProviderServer) -> None:
    provider.usual = Behaviour("not_json")
    made = write(alice, f"{ACME}/rate", LONG)
    for _ in range(4):
        run_the_job("memory_tiers")
        DueJob.objects.filter(kind="memory_tiers").update(state="due", due_at=timezone.now(), attempts=0)
    told = read(alice, made.id)
    assert (told.abstract, told.version, told.tiers_by, told.tiers_stale) == (made.abstract, 1, "offline", False)


def test_a_model_is_not_asked_beyond_the_ceiling(alice: Actor, provider: ProviderServer, settings: Settings) -> None:
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, daily_token_ceiling=10)
    made = write(alice, f"{ACME}/rate", LONG)
    run_the_job("memory_tiers")
    with workspace(alice.workspace_id):
        assert not ModelUsage.objects.exists()
    assert read(alice, made.id).abstract == made.abstract
    assert at(alice, ACME).abstract


def test_an_abstract_written_concurrently_by_a_person_remains(alice: Actor, provider: ProviderServer) -> None:
    made = write(alice, f"{ACME}/rate", LONG)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=made.id, changes={"abstract": "Limits"}, version=1)
    run_the_job("memory_tiers")
    assert read(alice, made.id).abstract == "Limits"


def test_what_was_of_no_use_for_long_is_archived_where_that_is_wanted(alice: Actor, settings: Settings) -> None:
    old = moment("2020-01-01T00:00:00+00:00")
    names = ("inferred", "hers", "fresh", "waiting")
    made = {name: write(alice, f"mem://user/events/{name}", occurred_at=old) for name in names}
    together = write(alice, "mem://user/profile/communication", occurred_at=old)
    with workspace(alice.workspace_id):
        rows = MemNode.objects.exclude(pk=made["hers"].id)
        rows.filter(node_type="leaf").update(trust="model_inference")
        rows.filter(pk=made["fresh"].id).update(last_access=timezone.now())
        rows.filter(pk=made["waiting"].id).update(arrival="proposed")
        MemNode.objects.update(created_at=old, updated_at=old)
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, memory_archive_after_days=365)
    with workspace(alice.workspace_id):
        assert stale_archive(days=365)
        assert not stale_archive(days=365)
        revision = MemRevision.objects.get(operation="archive")
        assert (revision.node_id, revision.reason) == (made["inferred"].id, "Not used for 365 days.")
    assert len(listed(alice, "mem://user/events")) == 3
    assert read(alice, together.id).archived_at is None
    with workspace(alice.workspace_id):
        change_undo(alice, node_id=revision.node_id, change_id=revision.change)
    assert len(listed(alice, "mem://user/events")) == 4


def test_what_came_or_was_taken_back_lately_is_not_forgotten(alice: Actor) -> None:
    old, now = moment("2020-01-01T00:00:00+00:00"), timezone.now()
    made = [write(alice, f"mem://user/events/{name}", occurred_at=old).id for name in ("imported", "restored", "old")]
    with workspace(alice.workspace_id):
        rows = MemNode.objects.filter(pk__in=made)
        rows.update(trust="model_inference", created_at=old, updated_at=old)
        rows.filter(pk=made[0]).update(created_at=now)
        node_archive(alice, node_id=made[1])
        node_unarchive(alice, node_id=made[1])
        assert stale_archive(days=365)
        assert list(rows.filter(archived_at__isnull=False).values_list("pk", flat=True)) == [made[2]]


def test_archiving_much_goes_on_in_another_run(
    alice: Actor, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    old = moment("2020-01-01T00:00:00+00:00")
    for number in range(3):
        write(alice, f"mem://user/events/{number}", occurred_at=old)
    with workspace(alice.workspace_id):
        MemNode.objects.filter(node_type="leaf").update(trust="model_inference", created_at=old, updated_at=old)
        now = timezone.now()
        job_request(workspace_id=alice.workspace_id, kind="memory_archive", key="", due_at=now, deadline_at=now)
    settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, memory_archive_after_days=365)
    # Slower and more than a test should wait for.
    monkeypatch.setattr(archive_stale_job, "_RUN_S", 0)
    monkeypatch.setattr(archive_stale_job, "_BATCH", 1)
    claim = claim_named(workspace_id=alice.workspace_id, kind="memory_archive", key="")
    assert claim is not None
    lease = lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert lease is not None
    for left in (2, 1, 0):
        with pytest.raises(RescheduleJob):
            archive_run(lease)
        assert len(listed(alice, "mem://user/events")) == left
    archive_run(lease)


@pytest.mark.parametrize("tier", ["abstract", "overview"])
def test_an_emptied_abstract_is_generated_again(alice: Actor, tier: str) -> None:
    made = write(alice, f"{ACME}/rate", LONG)
    with workspace(alice.workspace_id):
        both = {"abstract": "Her words.", "overview": "More of her words."}
        node_edit(alice, node_id=made.id, changes=both, version=1)
        edited = node_edit(alice, node_id=made.id, changes={tier: ""}, version=2)
        assert getattr(edited, tier) == getattr(made, tier)
        other = "overview" if tier == "abstract" else "abstract"
        assert (getattr(edited, other), edited.tiers_by) == (both[other], "person")
        edited = node_edit(alice, node_id=made.id, changes={other: ""}, version=3)
        assert (edited.abstract, edited.overview, edited.tiers_stale) == (made.abstract, made.overview, True)
        back = MemRevision.objects.get(node_id=made.id, number=4).change
        undone = change_undo(alice, node_id=made.id, change_id=back)
        assert (getattr(undone, other), undone.tiers_by, undone.tiers_stale) == (both[other], "person", False)


def test_a_directory_with_an_emptied_overview_gets_a_compiled_one(alice: Actor) -> None:
    write(alice, f"{ACME}/rate", "100 calls a minute.")
    acme = at(alice, ACME)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=acme.id, changes={"abstract": "A customer."}, version=1)
    run_the_job("memory_tiers")
    assert at(alice, ACME).abstract == "A customer."
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=acme.id, changes={"abstract": ""}, version=2)
    run_the_job("memory_tiers")
    assert (at(alice, ACME).abstract, at(alice, ACME).tiers_by) == ("100 calls a minute", "offline")


def test_the_tier_job_never_waits_for_writers(alice: Actor) -> None:
    """A writer locks the memory and then requests the job; a job that waited for the memory would deadlock."""
    write(alice, f"{ACME}/rate", "One hundred a minute.")
    lease = tiers_lease(alice)
    with apart(alice, hold_folder), pytest.raises(RescheduleJob):
        tiers_run(lease)
    assert "rate" not in at(alice, ACME).overview
    tiers_run(lease)
    assert "rate" in at(alice, ACME).overview


def test_a_memory_written_during_the_compilation_of_its_folder_is_included_next(alice: Actor) -> None:
    write(alice, f"{ACME}/rate", "One hundred a minute.")
    lease = tiers_lease(alice)
    tiers_run(lease)
    with workspace(alice.workspace_id):
        MemNode.objects.filter(uri=ACME).update(tiers_of=STALE)
    with apart(alice, compile_folder):
        writer = Thread(target=write_and_leave, args=(alice,))
        writer.start()
        assert eventually(someone_waits)
    writer.join()
    assert read(alice, at(alice, ACME).id).tiers_stale
    tiers_run(lease)
    assert "limit" in at(alice, ACME).overview


@contextmanager
def apart(actor: Actor, work: Callable[[], object]) -> Iterator[None]:
    """Run the work in another transaction, which ends with the block."""
    begun, ended = Event(), Event()

    def hold() -> None:
        try:
            with workspace(actor.workspace_id):
                work()
                begun.set()
                ended.wait(20)
        finally:
            connections.close_all()

    thread = Thread(target=hold)
    thread.start()
    assert begun.wait(10)
    try:
        yield
    finally:
        ended.set()
        thread.join()


def hold_folder() -> None:
    MemNode.objects.select_for_update(no_key=True).get(uri=ACME)


def compile_folder() -> None:
    """Compile the folder like a job that has not committed yet."""
    row = MemNode.objects.select_for_update(no_key=True).get(uri=ACME)
    row.tiers_of = row.content_hash
    row.save(update_fields=["tiers_of"])


def write_and_leave(actor: Actor) -> None:
    try:
        write(actor, f"{ACME}/limit", "Twenty at once.")
    finally:
        connections.close_all()


def someone_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        (count,) = cursor.fetchone()
    return bool(count)


def tiers_lease(actor: Actor) -> Lease:
    claim = claim_named(workspace_id=actor.workspace_id, kind=TIERS_KIND, key=TREE_KEY)
    assert claim is not None
    lease = lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert lease is not None
    return lease
