"""Prompt templates: Markdown files next to the code that uses them.

    # Title · version 2
    ## changelog
    - 2: Description of the change.
    ## role
    Text of the part.

Quoted content is never part of a template; it is passed as data (see `data_blocks`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

_VERSION = re.compile(r"# .+ · version (\S+)")
_PART = re.compile(r"^## (.+)$", re.MULTILINE)
CHANGELOG = "changelog"


@dataclass(frozen=True, slots=True)
class PromptFile:
    """A parsed template: `changes` by version, newest first, and `parts`, the texts by name."""

    version: str
    changes: Mapping[str, str]
    parts: Mapping[str, str]

    def part(self, name: str, **values: object) -> str:
        """The text of a part, with placeholders `{name}` replaced."""
        text = self.parts[name]
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", str(value))
        return text


@cache
def prompt_file(path: Path) -> PromptFile:
    """Parse a template; raises `ValueError` if it has no version or its changelog does not begin with it."""
    head, *rest = _PART.split(path.read_text(encoding="utf-8"))
    parts = {title.strip(): _joined(text) for title, text in zip(rest[::2], rest[1::2], strict=True)}
    version = _VERSION.match(head)
    changes = _changes(parts.pop(CHANGELOG, ""))
    if version is None or next(iter(changes), "") != version[1]:
        raise ValueError(f"{path.name}: its changelog must begin with its version")
    return PromptFile(version[1], MappingProxyType(changes), MappingProxyType(parts))


def _changes(text: str) -> dict[str, str]:
    pairs = (line.removeprefix("- ").split(": ", 1) for line in text.splitlines() if line.startswith("- "))
    return {version: text for version, text in pairs}


def _joined(text: str) -> str:
    """Join wrapped lines: an indented line continues the previous one."""
    return re.sub(r"\n {2,}", " ", text.strip())
