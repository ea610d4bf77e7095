"""`make test ONLY=changed` runs what a change can break."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.suite.changed import changed_files, paths_of_changes


@pytest.mark.parametrize(
    ("file", "chosen", "left"),
    [
        (
            "apps/turns/services/messages.py",
            {"tests/turns", "tests/agents", "tests/api"},
            {"tests/memory", "tests/llm"},
        ),
        ("apps/engine/pack/layers.py", {"apps/engine/pack/layers.py", "tests/context", "tests/api"}, {"tests/engine"}),
        ("apps/jobs/services/claim_due.sql", {"tests/jobs", "tests/turns"}, {"tests/common"}),
        ("tests/api/callers.py", {"tests/api/test_packs.py"}, {"tests/api", "tests/memory"}),
        ("tests/turns/conftest.py", {"tests/turns"}, {"tests/api"}),
        ("docs/memory.md", {"docs/memory.md"}, {"tests/memory"}),
        ("client/src/continuity_client/secrets/rules.json", {"tests/client", "tests/common"}, {"tests/memory"}),
        ("client/src/continuity_client/hook/redaction.py", {"tests/client"}, {"tests/memory"}),
        ("apps/jobs/services/deleted_module.py", {"tests/jobs"}, set()),
        ("tests/conftest.py", {"tests"}, set()),
        ("uv.lock", {"tests", "client/src"}, set()),
    ],
)
def test_a_change_is_tested_by_the_apps_that_use_it(file: str, chosen: set[str], left: set[str]) -> None:
    paths = set(paths_of_changes([file]))
    assert chosen <= paths and not left & paths


def test_what_was_changed_since_the_main_branch_and_what_is_new_counts(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        told = ["git", "-c", "user.name=Alice", "-c", "user.email=alice@example.org", *arguments]
        subprocess.run(told, cwd=tmp_path, check=True, capture_output=True)

    git("init", "--initial-branch=main")
    (tmp_path / "old.py").touch()
    git("add", ".")
    git("commit", "--message=Begin.")
    git("switch", "--create=mine")
    (tmp_path / "committed.py").touch()
    git("add", ".")
    git("commit", "--message=Go on.")
    (tmp_path / "new.py").touch()
    (tmp_path / "old.py").write_text("changed")
    assert changed_files(tmp_path) == ["committed.py", "new.py", "old.py"]
