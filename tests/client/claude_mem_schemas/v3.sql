-- claude-mem 3.x (schema rows 1 and 2): sessions that were compressed from transcripts.
CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL, applied_at TEXT NOT NULL);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT UNIQUE NOT NULL, project TEXT NOT NULL,
    created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, source TEXT NOT NULL DEFAULT 'compress',
    archive_path TEXT, archive_bytes INTEGER, archive_checksum TEXT, archived_at TEXT, metadata_json TEXT
);
CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
    text TEXT NOT NULL, document_id TEXT UNIQUE, keywords TEXT, created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL, project TEXT NOT NULL, archive_basename TEXT,
    origin TEXT NOT NULL DEFAULT 'transcript', title TEXT, subtitle TEXT, facts TEXT, concepts TEXT, files_touched TEXT
);
CREATE TABLE overviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
    content TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, project TEXT NOT NULL,
    origin TEXT NOT NULL DEFAULT 'claude'
);
CREATE TABLE diagnostics (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT REFERENCES sessions (session_id) ON DELETE SET NULL,
    message TEXT NOT NULL, severity TEXT NOT NULL DEFAULT 'info', created_at TEXT NOT NULL,
    created_at_epoch INTEGER NOT NULL, project TEXT NOT NULL, origin TEXT NOT NULL DEFAULT 'system'
);
CREATE TABLE transcript_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions (session_id) ON DELETE CASCADE,
    project TEXT, event_index INTEGER NOT NULL, event_type TEXT, raw_json TEXT NOT NULL, captured_at TEXT NOT NULL,
    captured_at_epoch INTEGER NOT NULL, UNIQUE (session_id, event_index)
);
INSERT INTO schema_versions (version, applied_at) VALUES (1, '2025-09-01'), (2, '2025-09-02');
