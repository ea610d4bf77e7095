-- claude-mem 8.0 (2025-12): counted tokens and a queue, still the first names.
CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
CREATE TABLE sdk_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT UNIQUE NOT NULL, sdk_session_id TEXT UNIQUE, project TEXT NOT NULL,
    user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT,
    completed_at_epoch INTEGER,
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'completed', 'failed')),
    worker_port INTEGER, prompt_counter INTEGER DEFAULT 0
);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sdk_session_id TEXT NOT NULL REFERENCES sdk_sessions (sdk_session_id) ON DELETE CASCADE,
    project TEXT NOT NULL, text TEXT, type TEXT NOT NULL CHECK (type IN ('decision', 'bugfix', 'feature', 'refactor', 'discovery', 'change')),
    title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT,
    prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL,
    discovery_tokens INTEGER DEFAULT 0
);
CREATE TABLE session_summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sdk_session_id TEXT NOT NULL REFERENCES sdk_sessions (sdk_session_id) ON DELETE CASCADE,
    project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
    files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER, created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL,
    discovery_tokens INTEGER DEFAULT 0
);
CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT NOT NULL REFERENCES sdk_sessions (claude_session_id) ON DELETE CASCADE, prompt_number INTEGER NOT NULL,
    prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL
);
CREATE TABLE pending_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER NOT NULL REFERENCES sdk_sessions (id) ON DELETE CASCADE,
    claude_session_id TEXT NOT NULL, message_type TEXT NOT NULL CHECK (message_type IN ('observation', 'summarize')),
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
INSERT INTO schema_versions (version, applied_at) VALUES (4, '2025-12-01'), (16, '2025-12-22');
