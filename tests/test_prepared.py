"""The data folder of the tests' PostgreSQL is made once and copied."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from config.stack.postgres import Postgres
from tests import prepared
from tests.prepared import UNUSED_S, place_data


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The data folders that were made and not copied."""
    folders: list[Path] = []

    def make(data: Path) -> None:
        folders.append(data)
        data.mkdir(parents=True)
        (data / "base").write_text("all tables")

    monkeypatch.setattr(prepared, "make", make)
    return folders


def server(home: Path) -> Postgres:
    home.mkdir()
    return Postgres(home, home)


def test_one_process_makes_the_folder_and_the_others_copy_it(tmp_path: Path, made: list[Path]) -> None:
    servers = [server(tmp_path / "first"), server(tmp_path / "second")]
    for postgres in servers:
        place_data(postgres, tmp_path / "cache")
    assert [(postgres.data / "base").read_text() for postgres in servers] == ["all tables"] * 2 and len(made) == 1


def test_a_changed_migration_makes_another_folder(
    tmp_path: Path, made: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    migration = tmp_path / "apps/jobs/migrations/0001_initial.py"
    migration.parent.mkdir(parents=True)
    monkeypatch.setattr(prepared, "ROOT", tmp_path)
    for number, text in enumerate(("before", "after")):
        migration.write_text(text)
        place_data(server(tmp_path / str(number)), tmp_path / "cache")
    assert len(made) == 2


def test_without_a_cache_every_process_makes_its_own(tmp_path: Path, made: list[Path]) -> None:
    (tmp_path / "file").touch()
    postgres = server(tmp_path / "home")
    place_data(postgres, tmp_path / "file" / "cache")
    assert made == [postgres.data] and postgres.data.exists()


def test_copies_that_nobody_has_used_for_long_are_removed(tmp_path: Path, made: list[Path]) -> None:
    unused, used = tmp_path / "cache" / "unused", tmp_path / "cache" / "used"
    for folder in (unused, used):
        folder.mkdir(parents=True)
    os.utime(unused, (0, time.time() - UNUSED_S - 1))
    place_data(server(tmp_path / "home"), tmp_path / "cache")
    assert used.exists() and not unused.exists()
