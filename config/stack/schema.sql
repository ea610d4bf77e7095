-- Made by `make schema` from the migrations; `migrate --schema` creates an empty database from it.

CREATE FUNCTION public.character_pairs(content text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
    WITH characters AS (
        SELECT letter, lead(letter) OVER (ORDER BY place) AS following
        FROM unnest(string_to_array(content, NULL)) WITH ORDINALITY AS one (letter, place)
    )
    SELECT array_to_tsvector(coalesce(array_agg(DISTINCT term) FILTER (WHERE term <> ''), '{}'))
    FROM characters
    CROSS JOIN LATERAL (VALUES
        (CASE WHEN letter ~ '[㐀-䶿一-鿿]' AND letter NOT IN ('何', '時', '方', '事') THEN letter END),
        (CASE WHEN letter || following ~ '^[ぁ-ヿ㐀-䶿一-鿿가-힣]{2}$'
            AND letter || following !~ '^([はがをにでとのもへ][ぁ-ゖ]|[ぁ-ゖ][はがをにでとのもへ])$'
            AND letter || following <> ALL ('{
            ます,ませ,せん,した,して,てい,いる,いま,まし,たい,ない,なか,かっ,った,って,ある,あり,りま,する,すか,これ,それ,あれ,どれ,どこ,いつ,だれ,
            なに,なぜ,どう,んな,いく,くら,つか,から,まで,ため,こと,よう,うな,たか,んだ,だっ,れる,られ,せる,くだ,ださ,さい,てく,だけ,しい,さん}'::text[])
            THEN letter || following END)
    ) AS found (term)
$_$;

CREATE FUNCTION public.search_words(content text) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
DECLARE
    plain CONSTANT text := translate(content, '‘’¿¡«»„“”‚…–—', $$''           $$);
    language CONSTANT regconfig := text_language(plain);
    stemmer regdictionary;
    in_english text;
BEGIN
    IF plain ~ '[ぁ-ヿ㐀-䶿一-鿿가-힣]' THEN
        RETURN character_pairs(plain)
            || search_words(regexp_replace(plain, '[　-〿！？（），：ぁ-ヿ㐀-䶿一-鿿가-힣]+', ' ', 'g'));
    END IF;
    IF language = 'pg_catalog.english'::regconfig THEN
        RETURN to_tsvector('pg_catalog.english', plain);
    END IF;
    -- Names and terms of any language are the same in a text in English: they keep their stems of English too.
    stemmer := CASE language
        WHEN 'pg_catalog.german'::regconfig THEN 'pg_catalog.german_stem'
        WHEN 'pg_catalog.spanish'::regconfig THEN 'pg_catalog.spanish_stem'
        ELSE 'pg_catalog.french_stem'
    END;
    SELECT string_agg(word, ' ') INTO in_english
    FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.simple', plain))) AS word
    WHERE ts_lexize(stemmer, word) <> '{}';
    RETURN ts_delete(
        to_tsvector(language, plain) || to_tsvector('pg_catalog.english', coalesce(in_english, '')),
        '{wann,wo,wohin,wer,wen,wem,wessen,warum,woran,wi,viel,welch,welcher,qué,cuándo,cuánd,dónde,dónd,dond,adónd,quién,quien,cuál,
            cual,cuánto,cuánt,cuant,cuand,cómo,com,quel,quell,quand,où,comment,pourquoi,combien,est-c}'::text[]
    );
END
$_$;

