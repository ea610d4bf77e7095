"""Instructions to models are Markdown files beside the code that uses them.

    # Title · version 2
    ## changelog
    - 2: What is new.
    ## role
    Text of the part.

What is quoted to the model is never in a file: it comes as data (see `quoting`).
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
    """`changes` tells what each version brought, the newest first; `parts` are texts by name."""

    version: str
    changes: Mapping[str, str]
    parts: Mapping[str, str]

    def part(self, name: str, **values: object) -> str:
        """The text with `{name}` filled in."""
        text = self.parts[name]
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", str(value))
        return text


@cache
def prompt_file(path: Path) -> PromptFile:
    """Raises `ValueError` where the file has no version, or its changelog does not begin with it."""
    head, *rest = _PART.split(path.read_text(encoding="utf-8"))
    parts = {title.strip(): _joined(text) for title, text in zip(rest[::2], rest[1::2], strict=True)}
    version = _VERSION.match(head)
    changes = _changes(parts.pop(CHANGELOG, ""))
    if version is None or next(iter(changes), "") != version[1]:
        raise ValueError(f"{path.name}: its changelog must begin with its version")
    return PromptFile(version[1], MappingProxyType(changes), MappingProxyType(parts))


def _changes(text: str) -> dict[str, str]:
    pairs = (line.removeprefix("- ").split(": ", 1) for line in text.splitlines() if line.startswith("- "))
    return {version: told for version, told in pairs}


def _joined(text: str) -> str:
    """Without the breaks that keep lines short in the file: an indented line goes on with the one before it."""
    return re.sub(r"\n {2,}", " ", text.strip())
