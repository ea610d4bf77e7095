"""`make test ONLY=…` runs the tests of a part of the code, and refuses an unknown part."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.only import UnknownPart, paths_of

FILES = (
    "apps/memory/services/tree/move.py",
    "apps/engine/pack/build.py",
    "apps/agents/__init__.py",
    "config/env.py",
    "docs/memory.md",
    "studies/replay.py",
    "tests/memory/test_moving.py",
    "tests/engine/pack/test_build.py",
    "tests/config/test_env.py",
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("part", "paths"),
    [
        ("apps/memory", ["tests/memory", "apps/memory"]),
        ("apps/memory/", ["tests/memory", "apps/memory"]),
        ("apps/memory/services", ["tests/memory", "apps/memory/services"]),
        ("apps/engine/pack", ["tests/engine/pack", "apps/engine/pack"]),
        ("apps/engine/pack/build.py", ["tests/engine/pack/test_build.py", "apps/engine/pack/build.py"]),
        ("config", ["tests/config"]),
        ("config/env.py", ["tests/config/test_env.py"]),
        ("tests/memory", ["tests/memory"]),
        ("docs", ["docs"]),
    ],
)
def test_a_part_is_tested_by_what_mirrors_it(repository: Path, part: str, paths: list[str]) -> None:
    assert paths_of(part, repository) == paths


@pytest.mark.parametrize("part", ["", ".", "apps", "apps/agents", "apps/nothing", "studies", "../elsewhere", "/etc"])
def test_a_part_without_tests_is_an_error_and_not_an_empty_run(repository: Path, part: str) -> None:
    with pytest.raises(UnknownPart):
        paths_of(part, repository)
