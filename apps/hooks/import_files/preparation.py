"""Preparation of uploaded files: unpacked, recognized, and read once into batches of items on disk."""

from __future__ import annotations

import json
import time
from pathlib import Path
from uuid import UUID

from apps.common.errors import Unprocessable
from apps.hooks.import_files.archives import archives_unpack
from apps.hooks.import_files.reading import READING_S, read_batches
from apps.hooks.import_files.recognition import recognized
from apps.hooks.import_files.report import FileReport
from apps.hooks.import_files.uploads import files_below
from apps.hooks.imports.items import ImportSource


def items_prepare(folder: Path, target: Path, *, source: ImportSource | None, import_id: UUID) -> FileReport:
    """Write a line for each batch of items to `target`, and return a report that knows the number of items.

    Without a `source` it is recognized. Raises `Unprocessable` if the files cannot be read.
    """
    until = time.monotonic() + READING_S
    archives_unpack(folder)
    files = list(files_below(folder))
    sources = recognized(files)
    source = source or _likeliest(sources)
    report = FileReport(source.value, [one.value for one in sources], str(import_id), files=len(files))
    with target.open("wb") as items:
        for batch in read_batches(folder, source, until):
            items.write(json.dumps(batch).encode() + b"\n")
            report.items += len(batch)
    return report


def _likeliest(sources: tuple[ImportSource, ...]) -> ImportSource:
    if not sources:
        raise Unprocessable("None of the files is one that can be imported.", code="unknown_source")
    return sources[0]
