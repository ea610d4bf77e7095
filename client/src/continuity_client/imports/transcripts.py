"""Read the transcripts of Claude Code; lines are sent without what the server would not store."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from typing import Any

from continuity_client.hook.redaction import cut, redacted, redacted_event
from continuity_client.imports import Item, SourceError
from continuity_client.imports.items import MOST_SIZE, problem

LONGEST_DAMAGED = 200_000
_LONGEST_RESULT, _LONGEST_ARGUMENT = 4_000, 1_000
# Of a text that is searched for secrets as a whole.
_LONGEST = 400_000
_AGENT, _FIRST_LINES = "agent-", 50
_UNUSED = ("toolUseResult", "snapshot", "attachment", "data", "wireToolUseResult")


def read_items(path: str | None) -> Iterator[Item]:
    """One item for each file of a session or of a subagent, or several for a long one."""
    root = os.path.expanduser(path) if path else projects_directory()
    if not os.path.exists(root):
        raise SourceError(f"There are no transcripts at {root}. Name their place with --path.")
    files = [root] if os.path.isfile(root) else [*transcript_files(root), *lone_subagent_files(root)]
    for file in files:
        yield from _lone_subagent_items(file) if _is_subagents(os.path.basename(file)) else _session_items(file)


def _session_items(file: str) -> Iterator[Item]:
    session_id = os.path.splitext(os.path.basename(file))[0]
    project = os.path.basename(os.path.dirname(file))
    yield from _items(file, session_id, project)
    for subagent in _subagents(file):
        yield from _subagent_items(subagent, session_id, project)


def _lone_subagent_items(file: str) -> Iterator[Item]:
    session_id = _session_of(file)
    if session_id:
        yield from _subagent_items(file, session_id, os.path.basename(os.path.dirname(file)))
    else:
        yield problem(
            f"file:{os.path.basename(file)}", "no_session", f"{file} does not name the session of its subagent"
        )


def _items(file: str, name: str, project: str) -> Iterator[Item]:
    try:
        with open(file, "rb") as lines:
            yield from transcript_items(name, lines, project)
    except OSError as error:
        yield problem(name, "unreadable_file", f"{file}: {error.strerror}")


def _subagent_items(file: str, session_id: str, project: str) -> Iterator[Item]:
    name = os.path.splitext(os.path.basename(file))[0]
    described = {"session_id": session_id, "agent_id": name[len(_AGENT) :], "agent_type": _agent_type(file)}
    for item in _items(file, f"{session_id}/{name}", project):
        yield {**item, **described} if item["kind"] == "transcript" else item


def _agent_type(file: str) -> str:
    try:
        with open(f"{os.path.splitext(file)[0]}.meta.json", encoding="utf-8") as described:
            value = json.load(described)
    except (OSError, ValueError, RecursionError):
        return ""
    kind = value.get("agentType") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else ""


def projects_directory() -> str:
    """Where Claude Code stores what belongs to projects."""
    usual = os.path.join(os.path.expanduser("~"), ".claude")
    return os.path.join(os.environ.get("CLAUDE_CONFIG_DIR") or usual, "projects")


def transcript_items(session_id: str, lines: Iterable[bytes], project: str, prefix: str = "") -> Iterator[Item]:
    """A transcript as items of whole lines; a file that grew has the same first items."""
    part = _Part(1)
    number, size = 0, 0
    for place, line in enumerate(lines, start=1):
        entry, length = _entry(line, part.damaged, place)
        if part.lines and size + length > MOST_SIZE:
            number += 1
            yield part.item(session_id, number, project, prefix)
            part, size = _Part(place), 0
        part.lines.append(entry)
        size += length
    if part.lines:
        yield part.item(session_id, number + 1, project, prefix)


class _Part:
    """Lines that are sent together."""

    def __init__(self, first_line: int) -> None:
        self.first_line = first_line
        self.lines: list[Any] = []
        self.damaged: list[dict[str, Any]] = []

    def item(self, session_id: str, number: int, project: str, prefix: str) -> Item:
        end = self.first_line + len(self.lines)
        key = f"{prefix}{session_id}" if number == 1 else f"{prefix}{session_id}:{number}"
        return {
            "key": key,
            "kind": "transcript",
            "session_id": session_id,
            "project": project,
            "first_line": self.first_line,
            "lines": self.lines,
            "damaged": [one for one in self.damaged if one["line"] < end],
        }


def _entry(line: bytes, damaged: list[dict[str, Any]], number: int) -> tuple[Any, int]:
    """A line's object, or its text if it is damaged, and about how long it is."""
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        text = line.decode("utf-8", "replace")
        damaged.append({"line": number, "code": "not_utf8", "detail": f"byte {error.start} is not UTF-8"})
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        text = cut(redacted(text.strip("\r\n"), _LONGEST), LONGEST_DAMAGED)
        return text, len(text)
    entry = _shortened(value)
    return entry, len(json.dumps(entry))


