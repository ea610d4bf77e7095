"""The data folder of a test run's PostgreSQL: made once with roles and all migrations, then copied by every process.

It is kept in `.postgres_cache` under a digest of everything that the schema is made from. Where that folder cannot be
written, each process makes a data folder of its own.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from config.stack.postgres import APPLICATION, OWNER, SETTINGS, Postgres, binaries
from config.stack.process import PYTHON, ROOT, launch, poll, stop_all

CACHE = ROOT / ".postgres_cache"
UNUSED_S = 14 * 24 * 3600
"""After this time a copy is removed: other branches have other migrations."""
SOURCES = ("apps/*/migrations/*", "apps/common/*", "config/stack/postgres.py", "tests/prepared.py")
"""What decides about roles and schema, besides the installed packages."""
FORGETFUL = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "100"}
"""Settings of servers whose data nobody misses."""
UNDISTURBED = {"autovacuum": "off"}
"""To a table that is analyzed while a test's transaction fills it, the planner ascribes no rows; then plans change."""


def place_data(postgres: Postgres, cache: Path = CACHE) -> None:
    """Give a server without a data folder one that has the roles and the migrated database."""
    kept = cache / digest(postgres)
    try:
        cache.mkdir(exist_ok=True)
        with locked(kept.with_suffix(".lock")):
            if not kept.exists():
                make(kept)
                prune(cache)
            copy(kept, postgres.data)
            os.utime(kept)
    except OSError:
        shutil.rmtree(postgres.data, ignore_errors=True)
        make(postgres.data)


def digest(postgres: Postgres) -> str:
    """What the folder's contents depend on, as a name."""
    identity = postgres.identity
    found = sha256(f"{identity.kind} {os.geteuid()} {postgres.database} {binaries()} {SETTINGS}".encode())
    for file in sorted(file for pattern in SOURCES for file in ROOT.glob(pattern) if file.is_file()):
        found.update(str(file.relative_to(ROOT)).encode() + file.read_bytes())
    packages = Path(sysconfig.get_path("purelib")).glob("*.dist-info")
    found.update(" ".join(sorted(package.name for package in packages)).encode())
    return found.hexdigest()[:16]


@contextmanager
def locked(lock: Path) -> Iterator[None]:
    """Hold the lock of one copy: the first process of a run makes it, the others wait."""
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def make(data: Path) -> None:
    """Make the data folder with a server of its own."""
    with tempfile.TemporaryDirectory(prefix="continuity-prepared-") as folder:
        home = Path(folder)
        (home / "logs").mkdir()
        postgres = Postgres(home, home, settings=FORGETFUL)
        postgres.prepare()
        server = launch(postgres.program())
        try:
            assert poll(postgres.ready, 60), postgres.log.read_text()
            postgres.bootstrap()
            migrate(postgres)
        finally:
            stop_all([(server, signal.SIGINT)], 60)
        copy(postgres.data, data)


def migrate(postgres: Postgres) -> None:
    urls = {"DATABASE_URL": postgres.url(OWNER), "DATABASE_APP_URL": postgres.url(APPLICATION)}
    argv = [PYTHON, "manage.py", "migrate", "--settings=config.settings.owner", "-v0"]
    subprocess.run(argv, cwd=ROOT, env={**os.environ, **urls}, check=True)


def copy(data: Path, copied: Path) -> None:
    """Copy a folder with its owners, shared on disk where the file system can; complete or not at all."""
    partial = copied.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", str(data), str(partial)], check=True)  # noqa: S607 - coreutils
    partial.rename(copied)


def prune(cache: Path) -> None:
    """Remove the copies that have not been used for long."""
    for kept in cache.iterdir():
        if kept.is_dir() and kept.stat().st_mtime < time.time() - UNUSED_S:
            shutil.rmtree(kept, ignore_errors=True)
            kept.with_suffix(".lock").unlink(missing_ok=True)
