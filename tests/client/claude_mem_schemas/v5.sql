-- claude-mem 5.0 (2025-11, schema rows 4 to 10): the first names of the session ids.
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
    prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL
);
CREATE TABLE session_summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sdk_session_id TEXT NOT NULL REFERENCES sdk_sessions (sdk_session_id) ON DELETE CASCADE,
    project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
    files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER, created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL
);
CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT NOT NULL REFERENCES sdk_sessions (claude_session_id) ON DELETE CASCADE, prompt_number INTEGER NOT NULL,
    prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL
);
INSERT INTO schema_versions (version, applied_at) VALUES (4, '2025-11-01'), (10, '2025-11-02');
