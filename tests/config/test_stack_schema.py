"""The schema file of an empty database: what the migrations make, and all that a start needs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from config.stack import schema, services
from config.stack.postgres import APPLICATION, OWNER, Postgres
from config.stack.process import PYTHON, ROOT
from tests.stack import TestServers

GRANTS = "SELECT table_name, privilege_type FROM information_schema.table_privileges WHERE grantee = %s ORDER BY 1, 2"


@pytest.fixture
def empty(stack: TestServers) -> Iterator[Postgres]:
    """An empty database of the same server."""
    postgres = replace(stack.postgres, database="from_schema")
    postgres.bootstrap()
    yield postgres
    stack.postgres.execute("DROP DATABASE from_schema WITH (FORCE);")


def migrate(postgres: Postgres, *arguments: str) -> None:
    urls = {"DATABASE_URL": postgres.url(OWNER), "DATABASE_APP_URL": postgres.url(APPLICATION)}
    command = [PYTHON, "manage.py", "migrate", "--settings=config.settings.owner", "-v0", *arguments]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **urls}, check=True)


def granted(postgres: Postgres) -> str:
    return schema.run(postgres, "psql", "-X", "-A", "-t", "-c", GRANTS.replace("%s", f"'{APPLICATION}'"))


def test_the_schema_file_is_what_the_migrations_make(stack: TestServers) -> None:
    assert schema.dumped(stack.postgres) == schema.FILE.read_text(encoding="utf-8"), "run `make schema`"


def test_an_empty_database_made_from_the_file_equals_a_migrated_one(stack: TestServers, empty: Postgres) -> None:
    migrate(empty, "--schema", str(schema.FILE))
    assert schema.dumped(empty) == schema.dumped(stack.postgres)
    # Only tests truncate.
    assert granted(empty) == "".join(row for row in granted(stack.postgres).splitlines(True) if "TRUNCATE" not in row)
    # No migration is left, and a second run changes nothing.
    migrate(empty, "--check")
    migrate(empty, "--schema", str(schema.FILE))


def test_a_change_of_migrations_or_of_roles_changes_the_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "ROOT", tmp_path)
    seen = set()
    for name in ("uv.lock", "apps/jobs/migrations/0001_initial.py", "apps/common/database_role.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
        seen.add(services.schema_fingerprint())
    assert len(seen) == 3
