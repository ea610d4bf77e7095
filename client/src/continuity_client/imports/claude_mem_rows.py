"""Rows of claude-mem as items: columns that a version does not have count as empty."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from continuity_client.imports import Item
from continuity_client.imports.items import Keys, skipped, texts_of, without_empty

Row = Mapping[str, Any]
OBSERVER = "observer-sessions"
"""The project of claude-mem's own sessions with its model."""
_SUMMARY = ("request", "investigated", "learned", "completed", "next_steps", "notes")
_LEAST_MILLISECONDS = 100_000_000_000


class Sessions:
    """Sessions by their three ids: the agent's, that of claude-mem's own session, and the row's."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}
        self._projects: dict[str, str] = {}

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            name = session_name(row)
            self._names[("memory", str(_first(row, "memory_session_id", "sdk_session_id")))] = name
            self._names[("row", str(row.get("id")))] = name
            if project := project_of(row):
                self._projects.setdefault(name, project)

    def name(self, row: Row) -> str:
        """The session of a row: orphans name one that has no row."""
        own = _first(row, "content_session_id", "claude_session_id")
        if own:
            return str(own)
        memory = _first(row, "memory_session_id", "sdk_session_id")
        by_row = self._names.get(("row", str(row.get("session_db_id"))))
        return self._names.get(("memory", str(memory))) or by_row or str(memory or row.get("session_id") or "")

    def project(self, name: str) -> str:
        return self._projects.get(name, "")


class Rows:
    """Items of single rows."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._keys = Keys()

    def session(self, row: Row) -> Iterator[Item]:
        name = session_name(row)
        key = self._keys.key("session", name, row.get("platform_source"))
        if project_of(row) == OBSERVER:
            yield skipped(key, "observer_session")
            return
        yield without_empty(
            {
                "key": key,
                "kind": "session",
                "session_id": name,
                "project": project_of(row),
                "model": _text(row, "observed_model"),
                "title": _text(row, "custom_title") or _text(row, "title") or _text(row, "user_prompt"),
                "started_at": _date(row, "started_at", "created_at"),
                "ended_at": _date(row, "completed_at", "archived_at"),
            }
        )

    def prompt(self, row: Row) -> Iterator[Item]:
        content = _text(row, "prompt_text")
        name = self._sessions.name(row)
        key = self._keys.key("prompt", name, row.get("prompt_number"), row.get("created_at_epoch"), content)
        yield from self._of_session(row, name, key, "prompt", {"content": content})

    def tool_use(self, row: Row) -> Iterator[Item]:
        name = self._sessions.name(row)
        key = self._keys.key("tool", name, row.get("tool_use_id"))
        fields = {
            "tool_use_id": _text(row, "tool_use_id"),
            "tool_name": _text(row, "tool_name"),
            "tool_input": _text(row, "tool_input"),
            "tool_response": _text(row, "tool_response"),
            "agent_id": _text(row, "agent_id"),
        }
        yield from self._of_session(row, name, key, "tool_use", fields)

    def observation(self, row: Row) -> Iterator[Item]:
        narrative = _text(row, "narrative") or _text(row, "text")
        fields = {
            "type": _text(row, "type"),
            "title": _text(row, "title"),
            "subtitle": _text(row, "subtitle"),
            "narrative": narrative,
            "facts": texts_of(row.get("facts")),
            "concepts": texts_of(row.get("concepts")),
            "files": [*texts_of(row.get("files_modified")), *texts_of(row.get("files_read"))],
            "agent_id": _text(row, "agent_id"),
        }
        yield from self._noted(row, "observation", fields)

    def memory(self, row: Row) -> Iterator[Item]:
        """A memory of the first versions."""
        fields = {
            "type": "memory",
            "title": _text(row, "title"),
            "subtitle": _text(row, "subtitle"),
            "narrative": _text(row, "text"),
            "facts": texts_of(row.get("facts")),
            "concepts": texts_of(row.get("concepts")) or texts_of(row.get("keywords")),
            "files": texts_of(row.get("files_touched")),
        }
        yield from self._noted(row, "memory", fields)

    def diagnostic(self, row: Row) -> Iterator[Item]:
        fields = {
            "type": "diagnostic",
            "title": _text(row, "message"),
            "concepts": texts_of(row.get("severity")),
        }
        yield from self._noted(row, "diagnostic", fields)

    def summary(self, row: Row) -> Iterator[Item]:
        yield from self._summarized(row, {name: _text(row, name) for name in _SUMMARY})

    def overview(self, row: Row) -> Iterator[Item]:
        """A summary of the first versions, in one text."""
        yield from self._summarized(row, {"notes": _text(row, "content")})

    def _noted(self, row: Row, kind: str, fields: dict[str, Any]) -> Iterator[Item]:
        name = self._sessions.name(row) or f"claude-mem:{project_of(row)}"
        texts = (fields.get("type"), fields.get("title"), fields.get("narrative"))
        key = self._keys.key(kind, name, row.get("created_at_epoch"), *texts, *fields.get("facts", ()))
        yield from self._of_session(row, name, key, "observation", fields)

    def _summarized(self, row: Row, texts: dict[str, str]) -> Iterator[Item]:
        name = self._sessions.name(row)
        key = self._keys.key("summary", name, row.get("created_at_epoch"), *texts.values())
        yield from self._of_session(row, name, key, "summary", texts)

    def _of_session(self, row: Row, name: str, key: str, kind: str, fields: dict[str, Any]) -> Iterator[Item]:
        project = _text(row, "merged_into_project") or project_of(row) or self._sessions.project(name)
        if OBSERVER in (project, self._sessions.project(name)):
            yield skipped(key, "observer_session")
            return
        about = {"session_id": name, "project": os.path.basename(project.rstrip("/")) or project}
        number = row.get("prompt_number")
        yield without_empty(
            {"key": key, "kind": kind, **about, "number": number, "at": _date(row, "created_at"), **fields}
        )


def session_name(row: Row) -> str:
    """The id of a session's row."""
    own = ("content_session_id", "claude_session_id", "session_id", "memory_session_id", "sdk_session_id")
    return str(_first(row, *own) or f"claude-mem:{row.get('id')}")


def project_of(row: Row) -> str:
    return _text(row, "project").strip()


def _first(row: Row, *names: str) -> Any:
    return next((row[name] for name in names if row.get(name)), None)


def _text(row: Row, name: str) -> str:
    value = row.get(name)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _date(row: Row, *names: str) -> Any:
    """Milliseconds since 1970, or the date as text where the row has no number."""
    for name in names:
        epoch = row.get(f"{name}_epoch")
        if isinstance(epoch, (int, float)) and epoch > 0:
            return int(epoch if epoch >= _LEAST_MILLISECONDS else epoch * 1000)
        if row.get(name):
            return _text(row, name).replace("Z", "+00:00").replace(" ", "T", 1)
    return None
