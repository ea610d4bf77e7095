"""The package: installs without dependencies, and runs on Python 3.9."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import continuity_client

CLIENT = Path(__file__).resolve().parents[2] / "client"
FIRST_PARTY = {"continuity_client"}
OLD_PYTHONS = ("python3.9", os.environ.get("PYTHON39", ""))
NEWEST_MODULES = {"tomllib"}
BUILD = "import sys; from hatchling.build import build_{kind} as build; print(build(sys.argv[1]))"


def sources() -> Iterator[Path]:
    yield from sorted((CLIENT / "src").rglob("*.py"))


def run(*command: str | Path, folder: Path | None = None, **variables: str) -> str:
    environment = {"PATH": os.environ["PATH"], **variables}
    words = [str(one) for one in command]
    done = subprocess.run(words, cwd=folder, check=False, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def built(source: Path, folder: Path, kind: str) -> Path:
    """Build the wheel or the source archive into a folder."""
    script = BUILD.format(kind=kind)
    return folder / run(sys.executable, "-c", script, folder, folder=source).splitlines()[-1]


def pip(environment: Path, *arguments: str | Path) -> str:
    return run(
        sys.executable,
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--python",
        environment / "bin" / "python",
        *arguments,
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment in which the package was installed, without a package index."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv")
    pip(folder / "venv", "install", "--no-index", built(CLIENT, folder, "wheel"))
    return folder / "venv"


def test_it_installs_into_an_empty_environment(installed: Path, tmp_path: Path) -> None:
    assert run(installed / "bin" / "continuity", "version", HOME=str(tmp_path)) == "continuity 0.2.0\n"
    assert pip(installed, "list", "--format=freeze") == "continuity-client==0.2.0\n"


def test_the_installed_command_prints_the_exact_difference(installed: Path, tmp_path: Path) -> None:
    shown = run(installed / "bin" / "continuity", "install", "--dry-run", HOME=str(tmp_path))

    assert shown.startswith(f"--- /dev/null\n+++ {tmp_path}/.claude/settings.json\n")
    hooks = json.loads("\n".join(line[1:] for line in shown.splitlines()[3:]))["hooks"]
    assert hooks["Stop"][0]["hooks"][0]["command"] == f"{installed}/bin/continuity hook stop"


def test_the_installed_package_has_the_plugins(installed: Path, tmp_path: Path) -> None:
    run(installed / "bin" / "continuity", "install", "--client", "opencode", "--yes", HOME=str(tmp_path))

    plugin = (tmp_path / ".config/opencode/plugins/continuity.ts").read_text()
    assert f'const COMMAND = ["{installed}/bin/continuity"]' in plugin


def test_a_source_archive_makes_the_same_wheel(tmp_path: Path) -> None:
    with tarfile.open(built(CLIENT, tmp_path, "sdist")) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    first = built(CLIENT, tmp_path, "wheel")

    assert first.read_bytes() == built(unpacked, tmp_path / "unpacked", "wheel").read_bytes()
    with zipfile.ZipFile(first) as wheel:
        assert wheel.testzip() is None
        assert "continuity_client/secrets/rules.json" in wheel.namelist()
        assert not [member for member in wheel.namelist() if "__pycache__" in member or "node_modules" in member]


def test_the_version_is_the_same_everywhere() -> None:
    manifests = [json.loads(path.read_text())["version"] for path in (CLIENT / "plugins").rglob("plugin.json")]

    project = tomllib.loads((CLIENT / "pyproject.toml").read_text())["project"]
    assert [project["version"], *manifests] == [continuity_client.__version__] * 3


def test_the_code_is_that_of_python_3_9() -> None:
    for path in sources():
        ast.parse(path.read_text("utf-8"), str(path), feature_version=(3, 9))


def test_it_runs_on_python_3_9(tmp_path: Path) -> None:
    python = next(filter(_runs, map(Path, filter(None, map(shutil.which, OLD_PYTHONS)))), None)
    if python is None:
        pytest.skip("Python 3.9 is not installed.")

    for name in sorted({module for path in sources() for module in [_module_of(path)] if module}):
        run(python, "-c", f"import {name}", HOME=str(tmp_path), PYTHONPATH=str(CLIENT / "src"))


def _runs(python: Path) -> bool:
    """Whether it starts: a version manager's stand-in may not."""
    return subprocess.run([python, "--version"], check=False, capture_output=True).returncode == 0


def _module_of(path: Path) -> str:
    """The name of a module that can be imported; empty for a script."""
    parts = path.relative_to(path.parents[-1]).with_suffix("").parts
    start = parts.index("src") + 1 if "src" in parts else len(parts) - 1
    return "" if parts[-1] == "__main__" else ".".join(parts[start:]).removesuffix(".__init__")


def test_nothing_but_the_standard_library_is_imported() -> None:
    names = {name.split(".")[0] for path in sources() for name in _imports(path)}

    assert names - set(sys.stdlib_module_names) - FIRST_PARTY == set()
    assert not names & NEWEST_MODULES


def test_a_hook_imports_next_to_nothing() -> None:
    """Neither the parser of command lines nor anything of the network."""
    script = "import sys, continuity_client.hook.command; print(' '.join(sys.modules))"
    loaded = run(sys.executable, "-S", "-c", script, PYTHONPATH=str(CLIENT / "src")).split()

    heavy = (
        "argparse",
        "urllib",
        "http",
        "socket",
        "ssl",
        "email",
        "subprocess",
        "threading",
        "uuid",
        "inspect",
        "pathlib",
    )
    assert not [name for name in loaded if name.split(".")[0] in heavy]


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
