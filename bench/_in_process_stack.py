"""Django in this process, with temporary PostgreSQL and Redis servers and no web server."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import django
from django.conf import settings
from django.db import connections

from config.stack import schema
from config.stack.data_dir import Home
from config.stack.errors import StackError
from config.stack.postgres import Postgres
from config.stack.process import launch, log_end, run_once, stop_all, wait_until
from config.stack.redis import Redis
from config.stack.services import Services, free_port

# Benchmarks run ANALYZE themselves.
SETTINGS = {"autovacuum": "off"}
START_SECONDS = 30
STOP_SECONDS = 15

Child = tuple[subprocess.Popen[bytes], signal.Signals]


@contextmanager
def product(**variables: str) -> Iterator[Postgres]:
    """Start the servers and set up Django with these variables; stop and remove everything afterwards."""
    print("Starting PostgreSQL and Redis for this measurement.", file=sys.stderr)
    home = Home(Path(tempfile.mkdtemp(prefix="continuity-")))
    postgres = Postgres(home.path, home.run, settings=SETTINGS)
    services = Services(home, free_port(), postgres, Redis(home.path, home.run))
    children: list[Child] = []
    try:
        home.prepare()
        _start(services, postgres, children)
        environment = {**services.environment, "DJANGO_SETTINGS_MODULE": "config.settings.base", **variables}
        with patch.dict(os.environ, environment, clear=True):
            django.setup()
            # As in the web process.
            settings.REUSE_QUERY_PLANS = True
            yield postgres
            connections.close_all()
    finally:
        stop_all(children, STOP_SECONDS)
        shutil.rmtree(home.path, ignore_errors=True)


def _start(services: Services, postgres: Postgres, children: list[Child]) -> None:
    """Start both servers, then migrate."""
    postgres.prepare()
    for server in services.servers():
        children.append((launch(server.program()), server.program().stop_signal))
    if not wait_until(lambda: all(server.ready() for server in services.servers()), START_SECONDS):
        raise StackError("\n".join(log_end(server.program()) for server in services.servers()))
    postgres.bootstrap()
    run_once(services.migrate("--schema", str(schema.FILE)))
