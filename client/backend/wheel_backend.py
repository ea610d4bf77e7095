"""Build backend of this package (PEP 517, PEP 660): a wheel is a zip archive, so that installing needs no network."""

from __future__ import annotations

import base64
import hashlib
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "continuity_client"
TAG = "py3-none-any"
# The same contents make the same bytes.
DATE = (2020, 1, 1, 0, 0, 0)
IGNORED = {"__pycache__", "node_modules"}


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Write the wheel and return its name."""
    sources = (
        (f"{PACKAGE}/{path.relative_to(ROOT / 'src' / PACKAGE)}", path) for path in _files(ROOT / "src" / PACKAGE)
    )
    plugins = ((f"{PACKAGE}/plugins/{path.relative_to(ROOT / 'plugins')}", path) for path in _files(ROOT / "plugins"))
    return _write_wheel(wheel_directory, [(name, path.read_bytes()) for name, path in (*sources, *plugins)])


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None) -> str:
    """Write a wheel that refers to this folder."""
    return _write_wheel(wheel_directory, [(f"{PACKAGE}.pth", f"{ROOT / 'src'}\n".encode())])


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Write the source archive and return its name."""
    base = f"{PACKAGE}-{_field('version')}"
    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for path in (ROOT / "pyproject.toml", ROOT / "README.md", *map(ROOT.joinpath, ("src", "backend", "plugins"))):
            archive.add(path, f"{base}/{path.name}", filter=_without_ignored)
    return f"{base}.tar.gz"


def _without_ignored(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if IGNORED & set(Path(entry.name).parts) else entry


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not IGNORED & set(path.parts))


def _field(name: str) -> str:
    """A text of the table `project`; Python 3.9 has no parser of TOML."""
    found = re.search(rf'^{name} = "(.*)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    if found is None:
        raise ValueError(f"pyproject.toml has no {name}.")
    return found.group(1)


def _metadata() -> list[tuple[str, bytes]]:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {_field('name')}",
        f"Version: {_field('version')}",
        f"Summary: {_field('description')}",
        f"Requires-Python: {_field('requires-python')}",
        "License: Apache-2.0",
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / "README.md").read_text("utf-8"),
    ]
    wheel = f"Wheel-Version: 1.0\nGenerator: wheel_backend\nRoot-Is-Purelib: true\nTag: {TAG}\n"
    scripts = f"[console_scripts]\ncontinuity = {_field('continuity')}\n"
    return [("METADATA", "\n".join(lines).encode()), ("WHEEL", wheel.encode()), ("entry_points.txt", scripts.encode())]


def _write_wheel(directory: str, files: list[tuple[str, bytes]]) -> str:
    version = _field("version")
    info = f"{PACKAGE}-{version}.dist-info"
    name = f"{PACKAGE}-{version}-{TAG}.whl"
    members = [*files, *((f"{info}/{inner}", content) for inner, content in _metadata())]
    record = "".join(f"{member},{_digest(content)},{len(content)}\n" for member, content in members)
    with zipfile.ZipFile(Path(directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in (*members, (f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode())):
            entry = zipfile.ZipInfo(member, DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return name


def _digest(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return f"sha256={digest}"
