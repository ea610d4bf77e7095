-- The memories in use whose vectors are nearest to those of given memories, each in the bank of its owner.
--
-- The signs of a bank are read once from its index and compared with those of all given memories, then the vectors of the
-- few that are near, which takes a third of the time of all vectors in a bank of 20,000 or more.
--
-- Parameters:
--   workspace, space     the workspace, and its embedding space
--   nodes, node_banks    the given memories, and the bank that each is compared with, in the same order
--   banks                the same banks, each once
-- Constants (near_duplicates.py): nearest, least, most_differing

WITH given AS MATERIALIZED (
    SELECT
        input.node_id, input.bank, own.vector, own.signs,
        (row_number() OVER (PARTITION BY input.bank ORDER BY input.node_id) - 1) / 10 AS batch
    FROM unnest(:nodes::uuid[], :node_banks::uuid[]) AS input (node_id, bank)
    CROSS JOIN LATERAL (
        SELECT id FROM mem_passages WHERE workspace_id = :workspace AND node_id = input.node_id LIMIT 1
    ) AS passage
    CROSS JOIN LATERAL (
        SELECT vector, signs FROM mem_embeddings
        WHERE workspace_id = :workspace AND passage_id = passage.id AND space_id = :space
        LIMIT 1
    ) AS own
),
-- Ten in a row: a join takes twice as long for each pair as its comparison. NULL where a batch has fewer.
batches AS MATERIALIZED (
    SELECT
        bank, batch, :most_differing * length(signs[1]) AS most_differing,
        signs[1] AS a, signs[2] AS b, signs[3] AS c, signs[4] AS d, signs[5] AS e,
        signs[6] AS f, signs[7] AS g, signs[8] AS h, signs[9] AS i, signs[10] AS j
    FROM (SELECT bank, batch, array_agg(signs) AS signs FROM given GROUP BY bank, batch) AS grouped
),
near_by_signs AS MATERIALIZED (
    SELECT bank, batch, passage_id, signs, most_differing
    FROM (
        -- The offset keeps the planner from reading a bank once for each batch.
        SELECT passage_id, bank, signs FROM mem_embeddings
        WHERE workspace_id = :workspace AND bank = ANY (:banks::uuid[]) AND space_id = :space
        OFFSET 0
    ) AS compared
    JOIN batches USING (bank)
    WHERE least(
        signs <~> a, signs <~> b, signs <~> c, signs <~> d, signs <~> e,
        signs <~> f, signs <~> g, signs <~> h, signs <~> i, signs <~> j
    ) <= most_differing
),
near AS MATERIALIZED (
    SELECT given.node_id, passage_id, -(compared.vector <#> given.vector) AS similarity
    FROM near_by_signs
    JOIN given USING (bank, batch)
    CROSS JOIN LATERAL (
        SELECT vector FROM mem_embeddings
        WHERE workspace_id = :workspace AND passage_id = near_by_signs.passage_id AND space_id = :space
        LIMIT 1
    ) AS compared
    WHERE near_by_signs.signs <~> given.signs <= most_differing AND compared.vector <#> given.vector <= -:least
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
