"""The schema as SQL (schema.sql), from which an empty database is created without running every migration.

`make schema` renews the file: it applies the migrations to an empty server and dumps the result.
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from config.stack.data_dir import Home
from config.stack.errors import StackError
from config.stack.postgres import SUPERUSER, Postgres, binaries
from config.stack.process import clean_environment, launch, log_end, run_once, stop_all, wait_until
from config.stack.redis import Redis
from config.stack.services import Services, free_port

FILE = Path(__file__).with_name("schema.sql")
HEAD = "-- Made by `make schema` from the migrations; `migrate --schema` creates an empty database from it.\n"
SESSION = "statement_timeout|lock_timeout|idle_in_transaction_session_timeout|transaction_timeout|client_encoding"
SESSION += "|standard_conforming_strings|check_function_bodies|xmloption|client_min_messages|row_security"
SESSION += "|default_tablespace|default_table_access_method"
# Settings of the session, psql's commands, comments, and the extension, which exists already.
NOT_SCHEMA = re.compile(
    rf"SET ({SESSION}) = .*|SELECT pg_catalog\.set_config\('search_path'.*|\\.*|--.*|CREATE EXTENSION .*"
)
OPTIONS = ("--schema-only", "--no-owner", "--no-privileges", "--no-comments")
APPLIED = "SELECT format('(%L, %L, now())', app, name) FROM django_migrations ORDER BY id"
RECORD = "INSERT INTO public.django_migrations (app, name, applied) VALUES\n    {rows};\n"
SECONDS = 30


def write() -> None:
    """Write the schema that the migrations make."""
    home = Home(Path(tempfile.mkdtemp(prefix="continuity-")))
    postgres = Postgres(home.path, home.run)
    children = []
    try:
        home.prepare()
        postgres.prepare()
        children.append((launch(postgres.program()), postgres.program().stop_signal))
        if not wait_until(postgres.ready, SECONDS):
            raise StackError(log_end(postgres.program()))
        postgres.bootstrap()
        run_once(Services(home, free_port(), postgres, Redis(home.path, home.run)).migrate())
        FILE.write_text(dumped(postgres), encoding="utf-8")
    finally:
        stop_all(children, SECONDS)
        shutil.rmtree(home.path, ignore_errors=True)


def dumped(postgres: Postgres) -> str:
    """Return the schema of a migrated database, and the record of its migrations, as statements."""
    lines = (line for line in run(postgres, "pg_dump", *OPTIONS).splitlines() if not NOT_SCHEMA.fullmatch(line))
    schema = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    rows = run(postgres, "psql", "-X", "-A", "-t", "-c", APPLIED).splitlines()
    return f"{HEAD}\n{schema}\n\n" + RECORD.format(rows=",\n    ".join(rows))


def run(postgres: Postgres, program: str, *arguments: str) -> str:
    """Run one of PostgreSQL's programs on the database as the superuser; return its output."""
    argv = [str(binaries() / program), *arguments, "-h", str(postgres.socket_folder), "-U", SUPERUSER]
    done = subprocess.run(
        [*argv, "-d", postgres.database], env=clean_environment(), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise StackError(f"{program} failed:\n{done.stderr.strip()}")
    return done.stdout
