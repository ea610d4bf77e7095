"""The build context: the project's files without those that .dockerignore excludes."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ignore:
    """The rules in their order; the last one that fits a file or a folder above it decides."""

    rules: tuple[tuple[re.Pattern[str], bool], ...]

    @classmethod
    def read(cls, file: Path) -> Ignore:
        lines = [line.strip() for line in file.read_text().splitlines()]
        kept = [line for line in lines if line and not line.startswith("#")]
        return cls(tuple((_pattern(line.removeprefix("!")), not line.startswith("!")) for line in kept))

    def keeps_back(self, path: Path) -> bool:
        """Whether a path, relative to the project, stays out."""
        names = [path.as_posix(), *(parent.as_posix() for parent in path.parents)]
        ignored = False
        for pattern, ignores in self.rules:
            if any(pattern.fullmatch(name) for name in names):
                ignored = ignores
        return ignored


def _pattern(text: str) -> re.Pattern[str]:
    """`*` stays inside a name, `**` crosses folders."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", text.strip("/"))
    meaning = {"**/": r"(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(part, re.escape(part)) for part in parts))


def context_files(project: Path) -> Iterator[Path]:
    """Every file the builder would see, relative to the project."""
    ignore = Ignore.read(project / ".dockerignore")
    for folder, folders, files in os.walk(project):
        here = Path(folder).relative_to(project)
        # A folder that was excluded itself cannot contain included files.
        folders[:] = sorted(name for name in folders if not ignore.keeps_back(here / name))
        yield from (here / name for name in sorted(files) if not ignore.keeps_back(here / name))


def copy_context(project: Path, target: Path) -> None:
    for file in context_files(project):
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(project / file, target / file)
