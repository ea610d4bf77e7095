-- Search passages of memories and messages by their words and by their meaning, and rank them by one linear score.
--
-- Full text search is not leakproof, so under row-level security no index on words may serve it: the index on a passage's
-- bank bounds it. Vectors have length one: their inner product is the cosine. All of a bank's are compared, by their signs
-- alone if they are many.
--
-- Parameters (search.psql sets all of them for psql):
--   workspace, banks, memory_banks   what the caller may read; memory_banks are those of `banks` that hold memories
--   query_words, people, phrases     the query, analyzed; whom it surely names; phrases that may name the subject of a memory
--   query_vector, space              the query's embedding, NULL to search by words alone; the space to compare it in
--   top_k, threshold                 how many rows; the least similarity, 0 for any
--   with_user_memory                 whether user memory is searched too, which packs contain anyway
--   month, day, first_date, last_date   the date in the query: a month (and day) of any year, or a range; else NULL
--   readers                          the person and the workspace, whose memories may be named
--   is_filtered                      whether one of these is set: since, until, as_of, filters_memories
--   since, until                     filters on the passage's time; NULL for any
--   as_of                            what held and had been said at that time; NULL for now
--   filters_memories                 whether one of these is set: category, within (with the range of what lies below
--   ...                              it: within_first, within_end), trusts, tags; NULL for any
--   directories                      only what is in one of these directories, near or not; NULL for anywhere
--   include                          memories and messages that are returned too, whatever their score; NULL for none
--   now_epoch, relevance_floor, half_life_days, exempt_uri   how memories decay (apps/engine/memory/decay.py)
-- Constants (apps/engine/memory/ranking_features.py): max_terms, candidates, short_question_length, neighbors, date_days,
--   bm25_k1, bm25_b, snippet_length, snippet_lead, weight_…, base_weight_…, memory_weight_…; (statement.py): most_exact, sampled,
--   near_in_sample, rescored, per_rescored

WITH every_term AS MATERIALIZED (
    SELECT term, term LIKE '~%' AS is_stop FROM unnest(tsvector_to_array(stemmed_words(:query_words))) AS term
),
query_terms AS MATERIALIZED (
    -- Of a long query its longest words: each is looked for in every text that has one of them. Stop words count in a query
    -- of nothing else, where one alone says nothing.
    SELECT term, quote_literal(term)::tsquery AS query
    FROM every_term
    WHERE NOT is_stop OR (SELECT bool_and(is_stop) AND count(*) > 1 FROM every_term)
    ORDER BY length(term) DESC, term
    LIMIT :max_terms
),
any_term AS MATERIALIZED (
    SELECT string_agg(quote_literal(term), ' | ')::tsquery AS query FROM query_terms
),
subject AS MATERIALIZED (
    -- The one person or thing the query is about; empty if it names none or several.
    SELECT CASE WHEN count(*) = 1 THEN min(name) ELSE '' END AS actor
    FROM (
        SELECT unnest(:people::text[]) AS name
        UNION
        SELECT phrase
        FROM unnest(:phrases::varchar[]) AS phrase
        CROSS JOIN unnest(:memory_banks::uuid[]) AS memories (bank)
        -- The next actor in the order of the index: to find an equal one, the planner would read the table from its
        -- beginning where one bank is most of it.
        CROSS JOIN LATERAL (
            SELECT actor FROM mem_passages
            WHERE workspace_id = :workspace AND bank = memories.bank AND actor >= phrase
            ORDER BY actor
            LIMIT 1
        ) AS following
        WHERE following.actor = phrase
    ) AS named
),

chosen_nodes AS MATERIALIZED (
    SELECT id FROM mem_nodes AS node
    WHERE :filters_memories::boolean
        AND workspace_id = :workspace
        AND (owner_id = ANY (:banks::uuid[]) OR owner_id IS NULL)
        AND (:category::varchar IS NULL OR category = :category::varchar)
        AND (
            :within::varchar IS NULL
            OR uri = :within::varchar
            OR (uri >= :within_first::varchar AND uri < :within_end::varchar)
        )
        AND (:trusts::varchar[] IS NULL OR trust = ANY (:trusts::varchar[]))
        AND (:tags::varchar[] IS NULL OR tags @> :tags::varchar[])
),

