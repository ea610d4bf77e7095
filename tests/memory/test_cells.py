"""Large banks are filed in cells by a job, each passage once; whoever changes is in no cell any more."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import timedelta
from threading import Event, Thread
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.jobs.services import Later, LeaseLost
from apps.jobs.services.leases import Lease
from apps.memory.models import Cell, Embedding, EmbeddingSpace, Passage, Posting, SpaceState
from apps.memory.services import cells
from apps.memory.services.archiving import node_archive
from apps.memory.services.cells import cells_run, cells_want_if_large
from apps.memory.services.erasing import node_erase
from apps.memory.services.nodes import node_create, node_edit
from apps.memory.services.sharing import node_share
from apps.memory.services.space_changes import space_change
from apps.memory.services.spaces import GRACE_S
from apps.memory.services.vectors import vectors_want
from tests.memory.filing import FOLDER, check, counted, file_all, fill, is_wanted, lease_of, one_of
from tests.memory.recall import look, make_vectors
from tests.memory.test_vectors import REMOTE, hold_passages, remote
from tests.memory.trees import draft
from tests.providers.openai_server import ProviderServer

__all__ = ["remote"]
pytestmark = pytest.mark.django_db

LARGE, CELL = 40, 10


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Banks are large and cells are full with few rows."""
    for name, value in (("LARGE", LARGE), ("CELL", CELL), ("MOST", 2 * LARGE)):
        monkeypatch.setattr(cells, name, value)


def test_all_of_a_large_bank_is_filed_once(alice: Actor) -> None:
    fill(alice, 50)
    assert file_all(alice)
    assert counted(alice) == (50, 0)
    check(alice)
    with workspace(alice.workspace_id):
        assert sum(Cell.objects.values_list("size", flat=True)) == 50
        assert len({row.cell_id for row in Passage.objects.all()}) == Cell.objects.count() > 2
        told = {row.id: (row.bank, row.cell_id) for row in Passage.objects.all()}
        assert {row.passage_id: (row.bank, row.cell_id) for row in Embedding.objects.all()} == told
        by_cell = Counter[UUID | None]()
        for row in Passage.objects.all():
            by_cell[row.cell_id] += row.word_count
        assert dict(Cell.objects.values_list("id", "words")) == by_cell
    assert not is_wanted(alice)


def test_what_is_of_one_subject_is_near_each_other(alice: Actor) -> None:
    fill(alice, 50)
    file_all(alice)
    with workspace(alice.workspace_id):
        centroids = {row.id: np.array(row.centroid) for row in Cell.objects.all()}
        near = sum(
            max(centroids, key=lambda cell: float(centroids[cell] @ np.array(row.vector))) == row.cell_id
            for row in Embedding.objects.all()
        )
    assert near >= 45


def test_a_small_bank_is_not_filed(alice: Actor) -> None:
    fill(alice, LARGE - 1)
    assert not is_wanted(alice)
    assert counted(alice) == (0, LARGE - 1)


def test_a_bank_that_grows_is_filed_again_when_what_is_new_is_much(alice: Actor) -> None:
    fill(alice, LARGE)
    assert file_all(alice)
    fill(alice, LARGE - 1, "later")
    assert not is_wanted(alice)
    assert counted(alice) == (LARGE, LARGE - 1)
    fill(alice, 1, "last")
    assert file_all(alice)
    assert counted(alice) == (2 * LARGE, 0)
    check(alice)


def test_of_much_more_than_is_filed_at_once_a_rest_that_is_not_much_stays(alice: Actor) -> None:
    fill(alice, 3 * LARGE - 1)
    assert file_all(alice)
    assert counted(alice) == (2 * LARGE, LARGE - 1)
    check(alice)


def test_what_waits_for_its_vector_is_left(alice: Actor) -> None:
    fill(alice, 50)
    with workspace(alice.workspace_id):
        late = list(Passage.objects.values_list("id", flat=True)[:5])
        Passage.objects.filter(pk__in=late).update(wanted_at=timezone.now())
    assert file_all(alice)
    assert counted(alice) == (45, 5)
    with workspace(alice.workspace_id):
        assert not Passage.objects.filter(pk__in=late, cell_id__isnull=False).exists()
    check(alice)


