"""A profile that its person has edited: their lines stay as they are, and what they removed does not return."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from apps.engine.extraction.relational.profile import ProfileLine, heading, profile_text
from apps.engine.extraction.relational.traits import TRAITS, Section, trait_of

_LINE = re.compile(r"- (.+) \(seen in \d+ chats?, last on \d{4}-\d\d-\d\d\)")
# In the place of a line in the history; it still tells that its trait had one.
_REMOVED, _REMOVED_LINE = "- [removed: {trait}]", re.compile(r"- \[removed: (\w+)\]")


@dataclass(frozen=True, slots=True)
class Edition:
    """The profile's text as somebody wrote it: the extractor, or a person."""

    text: str
    by_person: bool


def profile_content(editions: Sequence[Edition], lines: Sequence[ProfileLine]) -> str:
    """The profile's new text; `editions` are all its texts until now, oldest first."""
    if not any(edition.by_person for edition in editions):
        return profile_text(lines)
    removed = removed_traits(editions)
    return _updated(editions[-1].text, [line for line in lines if line.trait not in removed])


def supported_text(text: str, statements: Collection[str]) -> str:
    """The text without lines of the extractor that state something else; never empty.

    >>> line = "- Wants {} replies (seen in 1 chat, last on 2026-11-20)"
    >>> text = "\\n".join(["Likes tea", line.format("short"), line.format("detailed")])
    >>> supported_text(text, ["Wants short replies"])
    'Likes tea\\n- Wants short replies (seen in 1 chat, last on 2026-11-20)'
    """
    lines = text.splitlines()
    return _joined(line for line in lines if not _trait_in(line) or _statement_in(line) in statements)


def supported_history(text: str, statements: Collection[str]) -> str:
    """An earlier text with the trait in the place of each line of the extractor that states something else.

    >>> supported_history("- Wants to be called Sam (seen in 1 chat, last on 2026-11-20)", [])
    '- [removed: name]'
    """
    lines = text.splitlines()
    written = [_supported(line, statements) for line in lines]
    return text if written == lines else "\n".join(written)


def _supported(line: str, statements: Collection[str]) -> str:
    trait = _trait_in(line)
    return line if not trait or _statement_in(line) in statements else _REMOVED.format(trait=trait)


def removed_traits(editions: Iterable[Edition]) -> frozenset[str]:
    """The traits whose lines a person removed or rewrote.

    >>> line = "- Wants short replies (seen in 1 chat, last on 2026-11-20)"
    >>> sorted(removed_traits([Edition(line, False), Edition("- Long ones", True), Edition("- Long ones", False)]))
    ['length']
    """
    removed: set[str] = set()
    before: set[str] = set()
    for edition in editions:
        now = {trait for line in edition.text.splitlines() if (trait := _trait_in(line))}
        if edition.by_person:
            removed = (removed | (before - now)) - now
        before = now
    return frozenset(removed)


def _trait_in(line: str) -> str:
    """The trait of a line that the extractor wrote; empty for a person's."""
    if removed := _REMOVED_LINE.fullmatch(line.strip()):
        return removed.group(1) if removed.group(1) in TRAITS else ""
    return trait_of(_statement_in(line))


def _statement_in(line: str) -> str:
    found = _LINE.fullmatch(line.strip())
    return found.group(1) if found else ""


def _joined(lines: Iterable[str]) -> str:
    """Join them; a memory is not empty."""
    return "\n".join(lines).strip() or heading(Section.ANSWERS)


def _updated(text: str, lines: Sequence[ProfileLine]) -> str:
    """Replace the extractor's lines in a text by the new ones, and add those that are not in it to their sections."""
    new = {line.trait: line for line in lines}
    written: list[str] = []
    for line in text.splitlines():
        if trait := _trait_in(line):
            if trait in new:
                written.append(new.pop(trait).text)
        else:
            written.append(line)
    for added in new.values():
        _insert(written, added)
    return _joined(written)


def _insert(written: list[str], line: ProfileLine) -> None:
    """Insert a line after the last of its section, which is added at the end if it is missing."""
    title = heading(line.section)
    if title not in written:
        written += ["", title] if written else [title]
    place = written.index(title) + 1
    while place < len(written) and written[place].startswith("- "):
        place += 1
    written.insert(place, line.text)
