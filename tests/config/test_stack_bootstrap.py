"""Bootstrap on a bare machine: choice of Python, packages, and pip where Python has none."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from config.stack import bootstrap, pip_wheel


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package index in a folder, with a page for pip."""
    (tmp_path / "pip").mkdir()
    page = f'<a href="../files/{pip_wheel.WHEEL}#sha256=00">{pip_wheel.WHEEL}</a><a href="pip-1.0.whl">old</a>'
    (tmp_path / "pip" / "index.html").write_text(page)
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / pip_wheel.WHEEL).write_bytes(b"a wheel")
    monkeypatch.setenv("PIP_INDEX_URL", f"file://{tmp_path}/nothing-here")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", f"file://{tmp_path}")
    read = pip_wheel.read
    monkeypatch.setattr(pip_wheel, "read", lambda url: read(url + "index.html" if url.endswith("/") else url))
    return tmp_path


def test_pip_comes_from_the_first_configured_index_that_has_it(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pip_wheel, "SHA256", hashlib.sha256(b"a wheel").hexdigest())
    assert pip_wheel.fetch_wheel() == b"a wheel"


def test_a_modified_pip_is_rejected(index: Path) -> None:
    with pytest.raises(ValueError, match="not the file it should be"):
        pip_wheel.fetch_wheel()


def test_an_interpreter_that_does_not_run_has_no_version(tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    assert bootstrap.version_of(str(broken)) == bootstrap.version_of(str(tmp_path / "none")) == (0,)


def test_a_missing_interpreter_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "version_of", lambda _: (3, 9))
    with pytest.raises(bootstrap.BootstrapError, match=r"needs Python 3\.11 or newer"):
        bootstrap.find_interpreter()


def test_a_change_in_an_included_file_requires_an_installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    (tmp_path / "requirements.txt").write_text("a==1\n")
    (tmp_path / "requirements-dev.txt").write_text("-r requirements.txt\nb==1\n")
    before = bootstrap.digest("requirements-dev.txt")
    (tmp_path / "requirements.txt").write_text("a==2\n")
    assert bootstrap.digest("requirements-dev.txt") != before


def test_an_installation_covers_the_files_it_includes_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (
        ("requirements.txt", "a==1"),
        ("requirements-dev.txt", "-r requirements.txt"),
        ("node.txt", "b==1"),
    ):
        (tmp_path / name).write_text(text + "\n")
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "run", lambda argv: 0)
    stamp = tmp_path / "installed.json"
    bootstrap.install("node.txt", tmp_path)
    assert set(json.loads(stamp.read_text())) == {"node.txt"}
    bootstrap.install("requirements-dev.txt", tmp_path)
    assert set(json.loads(stamp.read_text())) == {"node.txt", "requirements-dev.txt", "requirements.txt"}


def test_compared_libraries_are_installed_separately(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ours, apart = tmp_path / ".venv", tmp_path / ".venv-bench"
    asked: list[tuple[str, Path]] = []
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "VENV", ours)
    monkeypatch.setitem(bootstrap.APART, "--bench", apart)
    monkeypatch.setattr(bootstrap, "version_of", lambda _: (3, 11))
    monkeypatch.setattr(bootstrap, "install", lambda name, venv: asked.append((name, venv)))
    bootstrap.main(["--bench"])
    bootstrap.main(["--dev"])
    assert asked == [("requirements-bench.txt", apart), ("requirements-dev.txt", ours)]


@pytest.mark.parametrize("name", sorted(bootstrap.FILES.values()))
def test_every_package_is_pinned_with_its_hashes(name: str) -> None:
    text = (bootstrap.ROOT / name).read_text().replace("\\\n", " ")
    pins = [line for line in text.splitlines() if line and not line.startswith(("#", "-r "))]
    assert pins
    assert not [pin for pin in pins if "==" not in pin or "--hash=sha256:" not in pin]


def test_every_package_of_the_page_is_locked_with_its_integrity() -> None:
    lock = json.loads((bootstrap.ROOT / "frontend" / "package-lock.json").read_text())
    assert not [path for path, package in lock["packages"].items() if path and "integrity" not in package]
