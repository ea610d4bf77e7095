-- Remove what follows the first tool message of a conversation from the index, and schedule the job that indexes it again.
WITH tools AS (
    SELECT m.workspace_id, m.conversation_id, min(m."index") AS place
    FROM conversations_conversation AS conversation
    JOIN conversations_message AS m
        ON m.workspace_id = conversation.workspace_id AND m.conversation_id = conversation.id
    WHERE conversation.id = ANY(%(ids)s::uuid[])
        AND NOT m.excluded AND (m.role = 'tool' OR m.parts @> '[{"kind": "tool_result"}]')
        -- Where there are texts of tools, the conversation was indexed with them.
        AND NOT EXISTS (
            SELECT 1 FROM mem_passages AS known
            WHERE known.workspace_id = conversation.workspace_id AND known.bank = conversation.id
                AND known.tool_text <> ''
        )
    GROUP BY m.workspace_id, m.conversation_id
),
dropped AS (
    DELETE FROM mem_passages AS passage USING tools
    WHERE passage.workspace_id = tools.workspace_id AND passage.bank = tools.conversation_id
        AND passage.place >= tools.place
    RETURNING passage.workspace_id, passage.id
),
vectors AS (
    DELETE FROM mem_embeddings AS embedding USING dropped
    WHERE embedding.workspace_id = dropped.workspace_id AND embedding.passage_id = dropped.id
)
-- A running job loses its lease: it would go on behind what was removed.
INSERT INTO jobs_duejob AS job
    (id, workspace_id, kind, key, priority, due_at, deadline_at, generation, attempts, last_error, state)
SELECT gen_random_uuid(), workspace_id, 'memory_messages', conversation_id::text, 1,
    statement_timestamp(), statement_timestamp(), 1, 0, '', 'due'
FROM tools
ON CONFLICT (workspace_id, kind, key) DO UPDATE SET
    state = 'due', generation = job.generation + 1, attempts = 0, lease_token = NULL, lease_until = NULL,
    due_at = EXCLUDED.due_at, deadline_at = EXCLUDED.deadline_at;
