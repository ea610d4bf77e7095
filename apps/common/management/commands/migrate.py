"""`migrate` first prepares the database: the application's role, its privileges, and the vector extension."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management.base import CommandParser
from django.core.management.commands.migrate import Command as MigrateCommand
from django.db import connections, transaction
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
    # The other checks would load every URL and its pages, which the owner's settings leave out.
    requires_system_checks = (Tags.database, Tags.models)

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--schema",
            type=Path,
            help="Create an empty database from this file of SQL instead of by the migrations that it records.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with connections[options["database"]].cursor() as cursor:
            cursor.execute(_CREATE_ROLE)
            cursor.execute(_PRIVILEGES)
            for name, value in ROLE_TIMEOUTS.items():
                cursor.execute(f"ALTER ROLE {APPLICATION_ROLE} SET {name} = '{value}'")
            self._set_password(cursor)
            cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
        if options["schema"]:
            self._create(options["database"], options["schema"])
        super().handle(*args, **options)
        self._restrict(options["database"])

    def _create(self, database: str, schema: Path) -> None:
        """Create the tables of an empty database, as they are after the migrations that the file records."""
        if connections[database].introspection.table_names():
            return
        with transaction.atomic(using=database), connections[database].cursor() as cursor:
            # A function may come before the tables that it reads.
            cursor.execute("SET LOCAL check_function_bodies = off")
            cursor.execute(schema.read_text(encoding="utf-8"))

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
