"""`migrate` first prepares the database: the application's role, its privileges, and the vector extension."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.commands.migrate import Command as MigrateCommand
from django.db import connections
from django.db.backends.utils import CursorWrapper
from psycopg import sql

from apps.common.database_role import APPLICATION_ROLE, ROLE_TIMEOUTS

_CREATE_ROLE = f"""
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APPLICATION_ROLE}') THEN
        CREATE ROLE {APPLICATION_ROLE} LOGIN NOSUPERUSER NOBYPASSRLS;
    END IF;
    IF NOT pg_has_role(current_user, '{APPLICATION_ROLE}', 'MEMBER') THEN
        GRANT {APPLICATION_ROLE} TO CURRENT_USER;
    END IF;
END $$
"""
_PRIVILEGES = f"""
GRANT USAGE ON SCHEMA public TO {APPLICATION_ROLE};
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {APPLICATION_ROLE};
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {APPLICATION_ROLE};
"""


# The application's role reads these or adds to them; only the owner changes them.
_READ_ONLY = ("django_migrations", "django_content_type", "auth_permission")
_APPEND_ONLY = ("accounts_operatoraccess",)
_RESTRICT = f"""
REVOKE INSERT, UPDATE, DELETE ON {", ".join(_READ_ONLY)} FROM {APPLICATION_ROLE};
REVOKE UPDATE, DELETE ON {", ".join(_APPEND_ONLY)} FROM {APPLICATION_ROLE};
"""


class Command(MigrateCommand):
    def handle(self, *args: Any, **options: Any) -> None:
        with connections[options["database"]].cursor() as cursor:
            cursor.execute(_CREATE_ROLE)
            cursor.execute(_PRIVILEGES)
            for name, value in ROLE_TIMEOUTS.items():
                cursor.execute(f"ALTER ROLE {APPLICATION_ROLE} SET {name} = '{value}'")
            self._set_password(cursor)
            cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
        super().handle(*args, **options)
        self._restrict(options["database"])

    def _restrict(self, database: str) -> None:
        """Revoke what the application's role does not need, once all tables exist."""
        connection = connections[database]
        if {*_READ_ONLY, *_APPEND_ONLY} <= set(connection.introspection.table_names()):
            with connection.cursor() as cursor:
                cursor.execute(_RESTRICT)

    def _set_password(self, cursor: CursorWrapper) -> None:
        """Set the role's password from the application's URL, as a verifier, so that it appears in no server log."""
        if password := getattr(settings, "APPLICATION_PASSWORD", ""):
            libpq = cursor.connection.pgconn
            verifier = libpq.encrypt_password(password.encode(), APPLICATION_ROLE.encode(), b"scram-sha-256").decode()
            statement = sql.SQL("ALTER ROLE {} PASSWORD {}")
            cursor.execute(statement.format(sql.Identifier(APPLICATION_ROLE), sql.Literal(verifier)))
