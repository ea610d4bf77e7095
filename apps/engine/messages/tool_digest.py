"""Digests of a tool's input and result: readable text, shortened to what a later reader needs.

A digest has the head and the tail of a result, and lines in between with errors, paths and identifiers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apps.engine.language.excerpt import shortened
from apps.engine.language.similarity import normalized

LONGEST_RESULT = 6_000
"""Characters of a result that a message stores."""
LONGEST_SUMMARY = 600
"""Characters of the digest that a result offers as its summary."""
_LONGEST_INPUT, _LONGEST_TITLE, _LONGEST_PATH = 4_000, 160, 400
_MOST_FILES, _MOST_DEPTH = 20, 6
_PATH_NAMES = ("file_path", "filePath", "path", "notebook_path", "absolute_path", "filename", "file")
_PATH_LISTS = ("files", "paths", "file_paths")
_TITLE_NAMES = (
    *("file_path", "filePath", "notebook_path", "absolute_path", "command", "cmd", "pattern", "query", "url"),
    *("description", "path", "prompt", "skill", "name"),
)
_RESULT_TEXTS = ("stdout", "stderr", "output", "llmContent", "content", "text", "result", "error", "message")
_ERROR = re.compile(
    r"\b(?:error|exception|traceback|fail(?:ed|ure)?|fatal|panic|denied|not found|cannot|undefined|assert\w*)\b"
    r"|\w(?:Error|Exception)\b|^E\s",
    re.IGNORECASE,
)


def result_text(value: Any, depth: int = 0) -> str:
    """The text of a tool's result: its streams or text blocks if it has some, else JSON.

    >>> result_text({"stdout": "ok", "stderr": "", "interrupted": False})
    'ok'
    >>> result_text([{"type": "text", "text": "one"}, {"type": "image", "source": {}}])
    'one\\n[image]'
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list) and depth < _MOST_DEPTH:
        return "\n".join(part for item in value if (part := _block(item, depth)))
    if isinstance(value, dict) and depth < _MOST_DEPTH:
        parts = [result_text(value[name], depth + 1) for name in _RESULT_TEXTS if value.get(name)]
        return "\n".join(part for part in parts if part) if parts else json_text(value)
    return json_text(value)


def json_text(value: Any) -> str:
    """The value as JSON in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "), default=str)


def result_digest(text: str, most: int = LONGEST_RESULT) -> str:
    """The result in at most so many characters; lines with errors come before other ones.

    >>> log = "step of the build\\n" * 900 + "AssertionError: 3 != 4\\n" + "done\\n" * 900
    >>> digest = result_digest(log, 600)
    >>> len(digest) <= 600, "AssertionError: 3 != 4" in digest
    (True, True)
    """
    return shortened(text, f"[… shortened, {len(text)} characters in all …]", most, first=_ERROR)


def input_digest(value: Any) -> str:
    """A tool's input as JSON; long texts in it are shortened so that it stays one valid value.

    >>> input_digest({"command": "ls", "limit": 3})
    '{"command": "ls", "limit": 3}'
    """
    for most in (_LONGEST_INPUT, 800, 200, 60):
        text = json_text(_bounded(value, most))
        if len(text) <= _LONGEST_INPUT + most:
            return text
    return json_text({"shortened": result_digest(text, _LONGEST_INPUT)})


def tool_title(name: str, value: Any) -> str:
    """One line that names what a tool did.

    >>> tool_title("Edit", {"file_path": "apps/x.py", "old_string": "a"})
    'Edit apps/x.py'
    """
    said = value if isinstance(value, str) else ""
    if isinstance(value, Mapping):
        said = next((value[key] for key in _TITLE_NAMES if isinstance(value.get(key), str) and value[key]), "")
    title = normalized(f"{name} {said}") or "Tool"
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"


def files_in(value: Any) -> tuple[str, ...]:
    """The paths that a tool's input names, at most 20.

    >>> files_in({"file_path": "a.py", "edits": [{"path": "b.py"}]})
    ('a.py', 'b.py')
    """
    return tuple(dict.fromkeys(_paths(value, 0)))[:_MOST_FILES]


def _paths(value: Any, depth: int) -> Iterator[str]:
    if depth > _MOST_DEPTH:
        return
    if isinstance(value, list):
        for item in value[:_MOST_FILES]:
            yield from _paths(item, depth + 1)
    if not isinstance(value, Mapping):
        return
    yield from (value[name] for name in _PATH_NAMES if _is_path(value.get(name)))
    for name in _PATH_LISTS:
        listed = value.get(name)
        yield from (path for path in (listed if isinstance(listed, list) else ()) if _is_path(path))
    for inner in value.values():
        yield from _paths(inner, depth + 1)


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_PATH and "\n" not in value


def _block(item: Any, depth: int) -> str:
    if isinstance(item, Mapping) and isinstance(item.get("type"), str) and not item.get("text"):
        inner = item.get("content")
        return result_text(inner, depth + 1) if inner else f"[{item['type']}]"
    return result_text(item, depth + 1)


def _bounded(value: Any, most: int, depth: int = 0) -> Any:
    if isinstance(value, str):
        return result_digest(value, most)
    if depth >= _MOST_DEPTH and isinstance(value, dict | list):
        return "…"
    if isinstance(value, Mapping):
        return {name[:100]: _bounded(inner, most, depth + 1) for name, inner in _first(list(value.items()))}
    if isinstance(value, list):
        return [_bounded(inner, most, depth + 1) for inner in _first(value)]
    return value


def _first(items: Sequence[Any]) -> Sequence[Any]:
    return items[:50]
