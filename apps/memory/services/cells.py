"""The job that files large banks: what is near each other comes into one cell, with the words that are said there.

A search reads what is in no cell one by one, and of the rest only what is near or says its words. Whoever changes is
taken out of its cell by who changes it (`cell_leaving`); a cell of a space that serves no more is cleared whole here.
What belongs together is found with no transaction open, and each cell is filed in one of its own.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connection

from apps.common.faults import fault_point
from apps.common.ids import uuid7, uuid7s
from apps.common.models import ALSO_HERE
from apps.common.tenancy import current_workspace_id, workspace
from apps.jobs.services import Later, Lease, job_request_within, lease_fence
from apps.memory.models import Cell
from apps.memory.selectors.spaces import serving_space
from apps.memory.services.cell_leaving import Filed, cells_leave
from apps.memory.services.clustering import clustered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apps.llm.embedding.base import Vector
    from apps.memory.services.clustering import Rows, Vectors

KIND, KEY = "memory_cells", "cells"
LARGE = 4_000
"""A bank with so many vectors in no cell is worth filing; fewer are read as quickly one by one."""
CELL = 50
"""About so many passages are in a cell: with more, fewer of the nearest are found; with fewer, words stand in more."""
MOST = 20_000
"""So many are filed at once; not fewer than are worth it."""
_MOST_NUMBERS = 16_000_000
"""So many numbers of vectors are in memory at once."""
_RUN_S = 10
_SOON_S, _LATEST_S = 1, 30
_HALFVEC_HEAD = 4
"""So many bytes tell the dimension, before the numbers."""
_LARGE_BANKS = """
SELECT bank FROM mem_embeddings
WHERE workspace_id = %(workspace)s AND cell_id IS NULL
    AND space_id = (SELECT id FROM mem_spaces WHERE workspace_id = %(workspace)s AND state = 'serving')
