"""Items of uploaded files, read by the readers of the package `continuity_client`, as the command does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from apps.common.errors import Unprocessable
from apps.transfer.files.databases import database_open
from apps.transfer.files.recognition import DATABASE_HEAD, ENDINGS, source_of
from apps.transfer.files.uploads import USE_COMMAND, FreePaths, files_below
from apps.transfer.formats.items import ImportSource
from continuity_client.imports import Item, SourceError, reader_of
from continuity_client.imports.batching import batches
from continuity_client.imports.claude_mem import database_items
from continuity_client.imports.transcripts import lone_subagent_files, transcript_files

READING_S = 25.0
LARGEST_DOCUMENT = 64 * 1024 * 1024
_CONVERSATIONS = "conversations"
_MEMORY_FOLDER, _MEMORY_INDEX = "memory", "MEMORY.md"


@dataclass(frozen=True, slots=True)
class ReadPlace:
    """How far files were read: the number of the unit, and of the items in it."""

    unit: int = 0
    items: int = 0


def read_batches(
    folder: Path, source: ImportSource, place: ReadPlace, until: float
) -> Iterator[tuple[list[dict[str, Any]], ReadPlace]]:
    """Yield the items of the files below the folder in batches, each with the place after it.

    Raises `Unprocessable` if the files cannot be read, also if that takes beyond `until`, a time of `time.monotonic`.
    """
    try:
        for number, unit in enumerate(_units(folder, source)[place.unit :], start=place.unit):
            done = place.items if number == place.unit else 0
            for batch in batches(islice(_items(unit, source, until), done, None)):
                _require_time(until)
                done += len(batch)
                yield [_without_folder(item, folder) for item in batch], ReadPlace(number, done)
    except SourceError as error:
        raise Unprocessable(_relative(str(error), folder), code="unreadable_source") from error


def _units(folder: Path, source: ImportSource) -> list[Path]:
    """What is read one after the other: files, or the whole folder if they are short."""
    if source is ImportSource.CLAUDE_MEM:
        return _databases(folder)
    if source is ImportSource.TRANSCRIPTS:
        _require_files(folder, source)
        return _transcripts(folder)
    if source is ImportSource.CLAUDE_MEMORY:
        _require_files(folder, source)
        _group_loose_memories(folder)
        return [folder]
    return _documents(folder, source)


def _items(unit: Path, source: ImportSource, until: float) -> Iterator[Item]:
    if source is ImportSource.CLAUDE_MEM:
        with database_open(unit, until) as connection:
            yield from database_items(connection)
    else:
        yield from reader_of(source.value)(str(unit))


def _transcripts(folder: Path) -> list[Path]:
    """Sessions, which are read with their subagents, and then the files of other subagents."""
    files = [Path(file) for find in (transcript_files, lone_subagent_files) for file in find(str(folder))]
    if not files:
        raise SourceError("There is no transcript of a session or of a subagent among the files.")
    return files


def _databases(folder: Path) -> list[Path]:
    databases = [file for file in files_below(folder) if _is_database(file)]
    if not databases:
        raise SourceError("There is no claude-mem database among the files. It is ~/.claude-mem/claude-mem.db.")
    return databases


def _is_database(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(len(DATABASE_HEAD)) == DATABASE_HEAD


def _documents(folder: Path, source: ImportSource) -> list[Path]:
    """The files to read: an export's conversations have a name of their own, anything else is what it looks like."""
    files = _require_files(folder, source)
    if source is not ImportSource.JSON:
        named = [file for file in files if file.name.startswith(_CONVERSATIONS)]
        files = named or [file for file in files if source_of(file) is source] or files
    for file in files:
        if file.stat().st_size > LARGEST_DOCUMENT:
            limit = LARGEST_DOCUMENT // 1024**2
            raise SourceError(f"{file.name} has more than {limit} MB. {USE_COMMAND}")
    return files


def _require_files(folder: Path, source: ImportSource) -> list[Path]:
    files = [file for file in files_below(folder) if file.suffix.lower() in ENDINGS[source]]
    if not files:
        raise SourceError(f"There is no {' or '.join(ENDINGS[source])} file among the files. Choose another source.")
    return files


def _group_loose_memories(folder: Path) -> None:
    """Move files that came without their folder to where the reader expects memories."""
    paths = FreePaths(folder)
    for file in list(files_below(folder)):
        is_loose = file.parent == folder or not (
            _MEMORY_FOLDER in file.relative_to(folder).parts[:-1] or (file.parent / _MEMORY_INDEX).exists()
        )
        if is_loose and file.suffix.lower() == ".md":
            target = paths.path_for(f"{_MEMORY_FOLDER}/{file.name}")
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.rename(target)


def _require_time(until: float) -> None:
    if time.monotonic() > until:
        raise Unprocessable(f"Reading takes too long. {USE_COMMAND}", code="reading_too_slow")


def _without_folder(item: Item, folder: Path) -> dict[str, Any]:
    """The item without traces of where the files are stored."""
    if item["kind"] == "problem":
        return {**item, "detail": _relative(str(item.get("detail", "")), folder)}
    return {**item, "project": ""} if item.get("project") == folder.name else dict(item)


def _relative(text: str, folder: Path) -> str:
    return text.replace(f"{folder}/", "").replace(str(folder), "the files")
