"""`migrate` prepares the application's role, and its password if the URL has one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from config.stack.postgres import SUPERUSER
from config.stack.process import PYTHON, ROOT
from tests.stack import TestServers
from tests.stack_fixtures import Connection

PASSWORD = "a word/with 'signs'"


@pytest.fixture
def role(superuser_connection: Connection) -> Iterator[Connection]:
    yield superuser_connection
    superuser_connection.execute("ALTER ROLE continuity_app PASSWORD NULL")


def migrate(stack: TestServers, app_url: str) -> None:
    told = {**os.environ, "DATABASE_URL": stack.postgres.url(SUPERUSER), "DATABASE_APP_URL": app_url}
    command = [PYTHON, "manage.py", "migrate", "--settings=config.settings.owner", "-v0"]
    subprocess.run(command, cwd=ROOT, env=told, check=True)


def stored(connection: Connection) -> str:
    found = connection.execute("SELECT rolpassword FROM pg_authid WHERE rolname = 'continuity_app'").fetchone()
    assert found is not None
    return found[0] or ""


def test_the_role_gets_the_password_of_its_url_and_keeps_it_when_there_is_none(
    stack: TestServers, role: Connection
) -> None:
    plain = stack.postgres.url("continuity_app")
    migrate(stack, plain.replace("continuity_app@", f"continuity_app:{quote(PASSWORD, safe='')}@"))
    given = stored(role)
    assert given.startswith("SCRAM-SHA-256$")
    migrate(stack, plain)
    assert stored(role) == given