GROUP BY bank HAVING count(*) >= %(large)s
"""
_SERVE_NO_MORE = """
FROM mem_cells AS cell JOIN mem_spaces AS space ON space.id = cell.space_id
WHERE cell.workspace_id = %(workspace)s AND space.state <> 'serving'
"""
_WANTED = f"SELECT EXISTS (SELECT 1 {_SERVE_NO_MORE}) OR EXISTS ({_LARGE_BANKS})"
_TO_CLEAR = f"SELECT cell.id, cell.bank, cell.space_id {_SERVE_NO_MORE} ORDER BY cell.id"  # of constants
# Whoever writes a memory holds its passage, and may then ask for a job: we, who hold ours, never wait for them.
_TAKE_OUT_WORDS = """
UPDATE mem_passages SET cell_id = NULL WHERE id IN (
    SELECT id FROM mem_passages WHERE workspace_id = %(workspace)s AND bank = %(bank)s AND cell_id = %(cell)s
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
)
"""
_TAKE_OUT_VECTORS = """
UPDATE mem_embeddings SET cell_id = NULL WHERE id IN (
    SELECT id FROM mem_embeddings
    WHERE workspace_id = %(workspace)s AND bank = %(bank)s AND space_id = %(space)s AND cell_id = %(cell)s
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
)
"""
_IS_LEFT = """
SELECT EXISTS (
    SELECT 1 FROM mem_passages WHERE workspace_id = %(workspace)s AND bank = %(bank)s AND cell_id = %(cell)s
) OR EXISTS (
    SELECT 1 FROM mem_embeddings
    WHERE workspace_id = %(workspace)s AND bank = %(bank)s AND space_id = %(space)s AND cell_id = %(cell)s
)
"""
_DROP_POSTINGS = "DELETE FROM mem_postings WHERE workspace_id = %(workspace)s AND cell_id = %(cell)s"
_DROP_CELL = f"DELETE FROM mem_cells WHERE id = %(cell)s AND {ALSO_HERE}"  # noqa: S608  # of constants
_UNFILED = f"""
SELECT e.id, e.passage_id, halfvec_send(e.vector) FROM mem_embeddings AS e
CROSS JOIN LATERAL (
    SELECT 1 FROM mem_passages WHERE id = e.passage_id AND {ALSO_HERE} AND wanted_at IS NULL LIMIT 1
) AS settled
WHERE e.workspace_id = %(workspace)s AND e.bank = %(bank)s AND e.space_id = %(space)s AND e.cell_id IS NULL
ORDER BY e.passage_id LIMIT %(most)s
"""  # noqa: S608  # the only inserted text is the constant
_HELD = f"""
SELECT id, cell_id, word_count FROM mem_passages
WHERE id = ANY(%(passages)s::uuid[]) AND {ALSO_HERE} AND bank = %(bank)s AND wanted_at IS NULL
ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
"""  # noqa: S608  # the only inserted text is the constant
_FILE_WORDS = f"""
UPDATE mem_passages SET cell_id = %(cell)s WHERE id = ANY(%(passages)s::uuid[]) AND {ALSO_HERE}
"""  # noqa: S608  # the only inserted text is the constant
_FILE_VECTORS = f"""
UPDATE mem_embeddings SET cell_id = %(cell)s
WHERE id = ANY(%(vectors)s::uuid[]) AND {ALSO_HERE} AND cell_id IS NULL
"""  # noqa: S608  # the only inserted text is the constant
_SAID = f"""
FROM mem_passages AS p CROSS JOIN LATERAL unnest(tsvector_to_array(p.words)) AS word
WHERE p.id = ANY(%(passages)s::uuid[]) AND {ALSO_HERE}
"""
_COUNT_WORDS = f"SELECT count(DISTINCT word) {_SAID}"
_FILE_POSTINGS = f"""
INSERT INTO mem_postings (id, workspace_id, bank, word, cell_id, passages, lengths)
SELECT made.id, %(workspace)s, %(bank)s, said.word, %(cell)s, said.passages, said.lengths
FROM (
    SELECT word, row_number() OVER (ORDER BY word) AS number,
        array_agg(p.id ORDER BY p.id) AS passages, array_agg(p.word_count ORDER BY p.id) AS lengths
    {_SAID} GROUP BY word
) AS said JOIN unnest(%(ids)s::uuid[]) WITH ORDINALITY AS made (id, number) ON made.number = said.number
"""  # noqa: S608  # the only inserted text is the constant


@dataclass(frozen=True, slots=True)
class Unfiled:
    """Vectors of a bank that are in no cell, (rows, dimension), and of each its id and its passage's."""

    bank: UUID
    space_id: UUID
    ids: Sequence[UUID]
    passage_ids: Sequence[UUID]
    vectors: Vectors

    def part(self, rows: Rows) -> Unfiled:
        ids, passage_ids = [self.ids[row] for row in rows], [self.passage_ids[row] for row in rows]
        return Unfiled(self.bank, self.space_id, ids, passage_ids, self.vectors[rows])


def cells_want_if_large() -> None:
    """Ask for the job where a bank has become large, or cells serve no more."""
    with connection.cursor() as cursor:
        cursor.execute(_WANTED, _values(large=LARGE))
        if cursor.fetchone()[0]:
            cells_want()


def cells_want() -> None:
    """Ask for the job, in the transaction that makes it necessary."""
    job_request_within(_SOON_S, _LATEST_S, workspace_id=current_workspace_id(), kind=KIND, key=KEY)


def cells_run(lease: Lease) -> None:
    """Work for a while; raises `Later` where more is to be done."""
    end = time.monotonic() + _RUN_S
    for cell_id, bank, space_id in _read(lease, _TO_CLEAR):
        _clear(lease, cell=cell_id, bank=bank, space=space_id)
        _rest_after(end)
    for (bank,) in _read(lease, _LARGE_BANKS, large=LARGE):
        while _file_some(lease, bank, end):
            pass


def _rest_after(end: float) -> None:
    if time.monotonic() > end:
        raise Later(0)


def _read(lease: Lease, statement: str, **more: Any) -> list[Any]:
    with workspace(lease.workspace_id), connection.cursor() as cursor:
        cursor.execute(statement, _values(**more))
        return list(cursor.fetchall())


def _values(**more: Any) -> dict[str, Any]:
    return {"workspace": current_workspace_id(), **more}