-- The passages in question. Not materialized: each use below reads them by the index that serves it.
passages AS NOT MATERIALIZED (
    SELECT id, bank, series, occurred_at, words, word_count, node_id, message_id FROM mem_passages
    WHERE workspace_id = :workspace
        AND bank = ANY (:banks::uuid[])
        AND (:with_user_memory::boolean OR user_memory_id IS NULL)
        AND (
            NOT :is_filtered::boolean
            OR (
                (:since::timestamptz IS NULL OR occurred_at >= :since::timestamptz)
                AND (:until::timestamptz IS NULL OR occurred_at <= :until::timestamptz)
                AND (:as_of::timestamptz IS NULL OR message_id IS NULL OR occurred_at <= :as_of::timestamptz)
                AND (NOT :filters_memories::boolean OR node_id IN (SELECT id FROM chosen_nodes))
            )
        )
),

-- BM25 that counts a term once per passage, however often it occurs there.
corpus AS MATERIALIZED (
    SELECT count(*)::float8 AS passage_count, greatest(avg(word_count), 1)::float8 AS mean_word_count FROM passages
),
term_hits AS (
    -- The offset compares each passage with all terms at once, not all passages once per term.
    SELECT passages.id, passages.word_count, hit.term
    FROM passages
    CROSS JOIN LATERAL (SELECT term FROM query_terms WHERE passages.words @@ query OFFSET 0) AS hit
    WHERE words @@ (SELECT query FROM any_term)
),
term_stats AS (
    SELECT id, word_count, (count(*) OVER (PARTITION BY term))::float8 AS passages_with_term FROM term_hits
),
term_scores AS MATERIALIZED (
    SELECT
        id,
        sum(
            ln(1 + (passage_count - passages_with_term + 0.5::float8) / (passages_with_term + 0.5::float8))
            * (1 + :bm25_k1)
            / (1 + :bm25_k1 * (1 - :bm25_b + :bm25_b * word_count / mean_word_count))
        ) AS score
    FROM term_stats CROSS JOIN corpus
    GROUP BY id
    ORDER BY score DESC, id
    LIMIT :candidates
),

-- The nearest vectors: of a large bank, among those whose signs differ least, which its index holds.
filtered AS MATERIALIZED (SELECT id FROM passages),
vectors AS NOT MATERIALIZED (
    SELECT passage_id, signs, vector FROM mem_embeddings
    WHERE :query_vector::halfvec IS NOT NULL
        AND workspace_id = :workspace
        AND bank = ANY (:banks::uuid[])
        AND space_id = :space
        AND (NOT :is_filtered::boolean OR passage_id IN (SELECT id FROM filtered))
),
sample_distance AS MATERIALIZED (
    SELECT max(distance) AS largest
    FROM (
        SELECT signs <~> (SELECT binary_quantize(:query_vector::halfvec)) AS distance FROM (
            SELECT signs FROM vectors LIMIT :sampled
        ) AS sample
        ORDER BY distance
        LIMIT :near_in_sample
    ) AS nearest_of_sample
),
near_by_signs AS MATERIALIZED (
    SELECT passage_id FROM vectors
    WHERE (SELECT passage_count > :most_exact FROM corpus)
        -- Enough are as near as the nearest of a sample, and all others need not be sorted.
        AND signs <~> (SELECT binary_quantize(:query_vector::halfvec)) <= (SELECT largest FROM sample_distance)
    ORDER BY signs <~> (SELECT binary_quantize(:query_vector::halfvec))
    LIMIT (SELECT :rescored + passage_count / :per_rescored FROM corpus)
),
nearest AS MATERIALIZED (
    SELECT passage_id AS id, -distance AS similarity
    FROM (
        SELECT passage_id, vector <#> :query_vector::halfvec AS distance FROM vectors
        WHERE (SELECT passage_count <= :most_exact FROM corpus)
        UNION ALL
        SELECT passage_id, vector <#> :query_vector::halfvec FROM mem_embeddings
        WHERE workspace_id = :workspace
            AND passage_id = ANY (ARRAY (SELECT passage_id FROM near_by_signs))
            AND space_id = :space
    ) AS compared
    ORDER BY distance, passage_id
    LIMIT :candidates
),
candidates AS (
    SELECT id, max(term_score) AS term_score, max(similarity) AS similarity
    FROM (
        SELECT id, score AS term_score, NULL::float8 AS similarity FROM term_scores
        UNION ALL
        SELECT id, NULL, similarity FROM nearest
        UNION ALL
        -- The newest too, so that as many come as are asked for, and what has no vector yet.
        (
            SELECT newest.id, NULL, NULL
            FROM unnest(:banks::uuid[]) AS searched (bank)
            CROSS JOIN LATERAL (
                SELECT id, occurred_at FROM passages
                WHERE passages.bank = searched.bank
                ORDER BY occurred_at DESC, id DESC LIMIT :top_k
            ) AS newest
            ORDER BY newest.occurred_at DESC, newest.id DESC LIMIT :top_k
        )
        UNION ALL
        (
            SELECT id, NULL, NULL FROM passages
            WHERE :directories::uuid[] IS NOT NULL AND series = ANY (:directories::uuid[])
            ORDER BY occurred_at DESC, id DESC LIMIT :candidates
        )
        UNION ALL
        SELECT id, NULL, NULL FROM passages
        WHERE :include::uuid[] IS NOT NULL
            AND (node_id = ANY (:include::uuid[]) OR message_id = ANY (:include::uuid[]))
    ) AS candidate
    GROUP BY id
),

