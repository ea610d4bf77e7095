-- The memories in use whose vectors are nearest to those of given memories, each in the bank of its owner.
--
-- Parameters:
--   workspace, space          the workspace, and its embedding space
--   nodes, banks, vectors     the given memories, with their banks and vectors as texts, in the same order
-- Constants (near_duplicates.py): nearest, least

SELECT input.node_id, near.node_id AS near_id, near.similarity
FROM unnest(:nodes::uuid[], :banks::uuid[], :vectors::text[]) AS input (node_id, bank, vector)
CROSS JOIN LATERAL (
    SELECT passage.node_id, nearest.similarity
    FROM (
        SELECT passage_id, -(embedding.vector <#> input.vector::halfvec) AS similarity
        FROM mem_embeddings AS embedding
        WHERE workspace_id = :workspace AND bank = input.bank AND space_id = :space
        ORDER BY embedding.vector <#> input.vector::halfvec, passage_id
        LIMIT :nearest + 1
    ) AS nearest
    CROSS JOIN LATERAL (
        SELECT node_id FROM mem_passages
        WHERE id = nearest.passage_id AND (workspace_id = :workspace) IS TRUE
        LIMIT 1
    ) AS passage
    WHERE passage.node_id IS NOT NULL AND passage.node_id <> input.node_id AND nearest.similarity >= :least
    LIMIT :nearest
) AS near
ORDER BY input.node_id, near.similarity DESC, near.node_id
