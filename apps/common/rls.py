"""Row-level security as a migration operation: each tenant table is closed but to its workspace's unit."""

from __future__ import annotations

from django.db.migrations.operations import RunSQL

# Each setting is read by a query of its own: once for a statement, and not once for each row.
_IN_WORKSPACE = "workspace_id = (SELECT NULLIF(current_setting('app.workspace', true), '')::uuid)"
_BY_OPERATOR = "(SELECT current_setting('app.operator', true) = 'on')"
_CLOSE = f"""
ALTER TABLE {{table}} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {{table}} FORCE ROW LEVEL SECURITY;
CREATE POLICY in_workspace ON {{table}} USING ({_IN_WORKSPACE});
CREATE POLICY by_operator ON {{table}} USING ({_BY_OPERATOR});
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
