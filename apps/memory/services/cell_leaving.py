"""Taking passages out of their cells, with every word that the cells have of them, as they change or go."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from apps.common.models import ALSO_HERE
from apps.common.tenancy import current_workspace_id


class Filed(NamedTuple):
    """A passage, which cell it is in, if it is in one, and how many words were counted there."""

    id: UUID
    cell_id: UUID | None
    word_count: int


# In one order, so that nobody waits for who waits for them.
_HOLD = f"SELECT 1 FROM mem_cells WHERE id = ANY(%(cells)s::uuid[]) AND {ALSO_HERE} ORDER BY id FOR UPDATE"  # noqa: S608  # of constants
_FORGET = """
DELETE FROM mem_postings WHERE workspace_id = %(workspace)s AND cell_id = ANY(%(cells)s::uuid[])
    AND passages <@ %(gone)s::uuid[]
"""
_KEEP_OTHERS = """
UPDATE mem_postings AS posting SET (passages, lengths) = (
    SELECT array_agg(one.id ORDER BY one.number), array_agg(one.length ORDER BY one.number)
    FROM unnest(posting.passages, posting.lengths) WITH ORDINALITY AS one (id, length, number)
    WHERE one.id <> ALL(%(gone)s::uuid[])
)
WHERE workspace_id = %(workspace)s AND cell_id = ANY(%(cells)s::uuid[]) AND passages && %(gone)s::uuid[]
"""
_COUNT = f"""
UPDATE mem_cells AS cell SET size = cell.size - told.size, words = cell.words - told.words FROM (
    SELECT cell_id, count(*) AS size, sum(word_count) AS words
    FROM unnest(%(left)s::uuid[], %(counts)s::int[]) AS one (cell_id, word_count) GROUP BY cell_id
) AS told WHERE cell.id = told.cell_id AND {ALSO_HERE}
"""  # noqa: S608  # the only inserted text is the constant
_DROP_EMPTY = f"DELETE FROM mem_cells WHERE id = ANY(%(cells)s::uuid[]) AND {ALSO_HERE} AND size = 0"  # noqa: S608  # of constants


def cells_leave(passages: Iterable[Filed]) -> None:
    """None of them is told of in its cell any more. The caller holds them, and has them in no cell, or deletes them."""
    filed = [one for one in passages if one.cell_id]
    if not filed:
        return
    values = {
        "workspace": current_workspace_id(),
        "gone": [one.id for one in filed],
        "left": [one.cell_id for one in filed],
        "counts": [one.word_count for one in filed],
        "cells": list({one.cell_id for one in filed}),
    }
    with connection.cursor() as cursor:
        for statement in (_HOLD, _FORGET, _KEEP_OTHERS, _COUNT, _DROP_EMPTY):
            cursor.execute(statement, values)
