"""Read the memory files that Claude Code writes by itself: Markdown with a head of fields, and their index."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from datetime import datetime, timezone

from continuity_client.imports import Item, SourceError
from continuity_client.imports.items import Keys, problem, without_empty
from continuity_client.imports.transcripts import projects_directory

INDEX, FOLDER = "MEMORY.md", "memory"
_LINK = re.compile(r"^\s*(?:[-*]\s+)?.{0,200}?\]\([^)]+\.md\)")
_HEAD = re.compile(r"\A---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^[ \t]*([\w-]+):[ \t]*(.*)$", re.MULTILINE)
_FIRST_LINES = 50


def read_items(path: str | None) -> Iterator[Item]:
    """One item for each file, and one for what an index says itself."""
    root = os.path.abspath(os.path.expanduser(path) if path else projects_directory())
    if not os.path.exists(root):
        raise SourceError(f"There are no memory files at {root}. Name their place with --path.")
    keys = Keys()
    for file in [root] if os.path.isfile(root) else _files(root):
        name = os.path.join(os.path.basename(os.path.dirname(os.path.dirname(file))), os.path.basename(file))
        key = keys.key("memory", name)
        try:
            yield from _items(file, key)
        except OSError as error:
            yield problem(key, "unreadable_file", f"{file}: {error.strerror}")


def _files(root: str) -> Iterator[str]:
    """Markdown files in folders of memories, or right in the given one."""
    for folder, _, files in sorted(os.walk(root)):
        is_memory = FOLDER in os.path.relpath(folder, os.path.dirname(root)).split(os.sep) or INDEX in files
        yield from (os.path.join(folder, file) for file in sorted(files) if is_memory and file.lower().endswith(".md"))


def _items(file: str, key: str) -> Iterator[Item]:
    with open(file, encoding="utf-8-sig", errors="replace") as opened:
        text = opened.read()
    fields, body = fields_and_body(text)
    if os.path.basename(file) == INDEX:
        body = "\n".join(line for line in body.splitlines() if not _LINK.match(line) and not line.startswith("#"))
    description = fields.get("description", "")
    content = body.strip() if description in body else f"{description}\n\n{body.strip()}".strip()
    if not content:
        return
    modified = fields.get("modified") or datetime.fromtimestamp(os.path.getmtime(file), timezone.utc).isoformat()
    yield without_empty(
        {
            "key": key,
            "kind": "memory",
            "name": fields.get("name") or os.path.splitext(os.path.basename(file))[0],
            "type": fields.get("type", ""),
            "folder": project_name(os.path.dirname(os.path.dirname(file))),
            "content": content,
            "at": modified.replace("Z", "+00:00"),
            "session_id": fields.get("originSessionId", ""),
        }
    )


def fields_and_body(text: str) -> tuple[dict[str, str], str]:
    """The fields of a file's head, those below `metadata:` included, and the text after it.

    >>> fields_and_body("---\\nname: tabs\\nmetadata:\\n  type: feedback\\n---\\nUse tabs.")
    ({'name': 'tabs', 'type': 'feedback'}, 'Use tabs.')
    """
    head = _HEAD.match(text)
    if head is None:
        return {}, text
    fields = {name: value.strip(" \t").strip("\"'") for name, value in _FIELD.findall(head.group(1)) if value.strip()}
    return fields, text[head.end() :]


def project_name(folder: str) -> str:
    """The name of a project's directory: as its transcripts have it, since the folder's own name replaces signs."""
    try:
        files = [file for file in sorted(os.listdir(folder)) if file.endswith(".jsonl")]
    except OSError:
        files = []
    for file in files[:5]:
        cwd = _working_directory(os.path.join(folder, file))
        if cwd:
            return os.path.basename(cwd.replace("\\", "/").rstrip("/"))
    return os.path.basename(folder).rsplit("-", 1)[-1]


def _working_directory(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            for _, line in zip(range(_FIRST_LINES), lines):
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue
                if isinstance(entry, dict) and isinstance(entry.get("cwd"), str) and entry["cwd"]:
                    return str(entry["cwd"])
    except OSError:
        pass
    return ""
