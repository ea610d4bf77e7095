"""Fingerprints of all tables, which a refused request must not change."""

from __future__ import annotations

from django.apps import apps
from django.db import connection

from apps.common.tenancy import every_workspace

TABLES = [model._meta.db_table for model in apps.get_models() if model.__module__.startswith("apps.")]
# The last use of a key is recorded even for refused requests.
_FINGERPRINT = """
SELECT '{table}', md5(coalesce(string_agg(md5((to_jsonb(t) - 'last_used_at')::text), '' ORDER BY t.id), ''))
  FROM {table} AS t
"""
_FINGERPRINTS = " UNION ALL ".join(_FINGERPRINT.format(table=table) for table in TABLES)


def everything_stored() -> dict[str, str]:
    with every_workspace(), connection.cursor() as cursor:
        return dict(cursor.execute(_FINGERPRINTS).fetchall())
