"""Row-level security as a migration operation: each tenant table is closed but to its workspace's unit."""

from __future__ import annotations

from django.db.migrations.operations import RunSQL

_CLOSE = """
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
CREATE POLICY in_workspace ON {table}
    USING (workspace_id = NULLIF(current_setting('app.workspace', true), '')::uuid);
CREATE POLICY by_operator ON {table}
    USING (current_setting('app.operator', true) = 'on');
"""
_OPEN = """
DROP POLICY by_operator ON {table};
DROP POLICY in_workspace ON {table};
ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY;
ALTER TABLE {table} DISABLE ROW LEVEL SECURITY;
"""


def close_table(table: str) -> RunSQL:
    """The operation that puts `table` behind its workspace, for the migration that creates it."""
    return RunSQL(_CLOSE.format(table=table), _OPEN.format(table=table))
