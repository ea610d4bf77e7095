"""Which tests a change needs, by imports: those of every app that uses a changed module, directly or not.

An app is also tested through addresses and settings, which are no imports, so all tests of an app that is reached are
chosen; the engine's are chosen one by one. Browser tests and those of the page are not chosen.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

import grimp

from config.stack.process import ROOT

PACKAGES = ("apps", "config", "tests")
EVERYTHING = ("uv.lock", "pyproject.toml", "tests/conftest.py")
"""What all tests depend on."""
CLIENT, SHARED = "client/", "client/src/continuity_client/secrets/"
"""The server imports what is shared."""
ONE_BY_ONE = "engine"
"""The tests of this app import whatever they test."""


def changed_files(root: Path = ROOT) -> list[str]:
    """The files that differ from the main branch, or on it from the last commit, with those that git does not know."""
    base = git(root, "merge-base", "HEAD", "main") or ["HEAD"]
    differing = git(root, "diff", "--name-only", base[0])
    return sorted({*differing, *git(root, "ls-files", "--others", "--exclude-standard")})


def git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)  # noqa: S607
    return done.stdout.splitlines()


def paths_of_changes(files: Iterable[str], root: Path = ROOT) -> list[str]:
    """The paths that pytest runs for some changed files."""
    changed = list(files)
    if any(file in EVERYTHING for file in changed):
        return ["tests", "apps/engine", "docs", "client/src"]
    graph = grimp.build_graph(*PACKAGES, cache_dir=str(root / ".import_linter_cache"))
    own = modules_of(changed, graph.modules)
    reached = own.union(*map(graph.find_downstream_modules, own))
    folders = {folder_of(module) for module in reached if module.startswith("apps.")}
    folders |= {str(Path(file).parent) for file in changed if Path(file).name == "conftest.py"}
    folders |= {"tests/config"} if any(module.startswith("config.") for module in own) else set()
    folders |= {"tests/client"} if any(file.startswith(CLIENT) for file in changed) else set()
    folders |= {"tests/common"} if any(file.startswith(SHARED) for file in changed) else set()
    present = {folder for folder in folders if (root / folder).is_dir()} - {f"tests/{ONE_BY_ONE}", "tests"}
    single = {path for path in map(test_file_of, reached) if path} | set(doctests_in(changed, root))
    return sorted(present | {path for path in single if not any(path.startswith(f"{folder}/") for folder in present)})


def modules_of(files: Iterable[str], known: set[str]) -> set[str]:
    """The modules of files; what is none (SQL, prompts, data, a deleted one) belongs to every module of its folder."""
    found = set()
    for file in map(Path, files):
        module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        folder = ".".join(file.parent.parts)
        beside = {name for name in known if folder and name.rpartition(".")[0] == folder}
        found |= {module} if module in known else beside
    return found


def folder_of(module: str) -> str:
    """The folder of the tests of a module's app."""
    return "/".join(["tests", *module.split(".")[1:2]])


def test_file_of(module: str) -> str:
    """The test file that a module is, outside the browser."""
    *folders, name = module.split(".")
    is_test = folders[:1] == ["tests"] and name.startswith("test_") and folders[:2] != ["tests", "browser"]
    return f"{'/'.join(folders)}/{name}.py" if is_test else ""


def doctests_in(files: Iterable[str], root: Path) -> list[str]:
    """The files with examples that `pytest` runs."""
    named = [file for file in files if file.startswith(("apps/engine/", "docs/")) and file.endswith((".py", ".md"))]
    return [file for file in named if (root / file).exists()]
