"""Zip archives among uploaded files: unpacked within limits of size, number and ratio."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from apps.common.errors import Unprocessable
from apps.hooks.import_files.uploads import USE_COMMAND, files_below, free_path

MOST_UNPACKED = 192 * 1024 * 1024
MOST_ENTRIES = 5_000
HIGHEST_RATIO, RATIO_FROM = 200, 8 * 1024 * 1024
ENDINGS = (".json", ".jsonl", ".md", ".db", ".db-wal")
_CHUNK = 256 * 1024
_ENCRYPTED = 0x1


def archives_unpack(folder: Path) -> None:
    """Replace each archive below the folder by its files of the kinds that can be imported."""
    room = MOST_UNPACKED
    for path in list(files_below(folder)):
        if zipfile.is_zipfile(path):
            room -= _unpack(path, room)
            path.unlink()


def _unpack(path: Path, room: int) -> int:
    """Return how many bytes were unpacked. The sizes that an archive states are not trusted."""
    size, entry = 0, ""
    try:
        with zipfile.ZipFile(path) as archive:
            for info in _wanted(archive):
                entry = info.filename
                target = free_path(path.parent, entry)
                target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with archive.open(info) as packed, target.open("xb") as file:
                    while chunk := packed.read(_CHUNK):
                        size += len(chunk)
                        _require_room(size, room, path.stat().st_size)
                        file.write(chunk)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError) as error:
        detail = f"{path.name} is damaged{f' at {entry}' if entry else ''}. Download the export again."
        raise Unprocessable(detail, code="bad_archive") from error
    return size


def _wanted(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    wanted = [one for one in archive.infolist() if not one.is_dir() and one.filename.lower().endswith(ENDINGS)]
    if len(wanted) > MOST_ENTRIES:
        raise Unprocessable(f"The archive has more than {MOST_ENTRIES} files. {USE_COMMAND}", code="too_many_files")
    if any(one.flag_bits & _ENCRYPTED for one in wanted):
        raise Unprocessable("The archive has a password. Unpack it, and choose the files.", code="encrypted_archive")
    yield from wanted


def _require_room(size: int, room: int, packed: int) -> None:
    if size > room:
        limit = MOST_UNPACKED // 1024**2
        raise Unprocessable(f"The archive has more than {limit} MB. {USE_COMMAND}", code="too_large_unpacked")
    if size > RATIO_FROM and size > packed * HIGHEST_RATIO:
        raise Unprocessable("The archive unpacks to far more than any export does.", code="suspicious_archive")