-- A month without a year is that of the year most of the passages are from.
likeliest_month AS MATERIALIZED (
    SELECT month.first, (month.first + interval '1 month - 1 day')::date AS last
    FROM (
        SELECT make_date(extract(year FROM occurred_at AT TIME ZONE 'UTC')::int, :month::int, 1) AS first
        FROM passages
        WHERE :month::int IS NOT NULL AND extract(month FROM occurred_at AT TIME ZONE 'UTC') = :month::int
        GROUP BY 1
        ORDER BY count(*) DESC, 1 DESC
        LIMIT 1
    ) AS month
),
date_range AS MATERIALIZED (
    SELECT
        least(first + coalesce(:day::int, 1) - 1, last) AS first,
        least(first + coalesce(:day::int, 31) - 1, last) AS last
    FROM likeliest_month
    UNION ALL
    SELECT :first_date::date, :last_date::date WHERE :first_date::date IS NOT NULL
),

-- What is known of each candidate.
scored_base AS MATERIALIZED (
    SELECT *,
        :base_weight_lexical * lexical
        + :base_weight_similarity * coalesce(similarity, 0)
        + :base_weight_actor * is_about AS base
    FROM (
        SELECT
            passage.id, node_id, message_id, user_memory_id, series, session, place, passage.occurred_at,
            (passage.occurred_at AT TIME ZONE 'UTC')::date AS day,
            (is_question AND char_count < :short_question_length)::int::float8 AS is_short_question,
            (actor <> '' AND actor = (SELECT actor FROM subject))::int::float8 AS is_about,
            tool_text <> '' AS is_of_tool,
            coalesce(candidates.term_score / (SELECT max(score) FROM term_scores), 0)::float8 AS lexical,
            -- NULL for a passage without a vector.
            coalesce(
                candidates.similarity,
                (
                    SELECT -(vector <#> :query_vector::halfvec) FROM mem_embeddings
                    WHERE workspace_id = :workspace AND passage_id = passage.id AND space_id = :space
                )
            )::float8 AS similarity
        FROM candidates
        CROSS JOIN LATERAL (
            SELECT * FROM mem_passages
            WHERE id = candidates.id AND (workspace_id = :workspace) IS TRUE
                AND (:with_user_memory::boolean OR user_memory_id IS NULL)
            LIMIT 1
        ) AS passage
        OFFSET 0
    ) AS measured
),
neighbor_features AS MATERIALIZED (
    -- Messages take their neighbors into account; memories have none, and what tools returned is none.
    SELECT
        id,
        max(base) OVER (
            PARTITION BY series, session ORDER BY place RANGE BETWEEN :neighbors PRECEDING AND :neighbors FOLLOWING
        ) AS window_base
    FROM scored_base
    WHERE place IS NOT NULL AND NOT is_of_tool
),
features AS (
    SELECT
        scored_base.id, series, node_id, message_id, user_memory_id, occurred_at, is_of_tool,
        message_id IS NULL AS is_memory,
        lexical, similarity, is_about, is_short_question,
        -- Exponents are bounded: PostgreSQL refuses results that are too small to tell from zero.
        CASE
            WHEN date_range.first IS NULL THEN 0
            WHEN day < date_range.first THEN exp(-least(700, 2 * (date_range.first - day) / :date_days))
            WHEN day > date_range.last THEN exp(-least(700, (day - date_range.last) / :date_days))
            ELSE 1
        END::float8 AS date_nearness,
        coalesce(window_base, base) AS window_base
    FROM scored_base
    LEFT JOIN neighbor_features ON neighbor_features.id = scored_base.id
    LEFT JOIN date_range ON true
),
score_parts AS (
    SELECT
        id, series, node_id, message_id, user_memory_id, occurred_at, is_of_tool, coalesce(similarity, 0) AS similarity,
        CASE WHEN is_memory THEN :memory_weight_lexical ELSE :weight_lexical END * lexical AS lexical_part,
        CASE WHEN is_memory THEN :memory_weight_similarity ELSE :weight_similarity END
        * coalesce(similarity, 0) AS similarity_part,
        CASE WHEN is_memory THEN :memory_weight_actor ELSE :weight_actor END * is_about AS actor_part,
        :weight_date * date_nearness AS date_part,
        :weight_short_question * is_short_question AS short_question_part,
        CASE WHEN is_memory THEN 0 ELSE :weight_window * window_base END AS window_part
    FROM features
    -- A passage without a vector cannot be near enough: its words decide.
    WHERE (:threshold::float8 = 0 OR coalesce(similarity >= :threshold::float8, lexical > 0))
        AND (:directories::uuid[] IS NULL OR series = ANY (:directories::uuid[]))
),
totals AS (
    SELECT score_parts.*, decay.relevance,
        lexical_part + similarity_part + actor_part + date_part + short_question_part + window_part AS total
    FROM score_parts
    -- Few rows, each by its key; the limit keeps the planner from reading the whole table instead.
    LEFT JOIN LATERAL (
        SELECT uri, base_relevance, coalesce(last_access, occurred_at) AS last_access,
            (:as_of::timestamptz IS NULL OR coalesce(valid_from, least(occurred_at, created_at)) <= :as_of::timestamptz)
            AND (valid_to IS NULL OR valid_to > coalesce(:as_of::timestamptz, now())) AS is_valid
        FROM mem_nodes AS node
        WHERE node.id = score_parts.node_id AND (node.workspace_id = :workspace) IS TRUE
        LIMIT 1
    ) AS memory ON true
    CROSS JOIN LATERAL (
        -- As apps/engine/memory/decay.py has it; a message does not decay.
        SELECT CASE
            WHEN memory.uri IS NULL OR memory.uri = :exempt_uri THEN 1
            ELSE least(1, greatest(
                :relevance_floor::float8,
                memory.base_relevance * power(0.5::float8, least(1000, greatest(
                    0, :now_epoch::float8 - date_part('epoch', memory.last_access)
                ) / 86400 / :half_life_days::float8))
            ))
        END::float8 AS relevance
    ) AS decay
    WHERE memory.is_valid IS NOT FALSE
    OFFSET 0
),
scored AS (
    SELECT *, CASE WHEN total > 0 THEN total * relevance ELSE total END AS score FROM totals
),
limited AS (
    -- What tools returned is at most half of the results, as far as there are others.
    SELECT *, is_of_tool AND row_number() OVER (
        PARTITION BY is_of_tool ORDER BY score DESC, occurred_at DESC, id DESC
    ) > (:top_k + 1) / 2 AS comes_last FROM scored
),
ranked AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY comes_last, score DESC, occurred_at DESC, id DESC) AS place FROM limited
),
best AS MATERIALIZED (
    SELECT * FROM ranked
    WHERE place <= :top_k OR coalesce(node_id, message_id) = ANY (:include::uuid[])
    ORDER BY place
)
SELECT
    coalesce(best.node_id, best.message_id, best.user_memory_id) AS id, best.node_id, best.message_id,
    best.user_memory_id, best.series, best.occurred_at,
    best.score, best.similarity, best.relevance,
    (SELECT actor FROM subject) AS subject,
    best.lexical_part, best.similarity_part, best.actor_part, best.date_part, best.short_question_part,
    best.window_part,
    node.uri, node.l0_abstract AS abstract, node.category, node.trust, node.tags, node.owner_id, node.version,
    node.valid_from, node.valid_to, replacement.text AS replaced_by, replacement.since AS replaced_at,
    dispute.text AS disputed_by,
    message.conversation_id, message."index",
    CASE WHEN message.tool_text <> '' THEN 'tool' ELSE message.role END AS role, message.name, message.tool_text,
    item.type AS memory_type, item.key,
    CASE
        WHEN item.id IS NOT NULL THEN left(item.content, :snippet_length)
        WHEN message.id IS NULL THEN left(coalesce(nullif(node.l0_abstract, ''), node.l2_content), :snippet_length)
        ELSE substring(
            message.text FROM greatest(1, first_hit.position - :snippet_lead)::int FOR :snippet_length
        )
    END AS snippet,
    coalesce(first_hit.position > :snippet_lead + 1, false) AS is_cut
