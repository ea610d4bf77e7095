"""Zip archives among uploaded files: unpacked within limits of size, number, ratio and time."""

from __future__ import annotations

import errno
import lzma
import shutil
import time
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from apps.common.errors import Unprocessable
from apps.transfer.files.recognition import ALL_ENDINGS
from apps.transfer.files.uploads import USE_COMMAND, FreePaths, files_below

MOST_UNPACKED = 192 * 1024 * 1024
MOST_ENTRIES = 5_000
UNPACKING_S = 20.0
HIGHEST_RATIO, RATIO_FROM = 200, 8 * 1024 * 1024
_CHUNK = 256 * 1024
_ENCRYPTED = 0x1
_UNPACKING, _PACKED = "unpacking", "packed"
_DAMAGE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError, ValueError)


@dataclass(slots=True)
class _Room:
    """What all archives of an import may still use; `packed` is the size of those so far, `until` a time of
    `time.monotonic`."""

    until: float
    packed: int = 0
    size: int = field(default_factory=lambda: MOST_UNPACKED)
    entries: int = field(default_factory=lambda: MOST_ENTRIES)


def archives_unpack(folder: Path) -> None:
    """Replace each archive below the folder by its files of the kinds that can be imported.

    They are unpacked into a new folder, which replaces the old one at the end: a killed worker leaves no half of it.
    """
    unpacking, packed = folder.with_name(_UNPACKING), folder.with_name(_PACKED)
    if packed.exists() and not folder.exists():
        unpacking.rename(folder)
    shutil.rmtree(packed, ignore_errors=True)
    shutil.rmtree(unpacking, ignore_errors=True)
    archives = [path for path in files_below(folder) if zipfile.is_zipfile(path)]
    if archives:
        _unpack_all(folder, archives, unpacking)
        folder.rename(packed)
        unpacking.rename(folder)
        shutil.rmtree(packed)


def _unpack_all(folder: Path, archives: list[Path], target: Path) -> None:
    for path in files_below(folder):
        if path not in archives:
            shutil.copy2(path, _with_folder(target / path.relative_to(folder)))
    room = _Room(time.monotonic() + UNPACKING_S)
    below: dict[Path, FreePaths] = {}
    for path in archives:
        place = target / path.parent.relative_to(folder)
        _unpack(path, below.setdefault(place, FreePaths(place)), room)
    target.mkdir(mode=0o700, exist_ok=True)


def _unpack(path: Path, paths: FreePaths, room: _Room) -> None:
    entry = ""
    room.packed += path.stat().st_size
    try:
        with zipfile.ZipFile(path) as archive:
            for info in _wanted(archive, room):
                entry = info.filename
                _unpack_one(archive, info, _with_folder(paths.path_for(entry)), room)
    except (*_DAMAGE, OSError) as error:
        # Other numbers, such as that of a full disk, are no fault of the archive.
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise
        detail = f"{path.name} is damaged{f' at {entry}' if entry else ''}. Download the export again."
        raise Unprocessable(detail, code="bad_archive") from error


def _unpack_one(archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path, room: _Room) -> None:
    """Unpack one file. The sizes that an archive states are not trusted."""
    with archive.open(info) as source, target.open("xb") as file:
        while chunk := source.read(_CHUNK):
            room.size -= len(chunk)
            _require_room(room)
            file.write(chunk)
    _require_room(room)


def _wanted(archive: zipfile.ZipFile, room: _Room) -> Iterator[zipfile.ZipInfo]:
    wanted = [one for one in archive.infolist() if not one.is_dir() and one.filename.lower().endswith(ALL_ENDINGS)]
    room.entries -= len(wanted)
    if room.entries < 0:
        raise Unprocessable(f"The archives have more than {MOST_ENTRIES} files. {USE_COMMAND}", code="too_many_files")
    if any(one.flag_bits & _ENCRYPTED for one in wanted):
        raise Unprocessable("The archive has a password. Unpack it, and choose the files.", code="encrypted_archive")
    yield from wanted


def _require_room(room: _Room) -> None:
    unpacked = MOST_UNPACKED - room.size
    if room.size < 0:
        limit = MOST_UNPACKED // 1024**2
        raise Unprocessable(f"The archives have more than {limit} MB. {USE_COMMAND}", code="too_large_unpacked")
    if unpacked > RATIO_FROM and unpacked > room.packed * HIGHEST_RATIO:
        raise Unprocessable("The archive unpacks to far more than any export does.", code="suspicious_archive")
    if time.monotonic() > room.until:
        raise Unprocessable(f"Unpacking takes too long. {USE_COMMAND}", code="unpacking_too_slow")


def _with_folder(path: Path) -> Path:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path