CREATE FUNCTION public.text_language(content text) RETURNS regconfig
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
DECLARE
    beginning CONSTANT tsvector := to_tsvector('pg_catalog.simple', left(content, 2000));
    -- The fewest words that are left without those of one language.
    least int := length(ts_delete(beginning, '{
        a,an,the,of,and,or,to,in,on,at,is,are,was,were,be,been,has,have,had,it,its,that,this,these,for,with,from,by,as,not,no,
        he,she,i,we,you,they,my,your,his,her,our,their,me,him,us,them,ya,what,when,where,which,who,whose,why,how,do,does,did,
        can,could,should,would,will,must,may,if,but,so,there,here,s,t}'::text[]));
    language regconfig := 'pg_catalog.english';
    remaining int;
BEGIN
    remaining := length(ts_delete(beginning, '{
        der,die,das,den,dem,des,ein,eine,einen,einem,einer,eines,und,oder,aber,nicht,kein,keine,ist,sind,war,waren,hat,haben,
        hatte,wird,wurde,werden,kann,muss,soll,sollen,im,in,am,an,zum,zur,zu,mit,für,auf,von,vom,aus,bei,nach,seit,über,unter,
        bis,ohne,sich,er,sie,es,wir,ihr,ich,du,mich,mir,mein,meine,sein,seine,ihre,unser,unsere,was,wann,wo,wohin,woran,wer,
        wen,wem,wessen,wie,warum,welche,welcher,welches,welchen,welchem,dass,wenn,weil,noch,nur,mehr,als,man,so}'::text[]));
    IF remaining < least THEN
        least := remaining;
        language := 'pg_catalog.german';
    END IF;
    remaining := length(ts_delete(beginning, '{
        el,la,los,las,un,una,unos,unas,de,del,al,a,y,o,e,no,ni,que,qué,es,son,está,están,fue,era,ha,han,hay,en,con,por,para,
        sin,sobre,desde,hasta,su,sus,mi,mis,tu,nuestro,nuestra,nuestros,nuestras,se,lo,le,les,me,te,nos,como,cómo,cuando,
        cuándo,donde,dónde,adónde,quién,quiénes,cuál,cuáles,cuánto,cuánta,cuántos,pero,más,muy,ya,porque,si}'::text[]));
    IF remaining < least THEN
        least := remaining;
        language := 'pg_catalog.spanish';
    END IF;
    remaining := length(ts_delete(beginning, '{
        le,la,les,l,un,une,des,du,de,d,et,ou,ne,n,pas,ni,est,sont,était,a,ont,dans,en,avec,pour,par,sans,sur,chez,au,aux,à,il,
        elle,ils,elles,on,nous,vous,je,j,tu,me,se,s,son,sa,ses,leur,leurs,mon,ma,mes,notre,nos,ce,cette,ces,que,qu,qui,quoi,
        quel,quelle,quels,quelles,quand,où,comment,pourquoi,combien,c,y,mais,plus,très,depuis}'::text[]));
    IF remaining < least THEN
        language := 'pg_catalog.french';
    END IF;
    RETURN language;
END
$$;

CREATE TABLE public.account_emailaddress (
    id integer NOT NULL,
    email character varying(254) NOT NULL,
    verified boolean NOT NULL,
    "primary" boolean NOT NULL,
    user_id uuid NOT NULL
);

ALTER TABLE public.account_emailaddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailaddress_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.account_emailconfirmation (
    id integer NOT NULL,
    created timestamp with time zone NOT NULL,
    sent timestamp with time zone,
    key character varying(64) NOT NULL,
    email_address_id integer NOT NULL
);

ALTER TABLE public.account_emailconfirmation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailconfirmation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.accounts_apikey (
    id uuid NOT NULL,
    name character varying(120) NOT NULL,
    prefix character varying(12) NOT NULL,
    digest character varying(64) NOT NULL,
    scopes character varying(10)[] NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);

CREATE TABLE public.accounts_contextsettings (
    id uuid NOT NULL,
    knowledge_depth character varying(8) NOT NULL,
    history_first boolean NOT NULL,
    token_budget integer,
    version integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    remembers boolean DEFAULT true NOT NULL,
    CONSTRAINT accounts_contextsettings_token_budget_check CHECK ((token_budget >= 0)),
    CONSTRAINT accounts_contextsettings_version_check CHECK ((version >= 0))
);

ALTER TABLE ONLY public.accounts_contextsettings FORCE ROW LEVEL SECURITY;

CREATE TABLE public.accounts_idempotencykey (
    id uuid NOT NULL,
    key character varying(255) NOT NULL,
    request_digest character varying(64) NOT NULL,
    status smallint,
    body jsonb,
    headers jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT accounts_idempotencykey_status_check CHECK ((status >= 0))
);

ALTER TABLE ONLY public.accounts_idempotencykey FORCE ROW LEVEL SECURITY;

CREATE TABLE public.accounts_installation (
    id uuid NOT NULL,
    "only" boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT installation_once CHECK ("only")
);

CREATE TABLE public.accounts_invitation (
    id uuid NOT NULL,
    email character varying(254) NOT NULL,
    role character varying(10) NOT NULL,
    digest character varying(64) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    invited_by_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);

CREATE TABLE public.accounts_membership (
    id uuid NOT NULL,
    role character varying(10) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    chosen_at timestamp with time zone
);

CREATE TABLE public.accounts_operatoraccess (
    id uuid NOT NULL,
    reason character varying(300) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    user_id uuid
);

CREATE TABLE public.accounts_pairedclient (
    id uuid NOT NULL,
    client character varying(40) NOT NULL,
    name character varying(120) NOT NULL,
    version character varying(40) NOT NULL,
    paired_at timestamp with time zone NOT NULL,
    last_event_at timestamp with time zone,
    last_event character varying(60) NOT NULL,
    event_count bigint NOT NULL,
    api_key_id uuid NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT accounts_pairedclient_event_count_check CHECK ((event_count >= 0))
);

ALTER TABLE ONLY public.accounts_pairedclient FORCE ROW LEVEL SECURITY;

CREATE TABLE public.accounts_pairing (
    id uuid NOT NULL,
    user_code character varying(8) NOT NULL,
    device_digest character varying(64) NOT NULL,
    client character varying(40) NOT NULL,
    name character varying(120) NOT NULL,
    version character varying(40) NOT NULL,
    status character varying(8) NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    user_id uuid,
    workspace_id uuid
);

CREATE TABLE public.accounts_user (
    password character varying(128) NOT NULL,
    last_login timestamp with time zone,
    is_superuser boolean NOT NULL,
    id uuid NOT NULL,
    email character varying(254) NOT NULL,
    name character varying(120) NOT NULL,
    is_active boolean NOT NULL,
    is_staff boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    tour_done boolean DEFAULT false NOT NULL
);

CREATE TABLE public.accounts_user_groups (
    id bigint NOT NULL,
    user_id uuid NOT NULL,
    group_id integer NOT NULL
);

ALTER TABLE public.accounts_user_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_user_groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.accounts_user_user_permissions (
    id bigint NOT NULL,
    user_id uuid NOT NULL,
    permission_id integer NOT NULL
);

ALTER TABLE public.accounts_user_user_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.accounts_user_user_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.accounts_workspace (
    id uuid NOT NULL,
    name character varying(120) NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.accounts_workspacepolicy (
    id uuid NOT NULL,
    overrides jsonb NOT NULL,
    version integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT accounts_workspacepolicy_version_check CHECK ((version >= 0))
);

ALTER TABLE ONLY public.accounts_workspacepolicy FORCE ROW LEVEL SECURITY;

CREATE TABLE public.auth_group (
    id integer NOT NULL,
    name character varying(150) NOT NULL
);

ALTER TABLE public.auth_group ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.auth_group_permissions (
    id bigint NOT NULL,
    group_id integer NOT NULL,
    permission_id integer NOT NULL
);

ALTER TABLE public.auth_group_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.auth_permission (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    content_type_id integer NOT NULL,
    codename character varying(100) NOT NULL
);

ALTER TABLE public.auth_permission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_permission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.compaction_compactionrun (
    id uuid NOT NULL,
    trigger character varying(6) NOT NULL,
    level character varying(10) NOT NULL,
    state character varying(9) NOT NULL,
    stage character varying(10) DEFAULT ''::character varying NOT NULL,
    base_version integer,
    version integer,
    at_index integer,
    compacted_from integer,
    compacted_through integer,
    compacted_count integer NOT NULL,
    tokens_before bigint,
    tokens_after bigint,
    preservation_ratio double precision,
    model character varying(120) NOT NULL,
    cost numeric(12,6) NOT NULL,
    fallback_reason character varying(20) DEFAULT ''::character varying NOT NULL,
    error_code character varying(40) NOT NULL,
    error character varying(500) NOT NULL,
    retry_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    conversation_id uuid NOT NULL,
    operation_id uuid,
    workspace_id uuid NOT NULL,
    CONSTRAINT compaction_compactionrun_at_index_check CHECK ((at_index >= 0)),
    CONSTRAINT compaction_compactionrun_base_version_check CHECK ((base_version >= 0)),
    CONSTRAINT compaction_compactionrun_compacted_count_check CHECK ((compacted_count >= 0)),
    CONSTRAINT compaction_compactionrun_compacted_from_check CHECK ((compacted_from >= 0)),
    CONSTRAINT compaction_compactionrun_compacted_through_check CHECK ((compacted_through >= 0)),
    CONSTRAINT compaction_compactionrun_version_check CHECK ((version >= 0))
);

ALTER TABLE ONLY public.compaction_compactionrun FORCE ROW LEVEL SECURITY;

CREATE TABLE public.compaction_segmentsummary (
    id uuid NOT NULL,
    level smallint NOT NULL,
    ordinal integer NOT NULL,
    first_index integer NOT NULL,
    last_index integer NOT NULL,
    tokens_through bigint NOT NULL,
    text text NOT NULL,
    source_hash character varying(32) NOT NULL,
    prompt_version character varying(20) NOT NULL,
    model character varying(120) NOT NULL,
    tries_left smallint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    conversation_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT compaction_segmentsummary_first_index_check CHECK ((first_index >= 0)),
    CONSTRAINT compaction_segmentsummary_last_index_check CHECK ((last_index >= 0)),
    CONSTRAINT compaction_segmentsummary_level_check CHECK ((level >= 0)),
    CONSTRAINT compaction_segmentsummary_ordinal_check CHECK ((ordinal >= 0)),
    CONSTRAINT compaction_segmentsummary_tries_left_check CHECK ((tries_left >= 0))
);

ALTER TABLE ONLY public.compaction_segmentsummary FORCE ROW LEVEL SECURITY;

CREATE TABLE public.compaction_summaryversion (
    id uuid NOT NULL,
    version integer NOT NULL,
    cause character varying(10) NOT NULL,
    rolling_summary jsonb NOT NULL,
    summary_tokens integer NOT NULL,
    covers_through integer,
    removed jsonb DEFAULT '[]'::jsonb NOT NULL,
    undone boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    conversation_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    exported_as integer,
    CONSTRAINT compaction_summaryversion_covers_through_check CHECK ((covers_through >= 0)),
    CONSTRAINT compaction_summaryversion_exported_as_check CHECK ((exported_as >= 0)),
    CONSTRAINT compaction_summaryversion_summary_tokens_check CHECK ((summary_tokens >= 0)),
    CONSTRAINT compaction_summaryversion_version_check CHECK ((version >= 0))
);

ALTER TABLE ONLY public.compaction_summaryversion FORCE ROW LEVEL SECURITY;

CREATE TABLE public.context_packepoch (
    id uuid NOT NULL,
    budget integer NOT NULL,
    number integer NOT NULL,
    reasons jsonb NOT NULL,
    fingerprint jsonb NOT NULL,
    decided jsonb NOT NULL,
    ended_by character varying(40) NOT NULL,
    pieces jsonb NOT NULL,
    began_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone NOT NULL,
    conversation_id uuid NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT context_packepoch_budget_check CHECK ((budget >= 0)),
    CONSTRAINT context_packepoch_number_check CHECK ((number >= 0))
);

ALTER TABLE ONLY public.context_packepoch FORCE ROW LEVEL SECURITY;

CREATE TABLE public.context_useditems (
    id uuid NOT NULL,
    reply_id uuid NOT NULL,
    items jsonb NOT NULL,
    conversation_id uuid NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.context_useditems FORCE ROW LEVEL SECURITY;

CREATE TABLE public.conversation_context (
    id uuid NOT NULL,
    version integer NOT NULL,
    rolling_summary jsonb NOT NULL,
    summary_tokens integer NOT NULL,
    total_token_count bigint NOT NULL,
    compressed_token_count bigint NOT NULL,
    last_compaction_at timestamp with time zone,
    compaction_count integer NOT NULL,
    paused_below integer,
    conversation_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT conversation_context_compaction_count_check CHECK ((compaction_count >= 0)),
    CONSTRAINT conversation_context_paused_below_check CHECK ((paused_below >= 0)),
    CONSTRAINT conversation_context_summary_tokens_check CHECK ((summary_tokens >= 0)),
    CONSTRAINT conversation_context_version_check CHECK ((version >= 0))
);

ALTER TABLE ONLY public.conversation_context FORCE ROW LEVEL SECURITY;

CREATE TABLE public.conversations_conversation (
    id uuid NOT NULL,
    title character varying(200) NOT NULL,
    system_prompt text NOT NULL,
    external_id character varying(200),
    copied_through integer,
    token_budget integer,
    message_count integer NOT NULL,
    token_total bigint NOT NULL,
    excluded_tokens bigint NOT NULL,
    live_count integer NOT NULL,
    live_tokens bigint NOT NULL,
    state_version bigint DEFAULT 0 NOT NULL,
    turn_token uuid,
    turn_until timestamp with time zone,
    turn_reply uuid,
    turn_stop boolean DEFAULT false NOT NULL,
    version integer NOT NULL,
    archived_at timestamp with time zone,
    active_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    copied_from_id uuid,
    owner_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    remembers boolean DEFAULT true NOT NULL,
    temporary boolean DEFAULT false NOT NULL,
    others_could_write boolean DEFAULT false NOT NULL,
    own_names character varying(120)[] DEFAULT '{}'::character varying(120)[] NOT NULL,
    CONSTRAINT conversations_conversation_copied_through_check CHECK ((copied_through >= 0)),
    CONSTRAINT conversations_conversation_live_count_check CHECK ((live_count >= 0)),
    CONSTRAINT conversations_conversation_message_count_check CHECK ((message_count >= 0)),
    CONSTRAINT conversations_conversation_token_budget_check CHECK ((token_budget >= 0)),
    CONSTRAINT conversations_conversation_version_check CHECK ((version >= 0))
);

ALTER TABLE ONLY public.conversations_conversation FORCE ROW LEVEL SECURITY;

CREATE TABLE public.conversations_conversationshare (
    id uuid NOT NULL,
    access character varying(5) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    conversation_id uuid NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.conversations_conversationshare FORCE ROW LEVEL SECURITY;

CREATE TABLE public.conversations_conversationtombstone (
    id uuid NOT NULL,
    external_digest character varying(64) NOT NULL,
    deleted_at timestamp with time zone NOT NULL,
    owner_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.conversations_conversationtombstone FORCE ROW LEVEL SECURITY;

CREATE TABLE public.conversations_message (
    id uuid NOT NULL,
    index integer NOT NULL,
    role character varying(9) NOT NULL,
    name character varying(120) NOT NULL,
    content text NOT NULL,
    parts jsonb NOT NULL,
    status character varying(9) NOT NULL,
    token_count integer NOT NULL,
    tokens_through bigint NOT NULL,
    live_cost integer NOT NULL,
    importance double precision,
    excluded boolean NOT NULL,
    compacted_in integer,
    error_code character varying(40) DEFAULT ''::character varying NOT NULL,
    external_id character varying(200),
    copied_from uuid,
    created_at timestamp with time zone NOT NULL,
    conversation_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    deleted_at timestamp with time zone,
    used_count smallint DEFAULT 0 NOT NULL,
    retrievable boolean DEFAULT true NOT NULL,
    CONSTRAINT conversations_message_compacted_in_check CHECK ((compacted_in >= 0)),
    CONSTRAINT conversations_message_index_check CHECK ((index >= 0)),
    CONSTRAINT conversations_message_live_cost_check CHECK ((live_cost >= 0)),
    CONSTRAINT conversations_message_token_count_check CHECK ((token_count >= 0)),
    CONSTRAINT conversations_message_used_count_check CHECK ((used_count >= 0)),
    CONSTRAINT message_deleted_is_empty CHECK (((deleted_at IS NULL) OR ((content = ''::text) AND excluded AND ((name)::text = ''::text) AND (parts = '[]'::jsonb))))
);

ALTER TABLE ONLY public.conversations_message FORCE ROW LEVEL SECURITY;

CREATE TABLE public.django_admin_log (
    id integer NOT NULL,
    action_time timestamp with time zone NOT NULL,
    object_id text,
    object_repr character varying(200) NOT NULL,
    action_flag smallint NOT NULL,
    change_message text NOT NULL,
    content_type_id integer,
    user_id uuid NOT NULL,
    CONSTRAINT django_admin_log_action_flag_check CHECK ((action_flag >= 0))
);

ALTER TABLE public.django_admin_log ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_admin_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.django_content_type (
    id integer NOT NULL,
    app_label character varying(100) NOT NULL,
    model character varying(100) NOT NULL
);

ALTER TABLE public.django_content_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_content_type_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.django_migrations (
    id bigint NOT NULL,
    app character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    applied timestamp with time zone NOT NULL
);

ALTER TABLE public.django_migrations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_migrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.django_session (
    session_key character varying(40) NOT NULL,
    session_data text NOT NULL,
    expire_date timestamp with time zone NOT NULL
);

CREATE TABLE public.extraction_candidates (
    id uuid NOT NULL,
    run uuid NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    category character varying(40) NOT NULL,
    rule character varying(40) NOT NULL,
    outcome character varying(9) NOT NULL,
    reason character varying(40) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    conversation_id uuid NOT NULL,
    message_id uuid NOT NULL,
    node_id uuid,
    workspace_id uuid NOT NULL,
    change uuid,
    confidence double precision,
    extractor character varying(120) NOT NULL,
    source character varying(15) NOT NULL,
    statement text NOT NULL,
    CONSTRAINT extraction_candidates_end_check CHECK (("end" >= 0)),
    CONSTRAINT extraction_candidates_start_check CHECK ((start >= 0))
);

ALTER TABLE ONLY public.extraction_candidates FORCE ROW LEVEL SECURITY;

CREATE TABLE public.extraction_positions (
    id uuid NOT NULL,
    extractor character varying(40) NOT NULL,
    next_index integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    conversation_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    skipped integer[] NOT NULL,
    off_spans integer[] DEFAULT '{}'::integer[] NOT NULL,
    ran_at timestamp with time zone,
    run jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT extraction_positions_next_index_check CHECK ((next_index >= 0))
);

ALTER TABLE ONLY public.extraction_positions FORCE ROW LEVEL SECURITY;

CREATE TABLE public.extraction_relational_evidence (
    id uuid NOT NULL,
    trait character varying(40) NOT NULL,
    value character varying(80) NOT NULL,
    fingerprint character varying(64) NOT NULL,
    session character varying(64) NOT NULL,
    message_id uuid NOT NULL,
    index integer NOT NULL,
    start integer NOT NULL,
    "end" integer NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    owner_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT extraction_relational_evidence_end_check CHECK (("end" >= 0)),
    CONSTRAINT extraction_relational_evidence_index_check CHECK ((index >= 0)),
    CONSTRAINT extraction_relational_evidence_start_check CHECK ((start >= 0))
);

ALTER TABLE ONLY public.extraction_relational_evidence FORCE ROW LEVEL SECURITY;

CREATE TABLE public.hooks_agentsession (
    id uuid NOT NULL,
    client character varying(12) NOT NULL,
    client_session_id character varying(200) NOT NULL,
    project character varying(200) NOT NULL,
    cwd character varying(1000) NOT NULL,
    model character varying(120) NOT NULL,
    started_at timestamp with time zone NOT NULL,
    last_event_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    end_reason character varying(60) NOT NULL,
    prompt_count integer NOT NULL,
    tool_count integer NOT NULL,
    conversation_id uuid NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT hooks_agentsession_prompt_count_check CHECK ((prompt_count >= 0)),
    CONSTRAINT hooks_agentsession_tool_count_check CHECK ((tool_count >= 0))
);

ALTER TABLE ONLY public.hooks_agentsession FORCE ROW LEVEL SECURITY;

CREATE TABLE public.hooks_importeditem (
    id uuid NOT NULL,
    source character varying(16) NOT NULL,
    key character varying(200) NOT NULL,
    kind character varying(32) NOT NULL,
    digest character varying(64) NOT NULL,
    status character varying(8) NOT NULL,
    reason character varying(60) NOT NULL,
    run uuid,
    last_run uuid NOT NULL,
    node uuid,
    conversation uuid,
    session uuid,
    message_count integer NOT NULL,
    problems jsonb NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT hooks_importeditem_message_count_check CHECK ((message_count >= 0))
);

ALTER TABLE ONLY public.hooks_importeditem FORCE ROW LEVEL SECURITY;

CREATE TABLE public.hooks_importrun (
    id uuid NOT NULL,
    import_id uuid NOT NULL,
    source character varying(16) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.hooks_importrun FORCE ROW LEVEL SECURITY;

CREATE TABLE public.hooks_observation (
    id uuid NOT NULL,
    kind character varying(12) NOT NULL,
    event_key character varying(200) NOT NULL,
    tool_name character varying(200) NOT NULL,
    title character varying(200) NOT NULL,
    digest text NOT NULL,
    files jsonb NOT NULL,
    is_error boolean NOT NULL,
    agent_id character varying(200) NOT NULL,
    details jsonb NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    message_id uuid,
    session_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.hooks_observation FORCE ROW LEVEL SECURITY;

CREATE TABLE public.jobs_duejob (
    id uuid NOT NULL,
    kind character varying(40) NOT NULL,
    key character varying(80) NOT NULL,
    due_at timestamp with time zone NOT NULL,
    deadline_at timestamp with time zone NOT NULL,
    generation bigint NOT NULL,
    lease_token uuid,
    lease_until timestamp with time zone,
    attempts integer NOT NULL,
    last_error character varying(500) NOT NULL,
    state character varying(4) NOT NULL,
    workspace_id uuid,
    priority smallint NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    losses integer DEFAULT 0 NOT NULL,
    progressed boolean DEFAULT false NOT NULL,
    rests integer DEFAULT 0 NOT NULL,
    started_at timestamp with time zone,
    waiting bigint,
    CONSTRAINT jobs_duejob_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT jobs_duejob_losses_check CHECK ((losses >= 0)),
    CONSTRAINT jobs_duejob_priority_check CHECK ((priority >= 0)),
    CONSTRAINT jobs_duejob_rests_check CHECK ((rests >= 0))
);

CREATE TABLE public.jobs_jobtally (
    id uuid NOT NULL,
    kind character varying(40) NOT NULL,
    at timestamp with time zone NOT NULL,
    finished integer NOT NULL,
    failed integer NOT NULL,
    done bigint NOT NULL,
    CONSTRAINT jobs_jobtally_failed_check CHECK ((failed >= 0)),
    CONSTRAINT jobs_jobtally_finished_check CHECK ((finished >= 0))
);

CREATE TABLE public.jobs_operation (
    id uuid NOT NULL,
    kind character varying(40) NOT NULL,
    subject character varying(80) NOT NULL,
    state character varying(10) NOT NULL,
    stage character varying(60) NOT NULL,
    progress smallint NOT NULL,
    result jsonb,
    error jsonb,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    user_id uuid,
    workspace_id uuid NOT NULL,
    CONSTRAINT jobs_operation_progress_check CHECK ((progress >= 0))
);

ALTER TABLE ONLY public.jobs_operation FORCE ROW LEVEL SECURITY;

CREATE TABLE public.jobs_schedule (
    id uuid NOT NULL,
    kind character varying(40) NOT NULL,
    period timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.llm_modelcalibration (
    id uuid NOT NULL,
    model character varying(120) NOT NULL,
    estimator character varying(40) NOT NULL,
    reported_tokens bigint NOT NULL,
    estimated_tokens bigint NOT NULL,
    calls integer NOT NULL,
    percent smallint NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT llm_modelcalibration_calls_check CHECK ((calls >= 0)),
    CONSTRAINT llm_modelcalibration_estimated_tokens_check CHECK ((estimated_tokens >= 0)),
    CONSTRAINT llm_modelcalibration_percent_check CHECK ((percent >= 0)),
    CONSTRAINT llm_modelcalibration_reported_tokens_check CHECK ((reported_tokens >= 0))
);

ALTER TABLE ONLY public.llm_modelcalibration FORCE ROW LEVEL SECURITY;

CREATE TABLE public.llm_modelsettings (
    id uuid NOT NULL,
    backend character varying(40) NOT NULL,
    by_purpose jsonb NOT NULL,
    local_allowed boolean NOT NULL,
    version integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT llm_modelsettings_version_check CHECK ((version >= 0))
);

ALTER TABLE ONLY public.llm_modelsettings FORCE ROW LEVEL SECURITY;

CREATE TABLE public.llm_modelusage (
    id uuid NOT NULL,
    purpose character varying(12) NOT NULL,
    provider character varying(40) NOT NULL,
    model character varying(120) NOT NULL,
    input_tokens integer NOT NULL,
    output_tokens integer NOT NULL,
    cache_read_tokens integer NOT NULL,
    cache_write_tokens integer NOT NULL,
    source character varying(9) NOT NULL,
    cost_micros bigint,
    latency_ms integer NOT NULL,
    first_token_ms integer,
    outcome character varying(20) NOT NULL,
    conversation_id uuid,
    message_id uuid,
    created_at timestamp with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT llm_modelusage_cache_read_tokens_check CHECK ((cache_read_tokens >= 0)),
    CONSTRAINT llm_modelusage_cache_write_tokens_check CHECK ((cache_write_tokens >= 0)),
    CONSTRAINT llm_modelusage_cost_micros_check CHECK ((cost_micros >= 0)),
    CONSTRAINT llm_modelusage_first_token_ms_check CHECK ((first_token_ms >= 0)),
    CONSTRAINT llm_modelusage_input_tokens_check CHECK ((input_tokens >= 0)),
    CONSTRAINT llm_modelusage_latency_ms_check CHECK ((latency_ms >= 0)),
    CONSTRAINT llm_modelusage_output_tokens_check CHECK ((output_tokens >= 0))
);

ALTER TABLE ONLY public.llm_modelusage FORCE ROW LEVEL SECURITY;

CREATE TABLE public.llm_providerkey (
    id uuid NOT NULL,
    backend character varying(40) NOT NULL,
    encrypted_key bytea NOT NULL,
    last_four character varying(4) NOT NULL,
    base_url character varying(300) NOT NULL,
    tested_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.llm_providerkey FORCE ROW LEVEL SECURITY;

CREATE TABLE public.llm_rejectedanswer (
    id uuid NOT NULL,
    purpose character varying(12) NOT NULL,
    model character varying(120) NOT NULL,
    problem character varying(500) NOT NULL,
    text text NOT NULL,
    conversation_id uuid,
    created_at timestamp with time zone NOT NULL,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.llm_rejectedanswer FORCE ROW LEVEL SECURITY;

CREATE TABLE public.llm_spendday (
    id uuid NOT NULL,
    day date NOT NULL,
    tokens bigint NOT NULL,
    cost_micros bigint NOT NULL,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.llm_spendday FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mem_accesses (
    id uuid NOT NULL,
    accessed_at timestamp with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    node_id uuid NOT NULL
);

ALTER TABLE ONLY public.mem_accesses FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mem_conflicts (
    id uuid NOT NULL,
    reason character varying(40) NOT NULL,
    decision character varying(8) NOT NULL,
    decided_in uuid,
    decided_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    decided_by_id uuid,
    earlier_id uuid NOT NULL,
    later_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.mem_conflicts FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mem_embedding_batches (
    id uuid NOT NULL,
    key character varying(80) NOT NULL,
    passages uuid[] NOT NULL,
    fills_through uuid,
    size smallint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    began_at timestamp with time zone NOT NULL,
    done integer NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT mem_embedding_batches_done_check CHECK ((done >= 0)),
    CONSTRAINT mem_embedding_batches_size_check CHECK ((size >= 0))
);

ALTER TABLE ONLY public.mem_embedding_batches FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mem_embeddings (
    id uuid NOT NULL,
    bank uuid NOT NULL,
    vector public.halfvec NOT NULL,
    workspace_id uuid NOT NULL,
    space_id uuid NOT NULL,
    passage_id uuid NOT NULL,
    signs bit varying GENERATED ALWAYS AS (public.binary_quantize(vector)) STORED
);
ALTER TABLE ONLY public.mem_embeddings ALTER COLUMN signs SET STORAGE PLAIN;

ALTER TABLE ONLY public.mem_embeddings FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mem_nodes (
    id uuid NOT NULL,
    uri character varying(500) NOT NULL COLLATE pg_catalog."C",
    node_type character varying(4) NOT NULL,
    category character varying(40) NOT NULL,
    l0_abstract text NOT NULL,
    l1_overview text NOT NULL,
    l2_content text NOT NULL,
    content_hash character varying(64) NOT NULL,
    tiers_of character varying(64) NOT NULL,
    tiers_by character varying(120) NOT NULL,
    tries_left smallint NOT NULL,
    tags character varying(64)[] NOT NULL,
    mergeable boolean NOT NULL,
    merged_from jsonb NOT NULL,
    base_relevance double precision NOT NULL,
    last_access timestamp with time zone,
    access_count integer NOT NULL,
    trust character varying(15) NOT NULL,
    arrival character varying(8) NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    archived_at timestamp with time zone,
    version integer NOT NULL,
    source_session character varying(200) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    author_id uuid,
    merged_into_id uuid,
    owner_id uuid,
    parent_id uuid,
    workspace_id uuid NOT NULL,
    attribute character varying(64) DEFAULT ''::character varying NOT NULL,
    many boolean DEFAULT false NOT NULL,
    subject character varying(120) DEFAULT ''::character varying NOT NULL,
    superseded_by_id uuid,
    valid_from timestamp with time zone,
    valid_to timestamp with time zone,
    value character varying(300) DEFAULT ''::character varying NOT NULL,
    CONSTRAINT mem_nodes_access_count_check CHECK ((access_count >= 0)),
    CONSTRAINT mem_nodes_tries_left_check CHECK ((tries_left >= 0)),
    CONSTRAINT mem_nodes_version_check CHECK ((version >= 0))
);

ALTER TABLE ONLY public.mem_nodes FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mem_passages (
    id uuid NOT NULL,
    bank uuid NOT NULL,
    series uuid NOT NULL,
    session integer NOT NULL,
    place integer,
    actor character varying(120) NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    words tsvector NOT NULL,
    word_count integer NOT NULL,
    char_count integer NOT NULL,
    is_question boolean NOT NULL,
    text_hash bigint NOT NULL,
    wanted_at timestamp with time zone,
    message_id uuid,
    node_id uuid,
    workspace_id uuid NOT NULL,
    user_memory_id uuid,
    tool_text text DEFAULT ''::text NOT NULL,
    CONSTRAINT mem_passages_char_count_check CHECK ((char_count >= 0)),
    CONSTRAINT mem_passages_place_check CHECK ((place >= 0)),
    CONSTRAINT mem_passages_session_check CHECK ((session >= 0)),
    CONSTRAINT mem_passages_word_count_check CHECK ((word_count >= 0)),
    CONSTRAINT passage_of_one_thing CHECK ((((message_id IS NULL) AND (node_id IS NOT NULL) AND (user_memory_id IS NULL)) OR ((message_id IS NOT NULL) AND (node_id IS NULL) AND (user_memory_id IS NULL)) OR ((message_id IS NULL) AND (node_id IS NULL) AND (user_memory_id IS NOT NULL))))
);

ALTER TABLE ONLY public.mem_passages FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mem_revisions (
    id uuid NOT NULL,
    number integer NOT NULL,
    change uuid NOT NULL,
    operation character varying(9) NOT NULL,
    undoes uuid,
    made_by character varying(120) NOT NULL,
    reason character varying(500) NOT NULL,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    actor_id uuid,
    node_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT mem_revisions_number_check CHECK ((number >= 0))
);

ALTER TABLE ONLY public.mem_revisions FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mem_sources (
    id uuid NOT NULL,
    kind character varying(7) NOT NULL,
    reference character varying(200) NOT NULL,
    node_id uuid NOT NULL,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.mem_sources FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mem_spaces (
    id uuid NOT NULL,
    model character varying(160) NOT NULL,
    dimension integer NOT NULL,
    state character varying(8) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    since timestamp with time zone NOT NULL,
    chosen boolean NOT NULL,
    filled_through uuid,
    operation uuid,
    failures smallint NOT NULL,
    error_code character varying(40) NOT NULL,
    error character varying(500) NOT NULL,
    retry_at timestamp with time zone,
    workspace_id uuid NOT NULL,
    CONSTRAINT mem_spaces_dimension_check CHECK ((dimension >= 0)),
    CONSTRAINT mem_spaces_failures_check CHECK ((failures >= 0))
);

ALTER TABLE ONLY public.mem_spaces FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mem_sweeps (
    id uuid NOT NULL,
    step character varying(16) NOT NULL,
    after uuid NOT NULL,
    after_uri text NOT NULL,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.mem_sweeps FORCE ROW LEVEL SECURITY;

CREATE TABLE public.mem_tombstones (
    id uuid NOT NULL,
    address_digest character varying(64) NOT NULL,
    content_digest character varying(64) NOT NULL,
    erased_at timestamp with time zone NOT NULL,
    erased_by_id uuid,
    owner_id uuid,
    workspace_id uuid NOT NULL
);

ALTER TABLE ONLY public.mem_tombstones FORCE ROW LEVEL SECURITY;

CREATE TABLE public.pinned_memory (
    id uuid NOT NULL,
    content text NOT NULL,
    category character varying(11) NOT NULL,
    token_count integer NOT NULL,
    pinned_at timestamp with time zone NOT NULL,
    version integer NOT NULL,
    conversation_id uuid NOT NULL,
    message_id uuid,
    pinned_by_id uuid,
    workspace_id uuid NOT NULL,
    CONSTRAINT pinned_memory_token_count_check CHECK ((token_count >= 0)),
    CONSTRAINT pinned_memory_version_check CHECK ((version >= 0))
);

ALTER TABLE ONLY public.pinned_memory FORCE ROW LEVEL SECURITY;

CREATE TABLE public.user_memory (
    id uuid NOT NULL,
    type character varying(10) NOT NULL,
    key character varying(120) NOT NULL,
    content text NOT NULL,
    is_active boolean NOT NULL,
    token_count integer NOT NULL,
    version integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT user_memory_token_count_check CHECK ((token_count >= 0)),
    CONSTRAINT user_memory_version_check CHECK ((version >= 0))
);

ALTER TABLE ONLY public.user_memory FORCE ROW LEVEL SECURITY;

ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_email_987c8728_uniq UNIQUE (user_id, email);

ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_key_key UNIQUE (key);

ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_apikey
    ADD CONSTRAINT accounts_apikey_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_apikey
    ADD CONSTRAINT accounts_apikey_prefix_key UNIQUE (prefix);

ALTER TABLE ONLY public.accounts_contextsettings
    ADD CONSTRAINT accounts_contextsettings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_idempotencykey
    ADD CONSTRAINT accounts_idempotencykey_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_installation
    ADD CONSTRAINT accounts_installation_only_key UNIQUE ("only");

ALTER TABLE ONLY public.accounts_installation
    ADD CONSTRAINT accounts_installation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_invitation
    ADD CONSTRAINT accounts_invitation_digest_key UNIQUE (digest);

ALTER TABLE ONLY public.accounts_invitation
    ADD CONSTRAINT accounts_invitation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_membership
    ADD CONSTRAINT accounts_membership_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_operatoraccess
    ADD CONSTRAINT accounts_operatoraccess_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_pairedclient
    ADD CONSTRAINT accounts_pairedclient_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_pairing
    ADD CONSTRAINT accounts_pairing_device_digest_key UNIQUE (device_digest);

ALTER TABLE ONLY public.accounts_pairing
    ADD CONSTRAINT accounts_pairing_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_pairing
    ADD CONSTRAINT accounts_pairing_user_code_key UNIQUE (user_code);

ALTER TABLE ONLY public.accounts_user
    ADD CONSTRAINT accounts_user_email_key UNIQUE (email);

ALTER TABLE ONLY public.accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_user_id_group_id_59c0b32f_uniq UNIQUE (user_id, group_id);

ALTER TABLE ONLY public.accounts_user
    ADD CONSTRAINT accounts_user_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_permi_user_id_permission_id_2ab516c2_uniq UNIQUE (user_id, permission_id);

ALTER TABLE ONLY public.accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_permissions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_workspace
    ADD CONSTRAINT accounts_workspace_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_workspacepolicy
    ADD CONSTRAINT accounts_workspacepolicy_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.hooks_agentsession
    ADD CONSTRAINT agent_session_conversation_once UNIQUE (workspace_id, conversation_id);

ALTER TABLE ONLY public.hooks_agentsession
    ADD CONSTRAINT agent_session_once UNIQUE (workspace_id, user_id, client, client_session_id);

ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_name_key UNIQUE (name);

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_permission_id_0cd325b0_uniq UNIQUE (group_id, permission_id);

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_codename_01ab375a_uniq UNIQUE (content_type_id, codename);

ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.compaction_compactionrun
    ADD CONSTRAINT compaction_compactionrun_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.compaction_segmentsummary
    ADD CONSTRAINT compaction_segmentsummary_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.compaction_summaryversion
    ADD CONSTRAINT compaction_summaryversion_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.context_packepoch
    ADD CONSTRAINT context_packepoch_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_contextsettings
    ADD CONSTRAINT context_settings_once UNIQUE (workspace_id, user_id);

ALTER TABLE ONLY public.context_useditems
    ADD CONSTRAINT context_useditems_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.conversation_context
    ADD CONSTRAINT conversation_context_once UNIQUE (workspace_id, conversation_id);

ALTER TABLE ONLY public.conversation_context
    ADD CONSTRAINT conversation_context_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.conversations_conversation
    ADD CONSTRAINT conversation_external_once UNIQUE (workspace_id, owner_id, external_id);

ALTER TABLE ONLY public.conversations_conversationshare
    ADD CONSTRAINT conversation_share_once UNIQUE (workspace_id, conversation_id, user_id);

ALTER TABLE ONLY public.conversations_conversationtombstone
    ADD CONSTRAINT conversation_tombstone_once UNIQUE (workspace_id, owner_id, external_digest);

ALTER TABLE ONLY public.conversations_conversation
    ADD CONSTRAINT conversations_conversation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.conversations_conversationshare
    ADD CONSTRAINT conversations_conversationshare_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.conversations_conversationtombstone
    ADD CONSTRAINT conversations_conversationtombstone_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.conversations_message
    ADD CONSTRAINT conversations_message_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_app_label_model_76bd3d3b_uniq UNIQUE (app_label, model);

ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.django_migrations
    ADD CONSTRAINT django_migrations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.django_session
    ADD CONSTRAINT django_session_pkey PRIMARY KEY (session_key);

ALTER TABLE ONLY public.jobs_duejob
    ADD CONSTRAINT due_job_once UNIQUE NULLS NOT DISTINCT (workspace_id, kind, key);

ALTER TABLE ONLY public.mem_embedding_batches
    ADD CONSTRAINT embedding_batch_once UNIQUE (workspace_id, key);

ALTER TABLE ONLY public.mem_embeddings
    ADD CONSTRAINT embedding_once UNIQUE (workspace_id, passage_id, space_id);

ALTER TABLE ONLY public.mem_spaces
    ADD CONSTRAINT embedding_space_once UNIQUE (workspace_id, model, dimension);

ALTER TABLE ONLY public.extraction_candidates
    ADD CONSTRAINT extraction_candidates_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.extraction_positions
    ADD CONSTRAINT extraction_positions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.extraction_relational_evidence
    ADD CONSTRAINT extraction_relational_evidence_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.hooks_agentsession
    ADD CONSTRAINT hooks_agentsession_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.hooks_importeditem
    ADD CONSTRAINT hooks_importeditem_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.hooks_importrun
    ADD CONSTRAINT hooks_importrun_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.hooks_observation
    ADD CONSTRAINT hooks_observation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_idempotencykey
    ADD CONSTRAINT idempotency_key_once UNIQUE (workspace_id, user_id, key);

ALTER TABLE ONLY public.hooks_importrun
    ADD CONSTRAINT import_run_once UNIQUE (workspace_id, user_id, import_id);

ALTER TABLE ONLY public.hooks_importeditem
    ADD CONSTRAINT imported_item_once UNIQUE (workspace_id, user_id, source, key);

ALTER TABLE ONLY public.jobs_duejob
    ADD CONSTRAINT jobs_duejob_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.jobs_jobtally
    ADD CONSTRAINT jobs_jobtally_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.jobs_operation
    ADD CONSTRAINT jobs_operation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.jobs_schedule
    ADD CONSTRAINT jobs_schedule_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.llm_modelcalibration
    ADD CONSTRAINT llm_modelcalibration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.llm_modelsettings
    ADD CONSTRAINT llm_modelsettings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.llm_modelusage
    ADD CONSTRAINT llm_modelusage_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.llm_providerkey
    ADD CONSTRAINT llm_providerkey_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.llm_rejectedanswer
    ADD CONSTRAINT llm_rejectedanswer_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.llm_spendday
    ADD CONSTRAINT llm_spendday_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mem_accesses
    ADD CONSTRAINT mem_accesses_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mem_conflicts
    ADD CONSTRAINT mem_conflict_once UNIQUE (workspace_id, later_id, earlier_id);

ALTER TABLE ONLY public.mem_conflicts
    ADD CONSTRAINT mem_conflicts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mem_embedding_batches
    ADD CONSTRAINT mem_embedding_batches_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mem_embeddings
    ADD CONSTRAINT mem_embeddings_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mem_nodes
    ADD CONSTRAINT mem_node_address_once UNIQUE NULLS NOT DISTINCT (workspace_id, owner_id, uri);

ALTER TABLE ONLY public.mem_nodes
    ADD CONSTRAINT mem_nodes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mem_passages
    ADD CONSTRAINT mem_passages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mem_revisions
    ADD CONSTRAINT mem_revision_once UNIQUE (workspace_id, node_id, number);

ALTER TABLE ONLY public.mem_revisions
    ADD CONSTRAINT mem_revisions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mem_sources
    ADD CONSTRAINT mem_source_once UNIQUE (workspace_id, node_id, kind, reference);

ALTER TABLE ONLY public.mem_sources
    ADD CONSTRAINT mem_sources_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mem_spaces
    ADD CONSTRAINT mem_spaces_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mem_sweeps
    ADD CONSTRAINT mem_sweep_once UNIQUE (workspace_id);

ALTER TABLE ONLY public.mem_sweeps
    ADD CONSTRAINT mem_sweeps_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.mem_tombstones
    ADD CONSTRAINT mem_tombstones_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_membership
    ADD CONSTRAINT membership_once UNIQUE (workspace_id, user_id);

ALTER TABLE ONLY public.conversations_message
    ADD CONSTRAINT message_external_once UNIQUE (workspace_id, conversation_id, external_id);

ALTER TABLE ONLY public.conversations_message
    ADD CONSTRAINT message_place_once UNIQUE (workspace_id, conversation_id, index);

ALTER TABLE ONLY public.llm_modelcalibration
    ADD CONSTRAINT model_calibration_once UNIQUE (workspace_id, model, estimator);

ALTER TABLE ONLY public.llm_modelsettings
    ADD CONSTRAINT model_settings_once UNIQUE (workspace_id);

ALTER TABLE ONLY public.hooks_observation
    ADD CONSTRAINT observation_once UNIQUE (workspace_id, session_id, event_key);

ALTER TABLE ONLY public.context_packepoch
    ADD CONSTRAINT pack_epoch_once UNIQUE (workspace_id, conversation_id, user_id, budget);

ALTER TABLE ONLY public.accounts_pairedclient
    ADD CONSTRAINT paired_client_key_once UNIQUE (workspace_id, api_key_id);

ALTER TABLE ONLY public.pinned_memory
    ADD CONSTRAINT pinned_memory_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.llm_providerkey
    ADD CONSTRAINT provider_key_once UNIQUE (workspace_id, backend);

ALTER TABLE ONLY public.extraction_positions
    ADD CONSTRAINT read_position_once UNIQUE (workspace_id, conversation_id);

ALTER TABLE ONLY public.extraction_relational_evidence
    ADD CONSTRAINT relational_evidence_once UNIQUE (workspace_id, owner_id, trait, value, fingerprint);

ALTER TABLE ONLY public.jobs_schedule
    ADD CONSTRAINT schedule_once UNIQUE (kind, period);

ALTER TABLE ONLY public.compaction_segmentsummary
    ADD CONSTRAINT segment_once UNIQUE (workspace_id, conversation_id, level, ordinal);

ALTER TABLE ONLY public.llm_spendday
    ADD CONSTRAINT spend_day_once UNIQUE (workspace_id, day);

ALTER TABLE ONLY public.compaction_summaryversion
    ADD CONSTRAINT summary_version_once UNIQUE (workspace_id, conversation_id, version);

ALTER TABLE ONLY public.context_useditems
    ADD CONSTRAINT used_items_once UNIQUE (workspace_id, conversation_id, reply_id);

ALTER TABLE ONLY public.user_memory
    ADD CONSTRAINT user_memory_once UNIQUE (workspace_id, user_id, type, key);

ALTER TABLE ONLY public.user_memory
    ADD CONSTRAINT user_memory_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.accounts_workspacepolicy
    ADD CONSTRAINT workspace_policy_once UNIQUE (workspace_id);

CREATE INDEX account_emailaddress_email_03be32b2 ON public.account_emailaddress USING btree (email);

CREATE INDEX account_emailaddress_email_03be32b2_like ON public.account_emailaddress USING btree (email varchar_pattern_ops);

CREATE INDEX account_emailaddress_user_id_2c513194 ON public.account_emailaddress USING btree (user_id);

CREATE INDEX account_emailconfirmation_email_address_id_5b7f8c58 ON public.account_emailconfirmation USING btree (email_address_id);

CREATE INDEX account_emailconfirmation_key_f43612bd_like ON public.account_emailconfirmation USING btree (key varchar_pattern_ops);

CREATE INDEX accounts_apikey_prefix_2468c39f_like ON public.accounts_apikey USING btree (prefix varchar_pattern_ops);

CREATE INDEX accounts_apikey_user_id_bd902026 ON public.accounts_apikey USING btree (user_id);

CREATE INDEX accounts_apikey_workspace_id_29bdbd99 ON public.accounts_apikey USING btree (workspace_id);

CREATE INDEX accounts_invitation_digest_4d068cc1_like ON public.accounts_invitation USING btree (digest varchar_pattern_ops);

CREATE INDEX accounts_invitation_invited_by_id_94a21efc ON public.accounts_invitation USING btree (invited_by_id);

CREATE INDEX accounts_invitation_workspace_id_7dc693ca ON public.accounts_invitation USING btree (workspace_id);

CREATE INDEX accounts_membership_user_id_487fb39e ON public.accounts_membership USING btree (user_id);

CREATE INDEX accounts_membership_workspace_id_3a7fb173 ON public.accounts_membership USING btree (workspace_id);

CREATE INDEX accounts_operatoraccess_user_id_ecfd7d03 ON public.accounts_operatoraccess USING btree (user_id);

CREATE INDEX accounts_pairing_device_digest_e1d5805c_like ON public.accounts_pairing USING btree (device_digest varchar_pattern_ops);

CREATE INDEX accounts_pairing_expires_at_4e73c8f4 ON public.accounts_pairing USING btree (expires_at);

CREATE INDEX accounts_pairing_user_code_1372073f_like ON public.accounts_pairing USING btree (user_code varchar_pattern_ops);

CREATE INDEX accounts_pairing_user_id_2b3108e1 ON public.accounts_pairing USING btree (user_id);

CREATE INDEX accounts_pairing_workspace_id_f716d217 ON public.accounts_pairing USING btree (workspace_id);

CREATE INDEX accounts_user_email_b2644a56_like ON public.accounts_user USING btree (email varchar_pattern_ops);

CREATE INDEX accounts_user_groups_group_id_bd11a704 ON public.accounts_user_groups USING btree (group_id);

CREATE INDEX accounts_user_groups_user_id_52b62117 ON public.accounts_user_groups USING btree (user_id);

CREATE INDEX accounts_user_user_permissions_permission_id_113bb443 ON public.accounts_user_user_permissions USING btree (permission_id);

CREATE INDEX accounts_user_user_permissions_user_id_e4f0a161 ON public.accounts_user_user_permissions USING btree (user_id);

CREATE INDEX auth_group_name_a6ea08ec_like ON public.auth_group USING btree (name varchar_pattern_ops);

CREATE INDEX auth_group_permissions_group_id_b120cbf9 ON public.auth_group_permissions USING btree (group_id);

CREATE INDEX auth_group_permissions_permission_id_84c5c92e ON public.auth_group_permissions USING btree (permission_id);

CREATE INDEX auth_permission_content_type_id_2f476e4b ON public.auth_permission USING btree (content_type_id);

CREATE INDEX candidate_of_conversation ON public.extraction_candidates USING btree (workspace_id, conversation_id, id);

CREATE INDEX candidate_of_message ON public.extraction_candidates USING btree (workspace_id, message_id);

CREATE INDEX candidate_of_node ON public.extraction_candidates USING btree (workspace_id, node_id) WHERE (node_id IS NOT NULL);

CREATE INDEX candidate_of_run ON public.extraction_candidates USING btree (workspace_id, run);

CREATE INDEX compaction_run_newest ON public.compaction_compactionrun USING btree (workspace_id, conversation_id, id DESC);

CREATE INDEX conversation_forks ON public.conversations_conversation USING btree (workspace_id, copied_from_id) WHERE (copied_from_id IS NOT NULL);

CREATE INDEX conversation_lately_active ON public.conversations_conversation USING btree (workspace_id, owner_id, active_at DESC, id DESC);

CREATE INDEX conversation_share_user ON public.conversations_conversationshare USING btree (workspace_id, user_id);

CREATE INDEX django_admin_log_content_type_id_c4bce8eb ON public.django_admin_log USING btree (content_type_id);

CREATE INDEX django_admin_log_user_id_c564eba6 ON public.django_admin_log USING btree (user_id);

CREATE INDEX django_session_expire_date_a5c62663 ON public.django_session USING btree (expire_date);

CREATE INDEX django_session_session_key_c0390e0f_like ON public.django_session USING btree (session_key varchar_pattern_ops);

CREATE INDEX due_job_dead ON public.jobs_duejob USING btree (due_at) WHERE ((state)::text = 'dead'::text);

CREATE INDEX due_job_leased ON public.jobs_duejob USING btree (lease_until) WHERE (lease_token IS NOT NULL);

CREATE INDEX due_job_next ON public.jobs_duejob USING btree (priority, due_at) WHERE ((state)::text = 'due'::text);

CREATE INDEX embedding_signs_in_bank ON public.mem_embeddings USING btree (workspace_id, bank, space_id) INCLUDE (passage_id, signs);

CREATE UNIQUE INDEX embedding_space_serving_once ON public.mem_spaces USING btree (workspace_id) WHERE ((state)::text = 'serving'::text);

CREATE INDEX idempotency_key_age ON public.accounts_idempotencykey USING btree (workspace_id, created_at);

CREATE INDEX imported_item_of_last_run ON public.hooks_importeditem USING btree (workspace_id, user_id, last_run);

CREATE INDEX imported_item_of_run ON public.hooks_importeditem USING btree (workspace_id, user_id, run);

CREATE UNIQUE INDEX invitation_pending_once ON public.accounts_invitation USING btree (workspace_id, email) WHERE (ended_at IS NULL);

CREATE INDEX job_tally_at ON public.jobs_jobtally USING btree (at);

CREATE INDEX mem_access_of_node ON public.mem_accesses USING btree (workspace_id, node_id);

CREATE INDEX mem_conflict_of_earlier ON public.mem_conflicts USING btree (workspace_id, earlier_id);

CREATE INDEX mem_conflict_open ON public.mem_conflicts USING btree (workspace_id, id) WHERE ((decision)::text = 'open'::text);

CREATE INDEX mem_node_children ON public.mem_nodes USING btree (workspace_id, parent_id, uri);

CREATE UNIQUE INDEX mem_node_current_fact_once ON public.mem_nodes USING btree (workspace_id, owner_id, subject, attribute) NULLS NOT DISTINCT WHERE ((NOT ((attribute)::text = ''::text)) AND (archived_at IS NULL) AND ((arrival)::text = 'accepted'::text) AND (NOT many) AND (valid_to IS NULL));

CREATE INDEX mem_node_of_slot ON public.mem_nodes USING btree (workspace_id, owner_id, subject, attribute) WHERE (NOT ((attribute)::text = ''::text));

CREATE INDEX mem_node_proposed ON public.mem_nodes USING btree (workspace_id, owner_id, id) WHERE ((archived_at IS NULL) AND ((arrival)::text = 'proposed'::text));

CREATE INDEX mem_node_superseded ON public.mem_nodes USING btree (workspace_id, superseded_by_id) WHERE (superseded_by_id IS NOT NULL);

CREATE INDEX mem_node_tiers_to_make ON public.mem_nodes USING btree (workspace_id, id) WHERE (NOT ((tiers_of)::text = (content_hash)::text));

CREATE INDEX mem_revision_change ON public.mem_revisions USING btree (workspace_id, change);

CREATE INDEX mem_revision_undoes ON public.mem_revisions USING btree (workspace_id, undoes) WHERE (undoes IS NOT NULL);

CREATE INDEX mem_source_of ON public.mem_sources USING btree (workspace_id, kind, reference);

CREATE INDEX mem_tombstone_address ON public.mem_tombstones USING btree (workspace_id, owner_id, address_digest);

CREATE INDEX mem_tombstone_content ON public.mem_tombstones USING btree (workspace_id, owner_id, content_digest);

CREATE INDEX message_excluded ON public.conversations_message USING btree (workspace_id, conversation_id, index DESC) WHERE excluded;

CREATE INDEX message_folded ON public.conversations_message USING btree (workspace_id, conversation_id, compacted_in) WHERE (compacted_in IS NOT NULL);

CREATE INDEX message_included_place ON public.conversations_message USING btree (workspace_id, conversation_id, ((index)::double precision)) WHERE (NOT excluded);

CREATE INDEX message_live_place ON public.conversations_message USING btree (workspace_id, conversation_id, ((index)::bigint)) WHERE ((compacted_in IS NULL) AND (NOT excluded));

CREATE INDEX message_live_user_place ON public.conversations_message USING btree (workspace_id, conversation_id, ((index)::bigint)) WHERE ((compacted_in IS NULL) AND (NOT excluded) AND ((role)::text = 'user'::text));

CREATE INDEX model_usage_by_time ON public.llm_modelusage USING btree (workspace_id, created_at);

CREATE INDEX model_usage_of_conversation ON public.llm_modelusage USING btree (workspace_id, conversation_id, id DESC);

CREATE INDEX model_usage_of_message ON public.llm_modelusage USING btree (workspace_id, message_id) WHERE (message_id IS NOT NULL);

CREATE INDEX observation_in_order ON public.hooks_observation USING btree (workspace_id, session_id, occurred_at, id);

CREATE INDEX observation_of_message ON public.hooks_observation USING btree (workspace_id, message_id) WHERE (message_id IS NOT NULL);

CREATE INDEX operation_newest ON public.jobs_operation USING btree (workspace_id, created_at DESC);

CREATE INDEX operator_access_newest ON public.accounts_operatoraccess USING btree (created_at DESC);

CREATE INDEX paired_client_newest ON public.accounts_pairedclient USING btree (workspace_id, user_id, id DESC);

CREATE INDEX passage_by_actor ON public.mem_passages USING btree (workspace_id, bank, actor);

CREATE INDEX passage_by_time ON public.mem_passages USING btree (workspace_id, bank, occurred_at, id) INCLUDE (word_count, node_id, message_id, user_memory_id);

CREATE INDEX passage_in_bank ON public.mem_passages USING btree (workspace_id, bank, place);

CREATE UNIQUE INDEX passage_of_message_once ON public.mem_passages USING btree (workspace_id, message_id) WHERE (message_id IS NOT NULL);

CREATE UNIQUE INDEX passage_of_node_once ON public.mem_passages USING btree (workspace_id, node_id) WHERE (node_id IS NOT NULL);

CREATE UNIQUE INDEX passage_of_user_memory_once ON public.mem_passages USING btree (workspace_id, user_memory_id) WHERE (user_memory_id IS NOT NULL);

CREATE INDEX passage_wants_vectors ON public.mem_passages USING btree (workspace_id, wanted_at) WHERE (wanted_at IS NOT NULL);

CREATE INDEX pin_of_conversation ON public.pinned_memory USING btree (workspace_id, conversation_id, id);

CREATE INDEX rejected_answer_by_time ON public.llm_rejectedanswer USING btree (workspace_id, created_at);

CREATE INDEX rejected_answer_of ON public.llm_rejectedanswer USING btree (workspace_id, conversation_id);

CREATE INDEX relational_evidence_of_message ON public.extraction_relational_evidence USING btree (workspace_id, message_id);

CREATE INDEX segment_newest ON public.compaction_segmentsummary USING btree (workspace_id, conversation_id, level, first_index DESC);

CREATE INDEX segment_to_better ON public.compaction_segmentsummary USING btree (workspace_id, conversation_id, first_index DESC, level) WHERE (tries_left > 0);

CREATE INDEX segment_to_tell ON public.compaction_segmentsummary USING btree (workspace_id, conversation_id, first_index DESC, level) WHERE ((source_hash)::text = ''::text);

CREATE UNIQUE INDEX unique_primary_email ON public.account_emailaddress USING btree (user_id, "primary") WHERE "primary";

CREATE UNIQUE INDEX unique_verified_email ON public.account_emailaddress USING btree (email) WHERE verified;

CREATE UNIQUE INDEX user_email_any_case ON public.accounts_user USING btree (lower((email)::text));

ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_2c513194_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirm_email_address_id_5b7f8c58_fk_account_e FOREIGN KEY (email_address_id) REFERENCES public.account_emailaddress(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_apikey
    ADD CONSTRAINT accounts_apikey_user_id_bd902026_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_apikey
    ADD CONSTRAINT accounts_apikey_workspace_id_29bdbd99_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_contextsettings
    ADD CONSTRAINT accounts_contextsett_workspace_id_e11419ff_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_contextsettings
    ADD CONSTRAINT accounts_contextsettings_user_id_7db14c1b_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_idempotencykey
    ADD CONSTRAINT accounts_idempotency_workspace_id_99dd16a0_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_idempotencykey
    ADD CONSTRAINT accounts_idempotencykey_user_id_ad587486_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_invitation
    ADD CONSTRAINT accounts_invitation_invited_by_id_94a21efc_fk_accounts_user_id FOREIGN KEY (invited_by_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_invitation
    ADD CONSTRAINT accounts_invitation_workspace_id_7dc693ca_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_membership
    ADD CONSTRAINT accounts_membership_user_id_487fb39e_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_membership
    ADD CONSTRAINT accounts_membership_workspace_id_3a7fb173_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_operatoraccess
    ADD CONSTRAINT accounts_operatoraccess_user_id_ecfd7d03_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_pairedclient
    ADD CONSTRAINT accounts_pairedclien_workspace_id_0102ab30_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_pairedclient
    ADD CONSTRAINT accounts_pairedclient_api_key_id_007c4299_fk_accounts_apikey_id FOREIGN KEY (api_key_id) REFERENCES public.accounts_apikey(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_pairedclient
    ADD CONSTRAINT accounts_pairedclient_user_id_84b45045_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_pairing
    ADD CONSTRAINT accounts_pairing_user_id_2b3108e1_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_pairing
    ADD CONSTRAINT accounts_pairing_workspace_id_f716d217_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_group_id_bd11a704_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_user_groups
    ADD CONSTRAINT accounts_user_groups_user_id_52b62117_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_p_permission_id_113bb443_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_user_user_permissions
    ADD CONSTRAINT accounts_user_user_p_user_id_e4f0a161_fk_accounts_ FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.accounts_workspacepolicy
    ADD CONSTRAINT accounts_workspacepo_workspace_id_a4cd5d03_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissio_permission_id_84c5c92e_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_b120cbf9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_2f476e4b_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.compaction_compactionrun
    ADD CONSTRAINT compaction_compactio_conversation_id_2484ebeb_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.compaction_compactionrun
    ADD CONSTRAINT compaction_compactio_operation_id_0662b35c_fk_jobs_oper FOREIGN KEY (operation_id) REFERENCES public.jobs_operation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.compaction_compactionrun
    ADD CONSTRAINT compaction_compactio_workspace_id_b3b7e758_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.compaction_segmentsummary
    ADD CONSTRAINT compaction_segmentsu_conversation_id_bd79beec_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.compaction_segmentsummary
    ADD CONSTRAINT compaction_segmentsu_workspace_id_ca15c369_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.compaction_summaryversion
    ADD CONSTRAINT compaction_summaryve_conversation_id_6da3bdb1_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.compaction_summaryversion
    ADD CONSTRAINT compaction_summaryve_workspace_id_4583f5e4_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.context_packepoch
    ADD CONSTRAINT context_packepoch_conversation_id_d1b293aa_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.context_packepoch
    ADD CONSTRAINT context_packepoch_user_id_9f119ccc_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.context_packepoch
    ADD CONSTRAINT context_packepoch_workspace_id_a90c752d_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.context_useditems
    ADD CONSTRAINT context_useditems_conversation_id_3c486f3e_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.context_useditems
    ADD CONSTRAINT context_useditems_user_id_db1880ab_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.context_useditems
    ADD CONSTRAINT context_useditems_workspace_id_4b41da69_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversation_context
    ADD CONSTRAINT conversation_context_conversation_id_21e0954f_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversation_context
    ADD CONSTRAINT conversation_context_workspace_id_dd9bee0f_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversations_conversationshare
    ADD CONSTRAINT conversations_conver_conversation_id_e562fef5_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversations_conversation
    ADD CONSTRAINT conversations_conver_copied_from_id_770ba3b2_fk_conversat FOREIGN KEY (copied_from_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversations_conversation
    ADD CONSTRAINT conversations_conver_owner_id_67c5670c_fk_accounts_ FOREIGN KEY (owner_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversations_conversationtombstone
    ADD CONSTRAINT conversations_conver_owner_id_b2503f0e_fk_accounts_ FOREIGN KEY (owner_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversations_conversationshare
    ADD CONSTRAINT conversations_conver_user_id_bb1bc077_fk_accounts_ FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversations_conversation
    ADD CONSTRAINT conversations_conver_workspace_id_38020c4d_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversations_conversationshare
    ADD CONSTRAINT conversations_conver_workspace_id_a98eb45b_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversations_conversationtombstone
    ADD CONSTRAINT conversations_conver_workspace_id_ec2ff1f2_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversations_message
    ADD CONSTRAINT conversations_messag_conversation_id_f1a2d5e9_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversations_message
    ADD CONSTRAINT conversations_messag_workspace_id_612c5d6f_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_content_type_id_c4bce8eb_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_user_id_c564eba6_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.extraction_candidates
    ADD CONSTRAINT extraction_candidate_conversation_id_ea3dff55_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.extraction_candidates
    ADD CONSTRAINT extraction_candidate_message_id_b47cc5cd_fk_conversat FOREIGN KEY (message_id) REFERENCES public.conversations_message(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.extraction_positions
    ADD CONSTRAINT extraction_positions_conversation_id_a91f441a_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.extraction_positions
    ADD CONSTRAINT extraction_positions_workspace_id_0aa6212e_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.extraction_relational_evidence
    ADD CONSTRAINT extraction_relationa_owner_id_2f930f4d_fk_accounts_ FOREIGN KEY (owner_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.extraction_relational_evidence
    ADD CONSTRAINT extraction_relationa_workspace_id_c1cf2734_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.hooks_agentsession
    ADD CONSTRAINT hooks_agentsession_conversation_id_7dd3c1b3_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.hooks_agentsession
    ADD CONSTRAINT hooks_agentsession_user_id_5327d134_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.hooks_agentsession
    ADD CONSTRAINT hooks_agentsession_workspace_id_41d21dc5_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.hooks_importeditem
    ADD CONSTRAINT hooks_importeditem_user_id_c2850add_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.hooks_importrun
    ADD CONSTRAINT hooks_importrun_user_id_d299afd5_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.hooks_importrun
    ADD CONSTRAINT hooks_importrun_workspace_id_ebf2f424_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.hooks_observation
    ADD CONSTRAINT hooks_observation_message_id_2fb4b0fd_fk_conversat FOREIGN KEY (message_id) REFERENCES public.conversations_message(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.hooks_observation
    ADD CONSTRAINT hooks_observation_session_id_e457deff_fk_hooks_agentsession_id FOREIGN KEY (session_id) REFERENCES public.hooks_agentsession(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.jobs_duejob
    ADD CONSTRAINT jobs_duejob_workspace_id_f4e1983e_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.jobs_operation
    ADD CONSTRAINT jobs_operation_user_id_ed53dbd0_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.jobs_operation
    ADD CONSTRAINT jobs_operation_workspace_id_60831090_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.llm_modelcalibration
    ADD CONSTRAINT llm_modelcalibration_workspace_id_d6f2f685_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.llm_modelsettings
    ADD CONSTRAINT llm_modelsettings_workspace_id_a3f96af3_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.llm_modelusage
    ADD CONSTRAINT llm_modelusage_workspace_id_87c6fab0_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.llm_providerkey
    ADD CONSTRAINT llm_providerkey_workspace_id_c5c40ded_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.llm_rejectedanswer
    ADD CONSTRAINT llm_rejectedanswer_workspace_id_86dccd1f_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.llm_spendday
    ADD CONSTRAINT llm_spendday_workspace_id_b1c75056_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.mem_accesses
    ADD CONSTRAINT mem_accesses_workspace_id_429a9ce7_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.mem_embedding_batches
    ADD CONSTRAINT mem_embedding_batche_workspace_id_0eb823d0_fk_accounts_ FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.mem_embeddings
    ADD CONSTRAINT mem_embeddings_space_id_794de0e9_fk_mem_spaces_id FOREIGN KEY (space_id) REFERENCES public.mem_spaces(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.mem_nodes
    ADD CONSTRAINT mem_nodes_owner_id_fc9b0635_fk_accounts_user_id FOREIGN KEY (owner_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.mem_nodes
    ADD CONSTRAINT mem_nodes_workspace_id_c9bb4c27_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.mem_passages
    ADD CONSTRAINT mem_passages_message_id_7e30f948_fk_conversations_message_id FOREIGN KEY (message_id) REFERENCES public.conversations_message(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.mem_spaces
    ADD CONSTRAINT mem_spaces_workspace_id_6eb52099_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.mem_sweeps
    ADD CONSTRAINT mem_sweeps_workspace_id_010f9313_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.mem_tombstones
    ADD CONSTRAINT mem_tombstones_erased_by_id_94ebebdd_fk_accounts_user_id FOREIGN KEY (erased_by_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.mem_tombstones
    ADD CONSTRAINT mem_tombstones_owner_id_82d112b4_fk_accounts_user_id FOREIGN KEY (owner_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.mem_tombstones
    ADD CONSTRAINT mem_tombstones_workspace_id_7fb9352d_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.conversations_message
    ADD CONSTRAINT message_covered_by_a_summary FOREIGN KEY (workspace_id, conversation_id, compacted_in) REFERENCES public.compaction_summaryversion(workspace_id, conversation_id, version) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.pinned_memory
    ADD CONSTRAINT pinned_memory_conversation_id_014ee0e6_fk_conversat FOREIGN KEY (conversation_id) REFERENCES public.conversations_conversation(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.pinned_memory
    ADD CONSTRAINT pinned_memory_message_id_bf1da115_fk_conversations_message_id FOREIGN KEY (message_id) REFERENCES public.conversations_message(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.pinned_memory
    ADD CONSTRAINT pinned_memory_pinned_by_id_80cc75ca_fk_accounts_user_id FOREIGN KEY (pinned_by_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.pinned_memory
    ADD CONSTRAINT pinned_memory_workspace_id_49fc78aa_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.user_memory
    ADD CONSTRAINT user_memory_user_id_835e2709_fk_accounts_user_id FOREIGN KEY (user_id) REFERENCES public.accounts_user(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.user_memory
    ADD CONSTRAINT user_memory_workspace_id_bf1612c0_fk_accounts_workspace_id FOREIGN KEY (workspace_id) REFERENCES public.accounts_workspace(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE public.accounts_contextsettings ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.accounts_idempotencykey ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.accounts_pairedclient ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.accounts_workspacepolicy ENABLE ROW LEVEL SECURITY;

CREATE POLICY by_operator ON public.accounts_contextsettings USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.accounts_idempotencykey USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.accounts_pairedclient USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.accounts_workspacepolicy USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.compaction_compactionrun USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.compaction_segmentsummary USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.compaction_summaryversion USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.context_packepoch USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.context_useditems USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.conversation_context USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.conversations_conversation USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.conversations_conversationshare USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.conversations_conversationtombstone USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.conversations_message USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.extraction_candidates USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.extraction_positions USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.extraction_relational_evidence USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.hooks_agentsession USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.hooks_importeditem USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.hooks_importrun USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.hooks_observation USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.jobs_operation USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.llm_modelcalibration USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.llm_modelsettings USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.llm_modelusage USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.llm_providerkey USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.llm_rejectedanswer USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.llm_spendday USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.mem_accesses USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.mem_conflicts USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.mem_embedding_batches USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.mem_embeddings USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.mem_nodes USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.mem_passages USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.mem_revisions USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.mem_sources USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.mem_spaces USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.mem_sweeps USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.mem_tombstones USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.pinned_memory USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

CREATE POLICY by_operator ON public.user_memory USING (( SELECT (current_setting('app.operator'::text, true) = 'on'::text)));

ALTER TABLE public.compaction_compactionrun ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.compaction_segmentsummary ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.compaction_summaryversion ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.context_packepoch ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.context_useditems ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.conversation_context ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.conversations_conversation ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.conversations_conversationshare ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.conversations_conversationtombstone ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.conversations_message ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.extraction_candidates ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.extraction_positions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.extraction_relational_evidence ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.hooks_agentsession ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.hooks_importeditem ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.hooks_importrun ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.hooks_observation ENABLE ROW LEVEL SECURITY;

CREATE POLICY in_workspace ON public.accounts_contextsettings USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.accounts_idempotencykey USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.accounts_pairedclient USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.accounts_workspacepolicy USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.compaction_compactionrun USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.compaction_segmentsummary USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.compaction_summaryversion USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.context_packepoch USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.context_useditems USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.conversation_context USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.conversations_conversation USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.conversations_conversationshare USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.conversations_conversationtombstone USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.conversations_message USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.extraction_candidates USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.extraction_positions USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.extraction_relational_evidence USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.hooks_agentsession USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.hooks_importeditem USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.hooks_importrun USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.hooks_observation USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.jobs_operation USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.llm_modelcalibration USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.llm_modelsettings USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.llm_modelusage USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.llm_providerkey USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.llm_rejectedanswer USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.llm_spendday USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.mem_accesses USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.mem_conflicts USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.mem_embedding_batches USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.mem_embeddings USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.mem_nodes USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.mem_passages USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.mem_revisions USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.mem_sources USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.mem_spaces USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.mem_sweeps USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.mem_tombstones USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.pinned_memory USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

CREATE POLICY in_workspace ON public.user_memory USING ((workspace_id = ( SELECT (NULLIF(current_setting('app.workspace'::text, true), ''::text))::uuid AS "nullif")));

ALTER TABLE public.jobs_operation ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.llm_modelcalibration ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.llm_modelsettings ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.llm_modelusage ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.llm_providerkey ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.llm_rejectedanswer ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.llm_spendday ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mem_accesses ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mem_conflicts ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mem_embedding_batches ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mem_embeddings ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mem_nodes ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mem_passages ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mem_revisions ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mem_sources ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mem_spaces ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mem_sweeps ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.mem_tombstones ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.pinned_memory ENABLE ROW LEVEL SECURITY;

ALTER TABLE public.user_memory ENABLE ROW LEVEL SECURITY;

INSERT INTO public.django_migrations (app, name, applied) VALUES
    ('contenttypes', '0001_initial', now()),
    ('contenttypes', '0002_remove_content_type_name', now()),
    ('auth', '0001_initial', now()),
    ('auth', '0002_alter_permission_name_max_length', now()),
    ('auth', '0003_alter_user_email_max_length', now()),
    ('auth', '0004_alter_user_username_opts', now()),
    ('auth', '0005_alter_user_last_login_null', now()),
    ('auth', '0006_require_contenttypes_0002', now()),
    ('auth', '0007_alter_validators_add_error_messages', now()),
    ('auth', '0008_alter_user_username_max_length', now()),
    ('auth', '0009_alter_user_last_name_max_length', now()),
    ('auth', '0010_alter_group_name_max_length', now()),
    ('auth', '0011_update_proxy_permissions', now()),
    ('auth', '0012_alter_user_first_name_max_length', now()),
    ('accounts', '0001_initial', now()),
    ('account', '0001_initial', now()),
    ('account', '0002_email_max_length', now()),
    ('account', '0003_alter_emailaddress_create_unique_verified_email', now()),
    ('account', '0004_alter_emailaddress_drop_unique_email', now()),
    ('account', '0005_emailaddress_idx_upper_email', now()),
    ('account', '0006_emailaddress_lower', now()),
    ('account', '0007_emailaddress_idx_email', now()),
    ('account', '0008_emailaddress_unique_primary_email_fixup', now()),
    ('account', '0009_emailaddress_unique_primary_email', now()),
    ('accounts', '0002_chosen_workspace', now()),
    ('accounts', '0003_invitations', now()),
    ('accounts', '0004_tour_done', now()),
    ('accounts', '0005_memories_from_conversations', now()),
    ('accounts', '0006_pairing', now()),
    ('admin', '0001_initial', now()),
    ('admin', '0002_logentry_remove_auto_add', now()),
    ('admin', '0003_logentry_add_action_flag_choices', now()),
    ('conversations', '0001_initial', now()),
    ('jobs', '0001_initial', now()),
    ('compaction', '0001_initial', now()),
    ('compaction', '0002_messages_covered_by_a_summary', now()),
    ('compaction', '0003_version_caused_by_deletion', now()),
    ('compaction', '0004_summary_version_of_an_export', now()),
    ('conversations', '0002_tombstones', now()),
    ('conversations', '0003_deleted_messages', now()),
    ('conversations', '0004_fork_index', now()),
    ('conversations', '0005_memories_from_conversations', now()),
    ('conversations', '0006_others_could_write', now()),
    ('conversations', '0007_used_count', now()),
    ('context', '0001_initial', now()),
    ('context', '0002_used_items', now()),
    ('conversations', '0008_own_names', now()),
    ('conversations', '0009_retrievable', now()),
    ('memory', '0001_initial', now()),
    ('memory', '0002_passages_of_user_memory', now()),
    ('extraction', '0001_initial', now()),
    ('extraction', '0002_memories_from_conversations', now()),
    ('extraction', '0003_automatic_runs', now()),
    ('extraction', '0004_relational_evidence', now()),
    ('extraction', '0005_forget_commands', now()),
    ('hooks', '0001_initial', now()),
    ('hooks', '0002_imports', now()),
    ('hooks', '0003_imported_kinds', now()),
    ('jobs', '0002_priorities', now()),
    ('jobs', '0003_failed_label', now()),
    ('jobs', '0004_surviving_jobs', now()),
    ('jobs', '0005_run_counts', now()),
    ('llm', '0001_initial', now()),
    ('memory', '0003_memories_from_conversations', now()),
    ('memory', '0004_inbox', now()),
    ('memory', '0005_tool_texts', now()),
    ('memory', '0006_search_words', now()),
    ('memory', '0007_index_tools', now()),
    ('memory', '0008_words_of_languages', now()),
    ('memory', '0009_embedding_batches', now()),
    ('memory', '0010_index_sweeps', now()),
    ('memory', '0011_sign_bits', now()),
    ('memory', '0012_bank_indexes', now()),
    ('sessions', '0001_initial', now());
