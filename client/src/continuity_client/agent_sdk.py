"""A `SessionStore` for the Claude Agent SDK: transcripts in a folder, and events for the server.

>>> from claude_agent_sdk import ClaudeAgentOptions  # doctest: +SKIP
>>> options = ClaudeAgentOptions(session_store=ContinuitySessionStore())  # doctest: +SKIP
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from typing import Any

from continuity_client.home import home, read_settings
from continuity_client.hook.detached import start_sender
from continuity_client.hook.recording import record_event
from continuity_client.transcripts_folder import Entry, Key, TranscriptsFolder

CLIENT = "claude-code"
FINAL = ("end_turn", "stop_sequence", "max_tokens", "refusal")
MOST_OPEN_CALLS = 1_000


class ContinuitySessionStore:
    """Mirrors an application's sessions. Without a paired server it only stores transcripts.

    Do not use it together with hooks of the command `continuity`: each prompt would be recorded twice.
    """

    def __init__(self, folder: str = "", cwd: str = "") -> None:
        self._transcripts = TranscriptsFolder(folder or os.path.join(home(), "transcripts"))
        self._cwd = cwd or os.getcwd()
        self._calls: dict[str, tuple[str, Any]] = {}

    async def append(self, key: Key, entries: list[Entry]) -> None:
        """Store entries; one that was stored before, by its uuid, is skipped."""
        await asyncio.to_thread(self._append, key, entries)

    async def load(self, key: Key) -> list[Entry] | None:
        """All entries of a transcript in their order, or None."""
        return await asyncio.to_thread(self._transcripts.load, key)

    async def list_sessions(self, project_key: str) -> list[dict[str, Any]]:
        """The sessions of a project with the time of their last change."""
        return await asyncio.to_thread(self._transcripts.sessions, project_key)

    async def delete(self, key: Key) -> None:
        """Delete a transcript; the main one with those of its subagents. The server's session stays."""
        await asyncio.to_thread(self._transcripts.delete, key)

    async def list_subkeys(self, key: Key) -> list[str]:
        """The subpaths of a session's other transcripts."""
        return await asyncio.to_thread(self._transcripts.subkeys, key)

    def _append(self, key: Key, entries: list[Entry]) -> None:
        is_new = not self._transcripts.exists(key)
        added = self._transcripts.append(key, entries)
        settings = read_settings()
        if settings is None or key.get("subpath") or not added:
            return
        head = {"session_id": key["session_id"], "cwd": self._cwd}
        events = [{"hook_event_name": "SessionStart", "source": "startup"}] if is_new else []
        events += [event for entry in added for event in self._events_of(entry)]
        stored = [record_event(settings, CLIENT, {**head, **event}) for event in events]
        for root in {one.root for one in stored if one}:
            start_sender(root, may_fork=False)

    def _events_of(self, entry: Entry) -> Iterator[dict[str, Any]]:
        """What an entry is in the dialect of hooks."""
        message = entry.get("message")
        if not isinstance(message, Mapping) or entry.get("isSidechain") or entry.get("isMeta"):
            return
        blocks = _blocks(message.get("content"))
        text = "\n".join(str(block["text"]) for block in blocks if block.get("type") == "text" and block.get("text"))
        if entry.get("type") == "assistant":
            self._remember_calls(blocks)
            if text and message.get("stop_reason") in FINAL:
                yield {"hook_event_name": "Stop", "last_assistant_message": text, "prompt_id": entry.get("uuid")}
        elif entry.get("type") == "user" and entry.get("isCompactSummary"):
            yield {"hook_event_name": "PostCompact", "trigger": "auto", "compact_summary": text}
        elif entry.get("type") == "user":
            yield from self._results(blocks)
            if text:
                yield {"hook_event_name": "UserPromptSubmit", "prompt": text, "prompt_id": entry.get("uuid")}

    def _remember_calls(self, blocks: list[Mapping[str, Any]]) -> None:
        """Remember calls of tools until their results arrive."""
        for block in blocks:
            if block.get("type") == "tool_use":
                self._calls[str(block.get("id"))] = (str(block.get("name", "")), block.get("input"))
        while len(self._calls) > MOST_OPEN_CALLS:
            del self._calls[next(iter(self._calls))]

    def _results(self, blocks: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        for block in blocks:
            if block.get("type") != "tool_result":
                continue
            call_id = str(block.get("tool_use_id"))
            name, given = self._calls.pop(call_id, ("", None))
            event = {"tool_name": name, "tool_input": given, "tool_use_id": call_id}
            if block.get("is_error"):
                yield {"hook_event_name": "PostToolUseFailure", **event, "error": block.get("content")}
            else:
                yield {"hook_event_name": "PostToolUse", **event, "tool_response": block.get("content")}


def _blocks(content: Any) -> list[Mapping[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []
