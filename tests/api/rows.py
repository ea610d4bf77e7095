"""Fingerprints of all tables, which a refused request must not change."""

from __future__ import annotations

from django.apps import apps
from django.db import connection

TABLES = [model._meta.db_table for model in apps.get_models() if model.__module__.startswith("apps.")]
# The last use of a key is recorded even for refused requests.
_FINGERPRINT = """
SELECT '{table}', md5(coalesce(string_agg(md5((to_jsonb(t) - 'last_used_at')::text), '' ORDER BY t.id), ''))
  FROM {table} AS t
"""
_FINGERPRINTS = " UNION ALL ".join(_FINGERPRINT.format(table=table) for table in TABLES)
# A function keeps its plan; psycopg forgets prepared statements at every rollback, and a refusal is one.
# It sees the rows of all workspaces, like `every_workspace`.
_FUNCTION = "pg_temp.everything_stored()"
_READ = f"SELECT * FROM {_FUNCTION}"  # noqa: S608  # its own name
_EXISTS = f"SELECT to_regprocedure('{_FUNCTION}') IS NOT NULL"
_CREATE = f"""
CREATE FUNCTION {_FUNCTION} RETURNS TABLE (name text, fingerprint text) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('app.operator', 'on', true);
    RETURN QUERY {_FINGERPRINTS};
    PERFORM set_config('app.operator', '', true);
END $$
"""


def everything_stored() -> dict[str, str]:
    with connection.cursor() as cursor:
        if not cursor.execute(_EXISTS).fetchone()[0]:
            cursor.execute(_CREATE)
        stored = dict(cursor.execute(_READ).fetchall())
    assert set(stored) == set(TABLES)
    return stored
