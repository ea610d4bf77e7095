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
_RENEW = f"""
DO $$
DECLARE closed text;
BEGIN
    FOR closed IN SELECT tablename FROM pg_policies WHERE schemaname = 'public' AND policyname = 'in_workspace' LOOP
        EXECUTE format($sql$ALTER POLICY in_workspace ON %I USING ({_IN_WORKSPACE})$sql$, closed);
        EXECUTE format($sql$ALTER POLICY by_operator ON %I USING ({_BY_OPERATOR})$sql$, closed);
    END LOOP;
END $$
"""  # noqa: S608  # the inserted text is the constants above


def close_table(table: str) -> RunSQL:
    """The operation that puts `table` behind its workspace, for the migration that creates it."""
    return RunSQL(_CLOSE.format(table=table), _OPEN.format(table=table))


def renew_policies() -> RunSQL:
    """The operation that gives every table which is closed already the policies of today."""
    return RunSQL(_RENEW, RunSQL.noop)