def _clear(lease: Lease, **which: UUID) -> None:
    """All that is in the cell is in none any more, and the cell is gone; or nothing changes, while somebody writes
    what is in it."""
    with workspace(lease.workspace_id), connection.cursor() as cursor:
        lease_fence(lease)
        values = _values(**which)
        cursor.execute(_TAKE_OUT_WORDS, values)
        cursor.execute(_TAKE_OUT_VECTORS, values)
        cursor.execute(_IS_LEFT, values)
        if cursor.fetchone()[0]:
            raise Later(_SOON_S)
        cursor.execute(_DROP_POSTINGS, values)
        cursor.execute(_DROP_CELL, values)


def _file_some(lease: Lease, bank: UUID, end: float) -> bool:
    """File what is in no cell, as far as it is much; whether it was. What waits for another vector is left."""
    unfiled = _unfiled(lease, bank)
    if unfiled is None:
        return False
    filed = 0
    for rows in clustered(unfiled.vectors, CELL):
        filed += _file_cell(lease, unfiled.part(rows))
        _rest_after(end)
    if not filed:
        raise Later(_SOON_S)
    return True


def _unfiled(lease: Lease, bank: UUID) -> Unfiled | None:
    """The first of the bank's vectors in no cell; nothing where these are too few."""
    with workspace(lease.workspace_id):
        space = serving_space()
    if space is None:
        return None
    most = max(LARGE, min(MOST, _MOST_NUMBERS // space.dimension))
    rows = _read(lease, _UNFILED, bank=bank, space=space.id, most=most)
    if len(rows) < LARGE:
        return None
    ids, passage_ids = [row_id for row_id, _, _ in rows], [passage_id for _, passage_id, _ in rows]
    return Unfiled(bank, space.id, ids, passage_ids, _vectors([sent for _, _, sent in rows]))


def _vectors(sent: Sequence[bytes]) -> Vectors:
    """As PostgreSQL sends them: the dimension and a gap, two bytes each, then the numbers."""
    import numpy as np  # noqa: PLC0415  # only a process that makes vectors pays for it

    vectors = np.empty((len(sent), (len(sent[0]) - _HALFVEC_HEAD) // 2), dtype=np.float32)
    for row, one in enumerate(sent):
        vectors[row] = np.frombuffer(one, dtype=">f2", offset=_HALFVEC_HEAD)
    return vectors


def _file_cell(lease: Lease, unfiled: Unfiled) -> int:
    """Make one cell of them; of how many, for who changes just now stays out."""
    fault_point("cells.before_write")
    with workspace(lease.workspace_id):
        lease_fence(lease)
        space = serving_space()
        if space is None or space.id != unfiled.space_id:
            raise Later(0)
        held = _held(unfiled)
        if held:
            cells_leave(held)
            _store(unfiled, {one.id: one.word_count for one in held})
    return len(held)


def _held(unfiled: Unfiled) -> list[Filed]:
    """Those of the passages that are as they were, and that nobody else writes just now, held until the unit ends. One
    whose vector alone was made anew is in a cell yet."""
    values = _values(passages=list(unfiled.passage_ids), bank=unfiled.bank)
    with connection.cursor() as cursor:
        cursor.execute(_HELD, values)
        return [Filed._make(row) for row in cursor.fetchall()]


def _store(unfiled: Unfiled, held: Mapping[UUID, int]) -> None:
    """The cell, its postings, and that the held ones are in it."""
    cell_id, rows = uuid7(), [row for row, passage_id in enumerate(unfiled.passage_ids) if passage_id in held]
    vector_ids = [unfiled.ids[row] for row in rows]
    Cell.objects.create(
        id=cell_id,
        bank=unfiled.bank,
        space_id=unfiled.space_id,
        centroid=_middle(unfiled.vectors[rows]),
        size=len(held),
        words=sum(held.values()),
    )
    _file(_values(cell=cell_id, bank=unfiled.bank, passages=list(held), vectors=vector_ids))


def _file(values: Mapping[str, Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_FILE_WORDS, values)
        cursor.execute(_FILE_VECTORS, values)
        cursor.execute(_COUNT_WORDS, values)
        cursor.execute(_FILE_POSTINGS, {**values, "ids": uuid7s(cursor.fetchone()[0])})


def _middle(vectors: Vectors) -> Vector:
    """Of length one, as they are; nothing is near one that has no length."""
    import numpy as np  # noqa: PLC0415  # as above

    middle: Vector = vectors.mean(axis=0)
    length = np.linalg.norm(middle)
    return (middle / length if length else middle).astype(np.float32)
