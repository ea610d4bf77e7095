-- The memories in use whose vectors are nearest to those of given memories, each in the bank of its owner.
--
-- The vectors of a bank are read once and compared with all given ones, a tenth of a second for 50 and 10,000.
--
-- Parameters:
--   workspace, space     the workspace, and its embedding space
--   nodes, node_banks    the given memories, and the bank that each is compared with, in the same order
--   banks                the same banks, each once
-- Constants (near_duplicates.py): nearest, least

WITH given AS MATERIALIZED (
    SELECT input.node_id, input.bank, own.vector
    FROM unnest(:nodes::uuid[], :node_banks::uuid[]) AS input (node_id, bank)
    CROSS JOIN LATERAL (
        SELECT id FROM mem_passages WHERE workspace_id = :workspace AND node_id = input.node_id LIMIT 1
    ) AS passage
    CROSS JOIN LATERAL (
        SELECT vector FROM mem_embeddings
        WHERE workspace_id = :workspace AND passage_id = passage.id AND space_id = :space
        LIMIT 1
    ) AS own
),
near AS MATERIALIZED (
    SELECT given.node_id, compared.passage_id, -(compared.vector <#> given.vector) AS similarity
    FROM (
        -- The offset keeps the planner from reading a bank once for each given memory.
        SELECT passage_id, bank, vector FROM mem_embeddings
        WHERE workspace_id = :workspace AND bank = ANY (:banks::uuid[]) AND space_id = :space
        OFFSET 0
    ) AS compared
    JOIN given ON given.bank = compared.bank
    WHERE compared.vector <#> given.vector <= -:least
)
SELECT node_id, near_id, similarity
FROM (
    SELECT
        near.node_id, passage.node_id AS near_id, near.similarity,
        row_number() OVER (PARTITION BY near.node_id ORDER BY near.similarity DESC, passage.node_id) AS place
    FROM near
    CROSS JOIN LATERAL (
        SELECT node_id FROM mem_passages
        WHERE id = near.passage_id AND (workspace_id = :workspace) IS TRUE
        LIMIT 1
    ) AS passage
    WHERE passage.node_id <> near.node_id
) AS ranked
WHERE place <= :nearest
ORDER BY node_id, place
