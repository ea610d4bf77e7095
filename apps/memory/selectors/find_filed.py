"""What the statement of a search has instead where a bank is filed in cells: an index of its own, in plain tables.

What is in no cell is read as it is everywhere else. Of the rest the nearest cells are read, and what the postings have
of the words.
"""

from __future__ import annotations

from apps.common.models import ALSO_HERE

READ_OF_CELLS, SHARE_OF_CELLS = 6_000, 0.1
"""So many vectors of each filed bank are compared, or that share where it is more: those of the nearest cells."""

UNFILED = "AND p.cell_id IS NULL"
BANK = """
bank AS MATERIALIZED (
    SELECT size::float8 AS size, greatest(words / greatest(size, 1), 1)::float8 AS mean FROM (
        SELECT (SELECT count(*) FROM scan) + coalesce(sum(size), 0) AS size,
            (SELECT coalesce(sum(word_count), 0) FROM scan) + coalesce(sum(words), 0) AS words
        FROM mem_cells WHERE workspace_id = %(workspace)s AND bank = ANY(%(banks)s)
    ) AS told
),
"""
MET = """
    UNION ALL SELECT one.id, one.word_count, posting.word
    FROM mem_postings AS posting CROSS JOIN LATERAL unnest(posting.passages, posting.lengths) AS one (id, word_count)
    WHERE posting.workspace_id = %(workspace)s AND posting.bank = ANY(%(banks)s)
        AND posting.word = ANY(ARRAY(SELECT word FROM asked)) AND (SELECT holds FROM any_of)
"""
# Each of the two is read along the index.
_VECTORS = """
        SELECT e.passage_id, e.vector FROM mem_embeddings AS e
        WHERE e.workspace_id = %(workspace)s AND e.bank = ANY(%(banks)s) AND e.space_id = %(space)s
            AND (SELECT holds FROM any_of)"""
PROBED = f"""
probed AS (
    SELECT id FROM (
        SELECT id, sum(size) OVER (PARTITION BY bank) AS size,
            sum(size) OVER (PARTITION BY bank ORDER BY centroid <#> %(vector)s::halfvec, id) - size AS before
        FROM mem_cells
        WHERE workspace_id = %(workspace)s AND bank = ANY(%(banks)s) AND space_id = %(space)s
    ) AS ranked WHERE before < greatest({READ_OF_CELLS}, {SHARE_OF_CELLS} * size)
),
"""  # noqa: S608  # the only inserted text is the constant above
VECTORS = f"""({_VECTORS} AND e.cell_id IS NULL
    UNION ALL {_VECTORS} AND e.cell_id = ANY(ARRAY(SELECT id FROM probed)))"""  # noqa: S608  # ours
REACHED = f"""
reached AS (
    SELECT * FROM scan UNION ALL SELECT {{passage}}
    FROM (SELECT id FROM lexical UNION SELECT id FROM near) AS picked CROSS JOIN any_of CROSS JOIN LATERAL (
        SELECT * FROM mem_passages
        WHERE id = picked.id AND {ALSO_HERE} AND bank = ANY(%(banks)s) AND cell_id IS NOT NULL LIMIT 1
    ) AS p
),
"""  # noqa: S608  # the only inserted text is the constant above