def _shortened(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry without copies of results, reasoning and images, and with long results cut."""
    entry = {name: value for name, value in entry.items() if name not in _UNUSED}
    message = entry.get("message")
    if isinstance(message, dict) and isinstance(message.get("content"), list):
        entry["message"] = {**message, "content": [_block(block) for block in message["content"]]}
    return entry


def _block(block: Any) -> Any:
    if not isinstance(block, dict):
        return block
    kind = block.get("type")
    if kind in ("thinking", "redacted_thinking", "image", "document"):
        return {"type": kind}
    if kind == "tool_use":
        return {**block, "input": _cut(redacted_event(block.get("input"), longest=_LONGEST), _LONGEST_ARGUMENT)}
    if kind == "tool_result":
        return {**block, "content": _result(block.get("content"))}
    return block


def _result(content: Any) -> Any:
    content = redacted_event(content, longest=_LONGEST)
    if isinstance(content, list):
        return [_cut(part, _LONGEST_RESULT) for part in content if _is_text(part)]
    return _cut(content, _LONGEST_RESULT)


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "text"


def _cut(value: Any, longest: int) -> Any:
    """A value whose texts have their beginning and end only. Its secrets are gone: nobody recognizes half of one."""
    if isinstance(value, str):
        return cut(value, longest)
    if isinstance(value, dict):
        return {name: _cut(inner, longest) for name, inner in value.items()}
    if isinstance(value, list):
        return [_cut(inner, longest) for inner in value]
    return value


def transcript_files(root: str) -> Iterator[str]:
    """The transcripts below a folder, without those of subagents."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in ("subagents", "memory"))
        wanted = [file for file in sorted(files) if file.endswith(".jsonl") and not file.startswith(_AGENT)]
        yield from (os.path.join(folder, file) for file in wanted)


def _subagents(file: str) -> Iterator[str]:
    """The files of a session's subagents, also of those that a workflow started."""
    for folder, folders, files in os.walk(os.path.join(os.path.splitext(file)[0], "subagents")):
        folders.sort()
        yield from (os.path.join(folder, name) for name in sorted(files) if _is_subagents(name))


def lone_subagent_files(root: str) -> Iterator[str]:
    """The files of subagents without a session's file: older versions wrote them beside it, and it may be missing."""
    for folder, folders, files in os.walk(root):
        has_session = os.path.isfile(f"{folder}.jsonl")
        folders[:] = sorted(name for name in folders if name != "memory" and not (has_session and name == "subagents"))
        yield from (os.path.join(folder, name) for name in sorted(files) if _is_subagents(name))


def _is_subagents(name: str) -> bool:
    return name.startswith(_AGENT) and name.endswith(".jsonl")


def _session_of(file: str) -> str:
    """The session that a file's first entries name."""
    try:
        with open(file, "rb") as lines:
            for _, line in zip(range(_FIRST_LINES), lines):
                try:
                    entry = json.loads(line)
                except (ValueError, RecursionError):
                    continue
                if isinstance(entry, dict) and isinstance(entry.get("sessionId"), str) and entry["sessionId"]:
                    return str(entry["sessionId"])
    except OSError:
        pass
    return ""
