"""The short tiers of a directory, made of those of what is in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.engine.language.similarity import normalised
from apps.engine.language.truncation import truncated
from apps.engine.memory.tiers import ABSTRACT_TOKENS, OVERVIEW_TOKENS
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN

_PART_TOKENS = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a directory, by its name and its own abstract."""

    name: str
    abstract: str


def folder_abstract(entries: Sequence[Entry]) -> str:
    """One line of what is in there, as much as fits.

    >>> folder_abstract([Entry("limit", "100 calls a minute."), Entry("owner", "Lena.")])
    '100 calls a minute; Lena'
    """
    told = (normalised(entry.abstract).rstrip(".") or entry.name for entry in entries)
    return truncated("; ".join(told), ABSTRACT_TOKENS)


def folder_overview(entries: Sequence[Entry], more: int = 0) -> str:
    """A list of what is in there by name, and how much more there is.

    >>> print(folder_overview([Entry("limit", "100 calls a minute."), Entry("owner", "")], more=2))
    - limit: 100 calls a minute.
    - owner
    - and 2 more
    """
    room = OVERVIEW_TOKENS * CHARACTERS_PER_TOKEN - len(_rest(more + len(entries)))
    lines: list[str] = []
    for entry in entries:
        line = f"- {entry.name}: {truncated(normalised(entry.abstract), _PART_TOKENS)}".removesuffix(": ")
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    left = more + len(entries) - len(lines)
    return "\n".join([*lines, *([_rest(left)] if left else [])])


def _rest(count: int) -> str:
    return f"- and {count:,} more"
