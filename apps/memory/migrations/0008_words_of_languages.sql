-- What is indexed already keeps its words, and gets those of its language.
WITH source AS MATERIALIZED (
    SELECT passage.id, search_words(content) AS found
    FROM mem_passages AS passage
    CROSS JOIN LATERAL (
        SELECT left(l0_abstract || ' ' || l2_content, 20000) AS content FROM mem_nodes WHERE id = passage.node_id
        UNION ALL SELECT left(content, 50000) FROM conversations_message WHERE id = passage.message_id
        UNION ALL SELECT left(content, 20000) FROM user_memory WHERE id = passage.user_memory_id
    ) AS text
    WHERE passage.id = ANY(%(ids)s::uuid[])
        AND (
            text_language(content) <> 'pg_catalog.english'::regconfig
            OR content ~ '[‘’¿¡«»„“”‚…–—ぁ-ヿ㐀-䶿一-鿿가-힣]'
        )
)
UPDATE mem_passages AS passage SET words = words || found, word_count = length(words || found)
FROM source WHERE passage.id = source.id AND passage.id = ANY(%(ids)s::uuid[]);
