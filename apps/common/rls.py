"""Row-level security as a migration operation: a tenant table is visible only in units of work of its workspace."""

from __future__ import annotations

from django.db.migrations.operations import RunSQL

# Each setting is read by a subquery: once per statement, and not once per row.
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
    """Return the operation that enables row-level security for `table`, for the migration that creates it."""
    return RunSQL(_CLOSE.format(table=table), _OPEN.format(table=table))
