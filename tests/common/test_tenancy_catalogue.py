"""Tenancy by PostgreSQL's catalog: a new table without row-level security or workspace keys fails."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models

from apps.common.database_role import APPLICATION_ROLE
from apps.common.models import WorkspaceOwned
from apps.common.tenancy import NOT_TENANT_TABLES

OURS = [model for model in apps.get_models() if model.__module__.startswith("apps.")]
TENANT = [model for model in OURS if model._meta.label not in NOT_TENANT_TABLES]
TENANT_TABLES = [model._meta.db_table for model in TENANT]

_INDEXES = """
SELECT index.relname, pg_index.indisunique, pg_get_indexdef(index.oid, 1, true)
FROM pg_index
JOIN pg_class AS index ON index.oid = pg_index.indexrelid
WHERE pg_index.indrelid = %s::regclass AND NOT pg_index.indisprimary
"""
_SECURITY = """
SELECT relrowsecurity, relforcerowsecurity, array(
    SELECT coalesce(pg_get_expr(polqual, polrelid), '') FROM pg_policy WHERE polrelid = pg_class.oid ORDER BY polname
)
FROM pg_class WHERE oid = %s::regclass
"""
_OWNED = """
SELECT relname FROM pg_class WHERE relowner = %s::regrole AND relnamespace = 'public'::regnamespace
"""

pytestmark = pytest.mark.django_db


def rows(statement: str, *values: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def test_every_table_is_a_tenants_or_named_as_none() -> None:
    assert {model._meta.label for model in OURS} >= NOT_TENANT_TABLES
    assert [model for model in TENANT if not issubclass(model, WorkspaceOwned)] == []


@pytest.mark.parametrize("table", TENANT_TABLES)
def test_the_workspace_leads_every_index_and_every_unique_constraint(table: str) -> None:
    leading = {name: first for name, _, first in rows(_INDEXES, table)}
    assert {name: first for name, first in leading.items() if first != "workspace_id"} == {}


@pytest.mark.parametrize("model", TENANT, ids=lambda model: model._meta.label)
def test_the_workspace_of_a_row_is_never_empty(model: type[models.Model]) -> None:
    assert not model._meta.get_field("workspace").null


@pytest.mark.parametrize("table", TENANT_TABLES)
def test_row_level_security_is_on_for_everybody(table: str) -> None:
    [(enabled, forced, policies)] = rows(_SECURITY, table)
    assert enabled and forced
    by_operator, in_workspace = policies
    assert "app.operator" in by_operator
    assert "app.workspace" in in_workspace and "workspace_id" in in_workspace
    assert "SELECT" in by_operator and "SELECT" in in_workspace, "not asked again for each row"


def test_the_application_can_not_step_around_the_policies() -> None:
    [(user, can_bypass, is_superuser)] = rows(
        "SELECT rolname, rolbypassrls, rolsuper FROM pg_roles WHERE rolname = current_user"
    )
    assert (user, can_bypass, is_superuser) == (APPLICATION_ROLE, False, False)


def test_the_application_owns_nothing() -> None:
    assert rows(_OWNED, APPLICATION_ROLE) == []


def test_no_other_table_of_ours_exists_unseen() -> None:
    """A tenant table without a model would escape the tests above."""
    found = rows("SELECT table_name FROM information_schema.columns WHERE column_name = 'workspace_id'")
    assert {str(name) for (name,) in found} <= {model._meta.db_table for model in OURS}


def test_the_application_cannot_change_what_only_the_owner_or_nobody_may() -> None:
    refused = {
        ("django_migrations", "DELETE"),
        ("django_migrations", "INSERT"),
        ("django_content_type", "DELETE"),
        ("auth_permission", "UPDATE"),
        ("accounts_operatoraccess", "UPDATE"),
        ("accounts_operatoraccess", "DELETE"),
    }
    with connection.cursor() as cursor:
        for table, privilege in refused:
            cursor.execute("SELECT has_table_privilege(current_user, %s, %s)", [table, privilege])
            assert cursor.fetchone() == (False,), (table, privilege)
