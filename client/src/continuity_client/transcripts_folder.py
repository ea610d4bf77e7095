"""Transcripts as JSON Lines in a folder that only this user can enter."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from continuity_client.home import make_private

Entry = Mapping[str, Any]
Key = Mapping[str, str]
"""`project_key`, `session_id`, and `subpath` for the transcript of a subagent."""

MAIN = "main.jsonl"
SUFFIX = ".jsonl"
MOST_REMEMBERED = 100


class TranscriptsFolder:
    """`<folder>/<project>/<session>/main.jsonl`, and a file beside it for each subpath."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._known: dict[str, tuple[int, set[str]]] = {}

    def exists(self, key: Key) -> bool:
        """Whether there is a transcript."""
        return os.path.exists(self._file(key))

    def append(self, key: Key, entries: list[Entry]) -> list[Entry]:
        """Append the entries that are not there yet, and return them."""
        if not entries:
            return []
        known = self._known_uuids(key)
        added: list[Entry] = []
        for entry in entries:
            if entry.get("uuid") not in known:
                added.append(entry)
                known |= {entry["uuid"]} if "uuid" in entry else set()
        path = self._file(key)
        make_private(self._session(key))
        try:
            _append_lines(path, added)
        except BaseException:
            self._known.pop(path, None)
            raise
        self._remember(path, known)
        return added

    def _known_uuids(self, key: Key) -> set[str]:
        """The ids of a transcript's entries; it is read again only after another process changed it."""
        path = self._file(key)
        size, known = self._known.get(path, (0, set[str]()))
        if size != _size(path):
            known = {entry["uuid"] for entry in self.load(key) or () if "uuid" in entry}
        return known

    def _remember(self, path: str, known: set[str]) -> None:
        self._known.pop(path, None)
        self._known[path] = (_size(path), known)
        while len(self._known) > MOST_REMEMBERED:
            del self._known[next(iter(self._known))]

    def load(self, key: Key) -> list[Entry] | None:
        """The entries, or None if there is no transcript. A line that a crash cut is skipped."""
        try:
            with open(self._file(key), encoding="utf-8", errors="replace") as file:
                return [entry for line in file if (entry := _parsed(line)) is not None]
        except FileNotFoundError:
            return None

    def sessions(self, project_key: str) -> list[dict[str, Any]]:
        """Sessions that have a main transcript, with the time of its last change in milliseconds."""
        folder = os.path.join(self.folder, _name(project_key))
        found = ((name, os.path.join(folder, name, MAIN)) for name in _names(folder))
        return [
            {"session_id": unquote(name), "mtime": os.stat(path).st_mtime_ns // 1_000_000}
            for name, path in found
            if os.path.exists(path)
        ]

    def subkeys(self, key: Key) -> list[str]:
        """The subpaths of a session."""
        names = (name for name in _names(self._session(key)) if name != MAIN)
        return [unquote(name.removesuffix(SUFFIX)).removeprefix("/") for name in names]

    def delete(self, key: Key) -> None:
        """Delete a transcript; the main one with all of its session."""
        if not key.get("subpath"):
            shutil.rmtree(self._session(key), ignore_errors=True)
        elif self.exists(key):
            os.unlink(self._file(key))

    def _session(self, key: Key) -> str:
        return os.path.join(self.folder, _name(key["project_key"]), _name(key["session_id"]))

    def _file(self, key: Key) -> str:
        # The slash sets a subpath apart from the main transcript, whatever its name.
        subpath = key.get("subpath")
        return os.path.join(self._session(key), f"{_name('/' + subpath)}{SUFFIX}" if subpath else MAIN)


def _append_lines(path: str, entries: list[Entry]) -> None:
    """Append entries, on a line of their own also where a crash cut the last one."""
    with open(path, "ab+") as file:
        if size := file.seek(0, os.SEEK_END):
            file.seek(size - 1)
            is_cut = file.read(1) != b"\n"
            file.writelines([b"\n"] if is_cut else [])
        file.writelines(f"{json.dumps(entry)}\n".encode() for entry in entries)


def _name(text: str) -> str:
    """A text as the name of a file: never a path, and never `..`."""
    return quote(text, safe="").replace(".", "%2E")


def _names(folder: str) -> list[str]:
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def _size(path: str) -> int:
    """The size of a file; 0 if there is none."""
    try:
        return os.stat(path).st_size
    except FileNotFoundError:
        return 0


def _parsed(line: str) -> Entry | None:
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None
