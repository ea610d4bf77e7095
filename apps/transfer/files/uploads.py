"""Uploaded files in a folder of their own, under their names as far as those are safe."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from apps.common.errors import Invalid, TooLarge

LARGEST_UPLOAD = 64 * 1024 * 1024
MOST_FILES = 500
USE_COMMAND = "Import it on your own computer with `continuity import`, which has no such limit."
_MOST_PARTS, _LONGEST_NAME = 8, 120
_UNSAFE = re.compile(r"[\x00-\x1f\x7f/:\\]")


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file as it arrives. `path` is relative to what the person chose; it names projects and sessions."""

    path: str
    chunks: Iterable[bytes]
    modified_at: datetime | None = None


def files_store(folder: Path, files: Iterable[SentFile]) -> None:
    """Write the files below the folder.

    Raises `TooLarge` if they have more than 64 MB together, and `Invalid` if they are empty.
    """
    size, paths = 0, FreePaths(folder)
    for file in files:
        target = paths.path_for(file.path)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with target.open("xb") as stored:
            for chunk in file.chunks:
                size += len(chunk)
                if size > LARGEST_UPLOAD:
                    limit = LARGEST_UPLOAD // 1024**2
                    raise TooLarge(f"At most {limit} MB can be imported in the browser. {USE_COMMAND}")
                stored.write(chunk)
        if file.modified_at is not None:
            os.utime(target, (file.modified_at.timestamp(),) * 2)
    if not size:
        raise Invalid("The file is empty.", code="empty_file")


class FreePaths:
    """Paths below a folder that no file has yet; a second file of the same name gets a numbered folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers: dict[tuple[str, ...], int] = {}

    def path_for(self, name: str) -> Path:
        parts = tuple(safe_parts(name))
        number = self._numbers.get(parts, 1)
        while self._is_taken(target := self._numbered(number, parts)):
            number += 1
        self._numbers[parts] = number + 1
        return target

    def _numbered(self, number: int, parts: tuple[str, ...]) -> Path:
        return self._folder.joinpath(*parts) if number == 1 else self._folder.joinpath(str(number), *parts)

    def _is_taken(self, target: Path) -> bool:
        """Whether something is there, or a file is where one of its folders has to be."""
        folders = target.relative_to(self._folder).parents
        return target.exists() or any((self._folder / one).is_file() for one in folders)


def safe_parts(name: str) -> list[str]:
    """The parts of a relative path that lead nowhere else.

    >>> safe_parts("../../etc/passwd"), safe_parts("C:\\\\work\\\\notes.md"), safe_parts("/")
    (['etc', 'passwd'], ['C_', 'work', 'notes.md'], ['file'])
    """
    encodable = name.encode(errors="replace").decode()
    parts = [_UNSAFE.sub("_", part).strip() for part in re.split(r"[/\\]", encodable)]
    parts = [_shortened(part) for part in parts if part not in ("", ".", "..")]
    return parts[-_MOST_PARTS:] or ["file"]


def files_below(folder: Path) -> Iterator[Path]:
    """Every file below the folder, in the same order each time."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (Path(place, name) for name in sorted(names))


def _shortened(part: str) -> str:
    """The part within the length of a file's name; its ending tells what it is."""
    while len(part.encode()) > _LONGEST_NAME * 2:
        part = part[: _LONGEST_NAME // 2] + part[-_LONGEST_NAME // 2 :] if len(part) > _LONGEST_NAME else part[1:]
    return part
