"""Abstract and overview of a directory, composed from the abstracts of its entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.engine.language.similarity import normalized
from apps.engine.language.truncation import truncated
from apps.engine.memory.tiers import ABSTRACT_TOKENS, OVERVIEW_TOKENS
from apps.engine.tokens.counting import CHARACTERS_PER_TOKEN

_PART_TOKENS = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a directory: its name, empty if its abstract is enough, and its abstract."""

    name: str
    abstract: str


def directory_abstract(entries: Sequence[Entry]) -> str:
    """Compose a one-line abstract of as many entries as fit.

    >>> directory_abstract([Entry("limit", "100 calls a minute."), Entry("owner", "Lena.")])
    '100 calls a minute; Lena'
    """
    abstracts = (normalized(entry.abstract).rstrip(".") or entry.name for entry in entries)
    return truncated("; ".join(abstracts), ABSTRACT_TOKENS)


def directory_overview(entries: Sequence[Entry], more: int = 0) -> str:
    """Compose a list of the entries, with the number of those that did not fit.

    >>> print(directory_overview([Entry("limit", "100 calls a minute."), Entry("owner", "")], more=2))
    - limit: 100 calls a minute.
    - owner
    - and 2 more
    >>> directory_overview([Entry("", "Prefers tea.")])
    '- Prefers tea.'
    """
    remaining = OVERVIEW_TOKENS * CHARACTERS_PER_TOKEN - len(_rest(more + len(entries)))
    lines: list[str] = []
    for entry in entries:
        line = f"- {_described(entry)}"
        remaining -= len(line) + 1
        if remaining < 0:
            break
        lines.append(line)
    left = more + len(entries) - len(lines)
    return "\n".join([*lines, *([_rest(left)] if left else [])])


def _described(entry: Entry) -> str:
    return ": ".join(filter(None, (entry.name, truncated(normalized(entry.abstract), _PART_TOKENS))))


def _rest(count: int) -> str:
    return f"- and {count:,} more"
