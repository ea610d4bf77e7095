"""Sources to import from. Each is a module here with `read_items(path)`, which reads the source and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Callable, Optional

Item = Mapping[str, Any]
"""One item: `key`, unique in the source, `kind`, and what the kind needs."""

ReadItems = Callable[[Optional[str]], Iterator[Item]]

SOURCES = {
    "claude-mem": "claude_mem",
    "transcripts": "transcripts",
    "claude-memory": "claude_memory",
    "json": "json_export",
    "chatgpt": "chatgpt",
    "claude-ai": "claude_ai",
}


class SourceError(Exception):
    """A source that cannot be read; its text is a sentence with the next step."""


def reader_of(source: str) -> ReadItems:
    """The function that reads a source. Its argument is a path, or None for the usual place."""
    module = f"{__name__}.{SOURCES[source]}"
    try:
        read_items: ReadItems = import_module(module).read_items
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise SourceError(f"This version cannot import from {source}. Update the package continuity-client.") from None
    return read_items
