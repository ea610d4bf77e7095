-- The stems of a text that `apps/engine/language/search_words` analyzed: its words and terms, separated by spaces.
--
-- `:term` is kept as it is, `en:word` gets its stem in that language. In German, Spanish and French, as in `de:word:plain`,
-- the word without accents gets its stem of English too, for names and terms of any language are the same in a text in
-- English. A stop word is kept behind a tilde: queries that consist of such words look for them.
CREATE FUNCTION stemmed_words(analysis text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $function$
    SELECT array_to_tsvector(coalesce(array_agg(DISTINCT lexeme), '{}'))
    FROM string_to_table(analysis, ' ') AS token
    CROSS JOIN LATERAL (
        SELECT split_part(token, ':', 1) AS language, split_part(token, ':', 2) AS word, split_part(token, ':', 3) AS plain
    ) AS part
    CROSS JOIN LATERAL (
        SELECT CASE language
            WHEN 'en' THEN ts_lexize('pg_catalog.english_stem', word)
            WHEN 'de' THEN ts_lexize('pg_catalog.german_stem', word)
            WHEN 'es' THEN ts_lexize('pg_catalog.spanish_stem', word)
            WHEN 'fr' THEN ts_lexize('pg_catalog.french_stem', word)
            WHEN 'ru' THEN ts_lexize('pg_catalog.russian_stem', word)
            WHEN 'el' THEN ts_lexize('pg_catalog.greek_stem', word)
            WHEN 'hi' THEN ts_lexize('pg_catalog.hindi_stem', word)
            ELSE ARRAY[word]
        END AS stems
    ) AS found
    CROSS JOIN LATERAL unnest(
        CASE
            WHEN stems = '{}' THEN ARRAY['~' || coalesce(nullif(plain, ''), word)]
            WHEN plain = '' THEN stems
            ELSE stems || ts_lexize('pg_catalog.english_stem', plain)
        END
    ) AS lexeme
    WHERE lexeme <> ''
$function$;

DROP FUNCTION search_words(text);
DROP FUNCTION character_pairs(text);
DROP FUNCTION text_language(text);