@pytest.mark.parametrize("changes", [{"content": "Something else."}, {"tags": ["other"]}])
def test_what_changes_is_in_no_cell_any_more(alice: Actor, changes: dict[str, Any]) -> None:
    fill(alice, 50)
    file_all(alice)
    with workspace(alice.workspace_id):
        node, _ = one_of(alice)
        node_edit(alice, node_id=node.id, changes=changes, version=node.version)
        passage = Passage.objects.get(node_id=node.id)
        assert (passage.cell_id, Embedding.objects.get(passage=passage).cell_id) == (None, None)
    make_vectors(alice)
    assert counted(alice) == (49, 1)
    check(alice)


def test_a_vector_that_is_made_anew_is_in_no_cell_and_then_in_another(alice: Actor) -> None:
    fill(alice, 50)
    file_all(alice)
    with workspace(alice.workspace_id):
        node, before = one_of(alice)
        Passage.objects.filter(node_id=node.id).update(wanted_at=timezone.now())
        vectors_want(alice.workspace_id)
    make_vectors(alice)
    with workspace(alice.workspace_id):
        passage = Passage.objects.get(node_id=node.id)
        assert (passage.cell_id, Embedding.objects.get(passage=passage).cell_id) == (before, None)
    fill(alice, LARGE, "later")
    file_all(alice)
    assert counted(alice) == (90, 0)
    with workspace(alice.workspace_id):
        passage = Passage.objects.get(node_id=node.id)
        assert passage.cell_id not in (before, None)
        assert Embedding.objects.get(passage=passage).cell_id == passage.cell_id
    check(alice)


def test_what_is_archived_is_gone_from_its_cell(alice: Actor) -> None:
    fill(alice, 50)
    file_all(alice)
    with workspace(alice.workspace_id):
        node, cell_id = one_of(alice)
        before = Passage.objects.filter(cell_id=cell_id).count()
        node_archive(alice, node_id=node.id)
        assert Passage.objects.filter(cell_id=cell_id).count() == before - 1
        assert Embedding.objects.filter(cell_id=cell_id).count() == before - 1
    check(alice)


def test_what_is_shared_leaves_the_cells_of_its_former_bank(alice: Actor) -> None:
    fill(alice, 50)
    file_all(alice)
    with workspace(alice.workspace_id):
        node, _ = one_of(alice)
        node_share(alice, node_id=node.id)
        passage = Passage.objects.get(node_id=node.id)
        vector = Embedding.objects.get(passage=passage)
        assert (passage.bank, passage.cell_id, vector.bank, vector.cell_id) == (
            *(alice.workspace_id, None),
            *(alice.workspace_id, None),
        )
    check(alice)


def test_a_cell_that_everybody_left_is_gone_with_its_words(alice: Actor) -> None:
    fill(alice, 50)
    file_all(alice)
    with workspace(alice.workspace_id):
        _, cell_id = one_of(alice)
        for node_id in list(Passage.objects.filter(cell_id=cell_id).values_list("node_id", flat=True)):
            assert node_id
            node_archive(alice, node_id=node_id)
        assert not Cell.objects.filter(pk=cell_id).exists()
        assert not Posting.objects.filter(cell_id=cell_id).exists()
    check(alice)


def test_what_is_erased_leaves_no_word_behind(alice: Actor) -> None:
    fill(alice, 50)
    with workspace(alice.workspace_id):
        secret = node_create(alice, draft=draft(f"{FOLDER}/secret", "The password is xylophone."))
    make_vectors(alice)
    file_all(alice)
    with workspace(alice.workspace_id):
        assert Posting.objects.filter(word="xylophon").count() == 1
        node_erase(alice, node_id=secret.id)
        assert not Posting.objects.filter(word="xylophon").exists()
    check(alice)


def test_a_run_files_for_a_while_and_the_next_goes_on(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "_RUN_S", 0)
    fill(alice, 3 * LARGE)
    lease = lease_of(alice)
    with pytest.raises(Later):
        cells_run(lease)
    assert 0 < counted(alice)[0] <= 3 * CELL
    while counted(alice)[1] >= LARGE:
        with pytest.raises(Later):
            cells_run(lease)
    check(alice)


def test_as_many_are_found_as_there_are_when_most_of_a_filed_bank_is_gone(alice: Actor) -> None:
    fill(alice, 50)
    file_all(alice)
    with workspace(alice.workspace_id):
        for node_id in list(Passage.objects.values_list("node_id", flat=True))[5:]:
            assert node_id
            node_archive(alice, node_id=node_id)
    assert len(look(alice, "trains to Lisbon").hits) == 5


