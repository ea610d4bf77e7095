-- claude-mem 13.25 (2026-11, schema rows to 52): tool uses are stored.
CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
CREATE TABLE sdk_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL, memory_session_id TEXT UNIQUE, project TEXT NOT NULL,
    user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT,
    completed_at_epoch INTEGER,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'failed')),
    worker_port INTEGER, prompt_counter INTEGER DEFAULT 0,
    custom_title TEXT, platform_source TEXT NOT NULL DEFAULT 'claude', observed_model TEXT, observed_billing TEXT, UNIQUE (platform_source, content_session_id)
);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_session_id TEXT NOT NULL REFERENCES sdk_sessions (memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE,
    project TEXT NOT NULL, text TEXT, type TEXT NOT NULL,
    title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
    prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL,
    discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, generated_by_model TEXT, relevance_count INTEGER DEFAULT 0,
    merged_into_project TEXT, agent_type TEXT, agent_id TEXT, metadata TEXT, synced_at INTEGER, origin_device_id TEXT,
    origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1', UNIQUE (memory_session_id, content_hash)
);
CREATE TABLE session_summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_session_id TEXT NOT NULL REFERENCES sdk_sessions (memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE,
    project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
    files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER, created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL,
    discovery_tokens INTEGER DEFAULT 0, merged_into_project TEXT, synced_at INTEGER, origin_device_id TEXT,
    origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1'
);
CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER REFERENCES sdk_sessions (id) ON DELETE CASCADE, content_session_id TEXT NOT NULL, prompt_number INTEGER NOT NULL,
    prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL
);
CREATE TABLE pending_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER NOT NULL REFERENCES sdk_sessions (id) ON DELETE CASCADE,
    content_session_id TEXT NOT NULL, message_type TEXT NOT NULL CHECK (message_type IN ('observation', 'summarize')),
    tool_name TEXT, tool_input TEXT, tool_response TEXT, cwd TEXT, last_user_message TEXT, last_assistant_message TEXT,
    prompt_number INTEGER, status TEXT NOT NULL DEFAULT 'pending', created_at_epoch INTEGER NOT NULL
);
CREATE VIRTUAL TABLE observations_fts USING fts5 (
    title, subtitle, narrative, text, facts, concepts, content = 'observations', content_rowid = 'id'
);
CREATE TRIGGER observations_ai AFTER INSERT ON observations BEGIN
    INSERT INTO observations_fts (rowid, title, subtitle, narrative, text, facts, concepts)
    VALUES (new.id, new.title, new.subtitle, new.narrative, new.text, new.facts, new.concepts);
END;
CREATE TABLE sync_state (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE sync_outbox (id INTEGER PRIMARY KEY, entity TEXT, payload TEXT);
CREATE TABLE tool_uses (
    id INTEGER PRIMARY KEY AUTOINCREMENT, tool_use_id TEXT NOT NULL, content_session_id TEXT NOT NULL,
    memory_session_id TEXT, session_db_id INTEGER, project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude',
    tool_name TEXT NOT NULL, tool_input TEXT, tool_response TEXT, cwd TEXT, prompt_number INTEGER, agent_type TEXT,
    agent_id TEXT, observation_id INTEGER, or_generation_id TEXT, or_session_id TEXT, content_hash TEXT,
    created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, UNIQUE (content_session_id, tool_use_id)
);
CREATE TABLE telegram_wrapups (id INTEGER PRIMARY KEY, content_session_id TEXT, sent_at_epoch INTEGER);
CREATE TABLE file_context_injections (id INTEGER PRIMARY KEY, file_path TEXT, content_session_id TEXT);
INSERT INTO schema_versions (version, applied_at) VALUES (4, '2026-10-01'), (52, '2026-11-01');
