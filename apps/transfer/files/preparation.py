"""Preparation of uploaded files: unpacked, recognized, and read into batches of items on disk, slice by slice."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from apps.common.errors import Unprocessable
from apps.transfer.files.archives import archives_unpack
from apps.transfer.files.reading import READING_S, ReadPlace, read_batches
from apps.transfer.files.recognition import recognized
from apps.transfer.files.report import FileReport
from apps.transfer.files.uploads import USE_COMMAND, files_below
from apps.transfer.formats.items import ImportSource

MOST_WRITTEN = 256 * 1024 * 1024


@dataclass(slots=True)
class Preparation:
    """How far files were read; `written` counts the bytes of the items' file that belong to it."""

    place: ReadPlace
    written: int = 0
    is_complete: bool = False


def files_recognize(folder: Path, *, source: ImportSource | None, import_id: UUID, dry_run: bool) -> FileReport:
    """Unpack archives, and return a report of nothing yet. Without a `source` it is recognized.

    Raises `Unprocessable` if there is nothing that can be imported.
    """
    archives_unpack(folder)
    files = list(files_below(folder))
    sources = recognized(files)
    source = source or _likeliest(sources)
    return FileReport(source.value, [one.value for one in sources], str(import_id), dry_run, files=len(files))


def items_prepare(
    folder: Path, target: Path, report: FileReport, so_far: Preparation, is_over: Callable[[], bool]
) -> None:
    """Write a line for each batch of items to `target`, until everything is read or the time `is_over`.

    Raises `Unprocessable` if the files cannot be read.
    """
    until = time.monotonic() + READING_S
    with target.open("ab") as file:
        # What a killed worker wrote after its last commit is read again.
        file.truncate(so_far.written)
        for batch, place in read_batches(folder, ImportSource(report.source), so_far.place, until):
            so_far.written += _write(file, batch, so_far.written)
            so_far.place = place
            report.items += len(batch)
            if is_over():
                return
    so_far.is_complete = True


def _write(file: BinaryIO, batch: list[dict[str, object]], written: int) -> int:
    line = json.dumps(batch).encode() + b"\n"
    if written + len(line) > MOST_WRITTEN:
        limit = MOST_WRITTEN // 1024**2
        raise Unprocessable(f"The files contain more than {limit} MB. {USE_COMMAND}", code="too_large_unpacked")
    return file.write(line)


def _likeliest(sources: tuple[ImportSource, ...]) -> ImportSource:
    if not sources:
        raise Unprocessable("None of the files is one that can be imported.", code="unknown_source")
    return sources[0]
