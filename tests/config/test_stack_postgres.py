"""The embedded PostgreSQL: data folders it rejects, start-ups it repairs, and shutdown with its parent."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config.stack.child_user import user_name
from config.stack.data_dir import Home
from config.stack.errors import StackError
from config.stack.postgres import MAJOR, PARTS, Postgres
from config.stack.process import ROOT, poll
from config.stack.processes import naming


@pytest.fixture
def postgres(tmp_path: Path) -> Postgres:
    home = Home(tmp_path)
    home.prepare()
    return Postgres(home.path, home.run)


def pretend_data(postgres: Postgres, version: str) -> None:
    for part in PARTS:
        (postgres.data / part).parent.mkdir(parents=True, exist_ok=True)
        (postgres.data / part).write_text(version + "\n")


def test_a_data_folder_of_another_version_is_rejected_with_both_versions(postgres: Postgres) -> None:
    pretend_data(postgres, "16")
    with pytest.raises(StackError, match=rf"made by PostgreSQL 16; this stack runs PostgreSQL {MAJOR}"):
        postgres.prepare()
    assert (postgres.data / "PG_VERSION").read_text() == "16\n"


@pytest.mark.parametrize("missing", PARTS)
def test_an_incomplete_data_folder_is_rejected_and_not_changed(postgres: Postgres, missing: str) -> None:
    pretend_data(postgres, MAJOR)
    (postgres.data / missing).unlink()
    with pytest.raises(StackError, match=f"is incomplete .*{missing}"):
        postgres.prepare()
    assert any(postgres.data.iterdir())


def test_an_interrupted_first_start_is_repeated(postgres: Postgres) -> None:
    (postgres.home / "postgres.making").mkdir()
    (postgres.home / "postgres.making" / "PG_VERSION").write_text(MAJOR)
    postgres.data.mkdir()
    postgres.prepare()
    assert not (postgres.home / "postgres.making").exists()
    assert all((postgres.data / part).exists() for part in PARTS)


def test_only_the_pid_file_of_a_dead_server_is_removed(postgres: Postgres) -> None:
    postgres.data.mkdir()
    pid_file = postgres.data / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n")
    postgres.remove_stale_pid_file()
    assert not pid_file.exists()


def test_a_user_without_a_name_gets_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(uid: int) -> pwd.struct_passwd:
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.raises(StackError, match="has no name on this system"):
        user_name()


START_AND_WAIT = """
import sys, time
from pathlib import Path
from config.stack.postgres import Postgres
from config.stack.process import launch, poll
server = Postgres(Path(sys.argv[1]), Path(sys.argv[1]) / "run")
server.prepare()
child = launch(server.program())
assert poll(server.ready, 20)
print("ready", flush=True)
time.sleep(60)
"""


def test_the_server_shuts_down_cleanly_when_its_parent_is_killed(postgres: Postgres) -> None:
    argv = [sys.executable, "-c", START_AND_WAIT, str(postgres.home)]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        parent.send_signal(signal.SIGKILL)
    assert poll(lambda: not naming(str(postgres.home)), 10)
    assert "database system is shut down" in postgres.log.read_text()