FROM best
-- By the primary keys alone: without statistics the planner would read the whole workspace for each row.
LEFT JOIN LATERAL (
    SELECT * FROM mem_nodes WHERE id = best.node_id AND (workspace_id = :workspace) IS TRUE LIMIT 1
) AS node ON true
LEFT JOIN LATERAL (
    SELECT *, coalesce(nullif(tool_text, ''), content) AS text
    FROM conversations_message
    CROSS JOIN LATERAL (
        SELECT tool_text FROM mem_passages WHERE id = best.id AND (workspace_id = :workspace) IS TRUE LIMIT 1
    ) AS passage
    WHERE id = best.message_id AND (workspace_id = :workspace) IS TRUE LIMIT 1
) AS message ON true
LEFT JOIN LATERAL (
    SELECT * FROM user_memory WHERE id = best.user_memory_id AND (workspace_id = :workspace) IS TRUE LIMIT 1
) AS item ON true
LEFT JOIN LATERAL (
    -- What superseded the fact that a message states, as far as the reader may see it.
    SELECT left(later.l2_content, :snippet_length) AS text, earlier.valid_to AS since
    FROM mem_sources AS source
    CROSS JOIN LATERAL (
        SELECT superseded_by_id, valid_to FROM mem_nodes
        WHERE id = source.node_id AND (workspace_id = :workspace) IS TRUE
            AND coalesce(owner_id, workspace_id) = ANY (:readers::uuid[])
            AND (:as_of::timestamptz IS NULL OR valid_to <= :as_of::timestamptz)
        LIMIT 1
    ) AS earlier
    CROSS JOIN LATERAL (
        SELECT l2_content FROM mem_nodes
        WHERE id = earlier.superseded_by_id AND (workspace_id = :workspace) IS TRUE
            AND coalesce(owner_id, workspace_id) = ANY (:readers::uuid[])
        LIMIT 1
    ) AS later
    WHERE source.workspace_id = :workspace AND source.kind = 'message' AND source.reference = best.message_id::text
    ORDER BY earlier.valid_to DESC
    LIMIT 1
) AS replacement ON best.message_id IS NOT NULL
LEFT JOIN LATERAL (
    SELECT left(later.l2_content, :snippet_length) AS text
    FROM mem_conflicts AS conflict
    CROSS JOIN LATERAL (
        SELECT l2_content FROM mem_nodes
        WHERE id = conflict.later_id AND (workspace_id = :workspace) IS TRUE
            AND arrival = 'accepted' AND archived_at IS NULL AND (valid_to IS NULL OR valid_to > now())
            AND coalesce(owner_id, workspace_id) = ANY (:readers::uuid[])
        LIMIT 1
    ) AS later
    WHERE conflict.workspace_id = :workspace AND conflict.earlier_id = best.node_id AND conflict.decision = 'open'
    ORDER BY conflict.id DESC
    LIMIT 1
) AS dispute ON best.node_id IS NOT NULL
LEFT JOIN LATERAL (
    -- A tool's text begins with its call, which shares words with many questions: what it returned says more.
    SELECT coalesce(
        CASE WHEN message.tool_text = '' THEN min(nullif(position(term IN lower(message.text)), 0))
            ELSE max(nullif(position(term IN lower(message.text)), 0)) END,
        1
    ) AS position FROM query_terms
) AS first_hit ON message.id IS NOT NULL
ORDER BY best.score DESC, best.occurred_at DESC, best.id DESC;