class Killed(Exception):
    pass


def test_a_run_that_is_killed_halfway_is_finished_by_the_next(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(alice, 60)
    lives = iter(range(2))

    def killing(name: str) -> None:
        if next(lives, None) is None:
            raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(cells, "fault_point", killing)
        lease = lease_of(alice)
        with pytest.raises(Killed):
            cells_run(lease)
    filed, unfiled = counted(alice)
    assert filed and unfiled
    check(alice)
    fill(alice, max(0, LARGE - unfiled), "later")
    with suppress(Later):
        cells_run(lease)
    assert counted(alice)[1] == 0
    check(alice)
    with workspace(alice.workspace_id):
        assert sum(Cell.objects.values_list("size", flat=True)) == counted(alice)[0]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("filed", [False, True])
def test_the_job_waits_for_nobody_who_writes(alice: Actor, filed: bool) -> None:
    """They hold what they write and may then ask for a job; so it neither files that nor takes it out."""
    fill(alice, 50)
    if filed:
        file_all(alice)
        with workspace(alice.workspace_id):
            EmbeddingSpace.objects.update(state=SpaceState.RETIRED)
            cells_want_if_large()
    begun, ended = Event(), Event()
    writer = Thread(target=hold_passages, args=(alice, begun, ended))
    writer.start()
    try:
        assert begun.wait(10)
        lease = lease_of(alice)
        with pytest.raises(Later):
            cells_run(lease)
        assert counted(alice) == ((50, 0) if filed else (0, 50))
    finally:
        ended.set()
        writer.join()
    cells_run(lease)
    assert counted(alice) == ((0, 50) if filed else (50, 0))
    check(alice)


def test_who_lost_the_job_files_nothing(alice: Actor) -> None:
    fill(alice, 50)
    lease = lease_of(alice)
    stale = Lease(lease.job_id, lease.workspace_id, lease.kind, lease.key, alice.user_id, lease.generation, 1)
    with pytest.raises(LeaseLost):
        cells_run(stale)
    assert counted(alice) == (0, 50)


def test_another_model_has_everything_filed_anew(alice: Actor, remote: ProviderServer) -> None:
    fill(alice, 50)
    file_all(alice)
    with workspace(alice.workspace_id):
        former = set(Cell.objects.values_list("id", flat=True))
        space_change(alice, REMOTE)
    make_vectors(alice)
    assert is_wanted(alice)
    retire_all(alice)
    make_vectors(alice)
    with workspace(alice.workspace_id):
        # Its vectors are gone, and its cells not yet.
        assert EmbeddingSpace.objects.count() == 2
        assert Embedding.objects.count() == 50
    assert file_all(alice)
    assert counted(alice) == (50, 0)
    check(alice)
    with workspace(alice.workspace_id):
        assert not former & set(Cell.objects.values_list("id", flat=True))
        assert {row.space.model for row in Cell.objects.select_related("space")} == {REMOTE}
    make_vectors(alice)
    with workspace(alice.workspace_id):
        assert EmbeddingSpace.objects.count() == 1


def retire_all(actor: Actor) -> None:
    """No query can have begun in the former spaces."""
    with workspace(actor.workspace_id):
        since = timezone.now() - timedelta(seconds=GRACE_S + 1)
        EmbeddingSpace.objects.filter(state="retired").update(since=since)


def test_workspaces_do_not_touch_each_other(alice: Actor, charlie: Actor) -> None:
    fill(alice, 50)
    fill(charlie, 45)
    assert file_all(alice)
    assert (counted(alice), counted(charlie)) == ((50, 0), (0, 45))
    assert file_all(charlie)
    for actor, count in ((alice, 50), (charlie, 45)):
        assert counted(actor) == (count, 0)
        check(actor)
        with workspace(actor.workspace_id):
            assert {row.bank for row in Cell.objects.all()} == {actor.user_id}


def test_people_of_a_workspace_have_cells_of_their_own(alice: Actor, bob: Actor) -> None:
    fill(alice, 50)
    fill(bob, 30)
    assert file_all(alice)
    assert counted(alice) == (50, 30)
    fill(bob, 10, "later")
    assert file_all(alice)
    assert counted(alice) == (90, 0)
    check(alice)
