"""Filling banks and having them filed in cells, and what must be so of everything that is filed."""

from __future__ import annotations

from uuid import UUID

import numpy as np
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.jobs.models import DueJob
from apps.jobs.services import claim_named, lease_take
from apps.jobs.services.leases import Lease
from apps.memory.models import Cell, Embedding, MemNode, Passage, Posting
from apps.memory.services.bulk import nodes_create_bulk
from apps.memory.services.cells import KEY, KIND, cells_want_if_large
from tests.memory.recall import make_vectors, run_named
from tests.memory.trees import draft

SUBJECTS = ("tea and coffee", "the garden in spring", "trains to Lisbon", "taxes of the year", "a song for the choir")
FOLDER = "mem://agent/patterns"
WORDS = """
SELECT p.id, p.word_count, tsvector_to_array(p.words) FROM mem_passages AS p
WHERE p.workspace_id = %s AND p.cell_id = %s
"""


def fill(actor: Actor, count: int, name: str = "note") -> None:
    """So many memories of some subjects, with their vectors."""
    drafts = [
        draft(f"{FOLDER}/{name}-{number}", f"Number {number} is about {SUBJECTS[number % len(SUBJECTS)]}.")
        for number in range(count)
    ]
    with workspace(actor.workspace_id):
        nodes_create_bulk(actor, drafts=drafts)
    while waiting(actor):
        make_vectors(actor)


def waiting(actor: Actor) -> bool:
    with workspace(actor.workspace_id):
        return Passage.objects.filter(wanted_at__isnull=False).exists()


def file_all(actor: Actor) -> bool:
    """Run the job as often as it asks for, if it is worth it; whether it was asked for."""
    want(actor)
    asked = False
    while run_named(actor, KIND, KEY):
        asked = True
    return asked


def want(actor: Actor) -> None:
    with workspace(actor.workspace_id):
        cells_want_if_large()


def lease_of(actor: Actor) -> Lease:
    want(actor)
    claim = claim_named(workspace_id=actor.workspace_id, kind=KIND, key=KEY)
    assert claim is not None
    lease = lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert lease is not None
    return lease


def is_wanted(actor: Actor) -> bool:
    want(actor)
    return DueJob.objects.filter(workspace_id=actor.workspace_id, kind=KIND).exists()


def counted(actor: Actor) -> tuple[int, int]:
    """Passages in a cell, and those in none."""
    with workspace(actor.workspace_id):
        filed = Passage.objects.filter(cell_id__isnull=False).count()
        return filed, Passage.objects.count() - filed


def one_of(actor: Actor) -> tuple[MemNode, UUID]:
    """A memory that is filed, and its cell. Inside a unit."""
    passage = Passage.objects.filter(cell_id__isnull=False).order_by("id")[0]
    assert passage.cell_id
    return MemNode.objects.get(pk=passage.node_id), passage.cell_id


def check(actor: Actor) -> None:
    """What is filed is so once, with all its words, in a cell of the space that serves."""
    with workspace(actor.workspace_id):
        for cell in Cell.objects.select_related("space"):
            assert cell.space.state == "serving"
            check_cell(cell)
        ids = set(Cell.objects.values_list("id", flat=True))
        assert set(Passage.objects.exclude(cell_id=None).values_list("cell_id", flat=True)) <= ids
        assert set(Embedding.objects.exclude(cell_id=None).values_list("cell_id", flat=True)) <= ids
        assert set(Posting.objects.values_list("cell_id", flat=True)) <= ids


def check_cell(cell: Cell) -> None:
    told = words_of(cell)
    vectors = Embedding.objects.filter(cell_id=cell.id)
    assert {row.passage_id for row in vectors} <= set(told)
    assert all((row.space_id, row.bank) == (cell.space_id, cell.bank) for row in vectors)
    assert abs(float(np.linalg.norm(cell.centroid)) - 1) < 0.01
    assert (cell.size, cell.words) == (len(told), sum(count for count, _ in told.values()))
    postings = Posting.objects.filter(cell_id=cell.id)
    assert {passage_id for row in postings for passage_id in row.passages} == set(told)
    for passage_id, (count, words) in told.items():
        assert (count, words) == posted(cell, passage_id)


def words_of(cell: Cell) -> dict[UUID, tuple[int, set[str]]]:
    """Of each passage in the cell how many words it has, and which."""
    with connection.cursor() as cursor:
        cursor.execute(WORDS, [cell.workspace.id, cell.id])
        return {passage_id: (count, set(words)) for passage_id, count, words in cursor.fetchall()}


def posted(cell: Cell, passage_id: UUID) -> tuple[int, set[str]]:
    """The same by the cell's postings, each of which must name a passage once."""
    rows = list(Posting.objects.filter(cell_id=cell.id, passages__contains=[passage_id]))
    lengths = {row.lengths[row.passages.index(passage_id)] for row in rows}
    assert len({row.word for row in rows}) == len(rows) and len(lengths) == 1
    assert all(len(row.passages) == len(row.lengths) == len(set(row.passages)) for row in rows)
    return lengths.pop(), {row.word for row in rows}
