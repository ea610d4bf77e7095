"""The archive of what an agent's tools did in a session, compiled from its observations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.engine.language.similarity import normalized
from apps.engine.memory.tiers import abstract
from apps.engine.summary.trust.prompt_injection import orders_the_model

LONGEST = 12_000
"""Characters of the archive."""
_MOST_LINES, _LONGEST_LINE = 40, 200
_UNTITLED = "Session"
_ORDER = ("Failures", "Notes", "Files", "Subagents", "Compactions", "Tasks", "Other", "Tools")
_SECTIONS = {
    "imported": "Notes",
    "subagent": "Subagents",
    "compaction": "Compactions",
    "task": "Tasks",
    "notification": "Other",
    "permission": "Other",
    "setting": "Other",
}


@dataclass(frozen=True, slots=True)
class Seen:
    """An observation as plain data; `message_id` is empty if no message has it."""

    kind: str
    title: str
    digest: str
    tool_name: str = ""
    files: tuple[str, ...] = ()
    is_error: bool = False
    message_id: str = ""


def observations_overview(title: str, observations: Sequence[Seen]) -> str:
    """Compile the archive, the newest observations of a section last; empty without observations.

    >>> edit = Seen("tool", "Edit app.py", "done", "Edit", ("app.py",))
    >>> test = Seen("tool_failure", "Bash make test", "1 failed", "Bash", is_error=True)
    >>> print(observations_overview("Shop", [edit, edit, test]))
    # Shop
    <BLANKLINE>
    ## Failures
    - Bash make test: 1 failed
    <BLANKLINE>
    ## Files
    - app.py (Edit 2)
    <BLANKLINE>
    ## Tools
    - Bash 1, Edit 2
    >>> print(observations_overview("Shop", [Seen("imported", "The cart lost items", "Its key had no prefix.")]))
    # Shop
    <BLANKLINE>
    ## Notes
    - The cart lost items: Its key had no prefix.
    """
    sections: dict[str, list[str]] = {heading: [] for heading in _ORDER}
    for heading, line in _lines(observations):
        if not orders_the_model(line):
            sections[heading].append(line)
    filled = [(heading, list(dict.fromkeys(lines))[-_MOST_LINES:]) for heading, lines in sections.items() if lines]
    if not filled:
        return ""
    parts = ["\n".join([f"## {heading}", *(f"- {line}" for line in lines)]) for heading, lines in filled]
    return _bounded("\n\n".join([f"# {normalized(title) or _UNTITLED}", *parts]))


def _lines(observations: Sequence[Seen]) -> Iterator[tuple[str, str]]:
    for one in observations:
        if one.is_error:
            yield "Failures", _line(one.title, abstract(one.digest))
        elif heading := _SECTIONS.get(one.kind):
            yield heading, _line(one.title, abstract(one.digest))
    yield from (("Files", line) for line in _files(observations))
    if tools := Counter(one.tool_name for one in observations if one.tool_name):
        yield "Tools", ", ".join(f"{name} {count}" for name, count in sorted(tools.items()))


def _files(observations: Iterable[Seen]) -> Iterator[str]:
    """Each file with the tools that were used on it, the one that was used last at the end."""
    uses: dict[str, Counter[str]] = {}
    for one in observations:
        for path in one.files:
            uses[path] = uses.pop(path, Counter()) + Counter([one.tool_name or one.kind])
    for path, tools in uses.items():
        yield f"{path} ({', '.join(f'{name} {count}' for name, count in sorted(tools.items()))})"


def _line(title: str, more: str) -> str:
    text = normalized(f"{title}: {more}" if more else title)
    return text if len(text) <= _LONGEST_LINE else f"{text[: _LONGEST_LINE - 1]}…"


def _bounded(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return text[: text.rfind("\n", 0, LONGEST)]
