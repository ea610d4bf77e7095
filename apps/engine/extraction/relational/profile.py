"""The relational profile: lines that add up over conversations, each with the messages that show it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from apps.engine.extraction.relational.traits import TRAITS, Section, statement_of

_COUNTED = "(seen in {count} {chats}, last on {date})"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A message that shows a trait's value. `fingerprint` is of its content: a copy of it is the same evidence.

    `session` names the conversation by its content; `index` is the message's place in it.
    """

    trait: str
    value: str
    fingerprint: str
    session: str
    message_id: str
    at: datetime
    index: int = 0

    @property
    def order(self) -> tuple[datetime, int, str]:
        return self.at, self.index, self.fingerprint


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """A trait's current value; `message_ids` are its evidence, newest first."""

    trait: str
    value: str
    sessions: int
    last: datetime
    message_ids: tuple[str, ...]

    @property
    def section(self) -> Section:
        return TRAITS[self.trait].section

    @property
    def text(self) -> str:
        """The line in the profile.

        >>> from datetime import UTC
        >>> ProfileLine("length", "short", 3, datetime(2026, 11, 20, tzinfo=UTC), ("m",)).text
        '- Wants short replies (seen in 3 chats, last on 2026-11-20)'
        """
        chats = "chat" if self.sessions == 1 else "chats"
        counted = _COUNTED.format(count=self.sessions, chats=chats, date=self.last.date().isoformat())
        return f"- {statement_of(self.trait, self.value)} {counted}"


def merged(*profiles: Iterable[Evidence]) -> list[Evidence]:
    """All evidence of several profiles, oldest first; the same evidence counts once."""
    found = {(one.trait, one.value, one.fingerprint): one for profile in profiles for one in profile}
    return sorted(found.values(), key=lambda one: one.order)


def profile_lines(evidence: Iterable[Evidence]) -> list[ProfileLine]:
    """One line for each trait, in the order of the traits; the newest evidence decides between contrary values."""
    by_trait: dict[str, list[Evidence]] = defaultdict(list)
    for one in merged(evidence):
        by_trait[one.trait].append(one)
    return [_line(by_trait[trait]) for trait in TRAITS if trait in by_trait]


def profile_text(lines: Sequence[ProfileLine]) -> str:
    """The profile as Markdown, a section for each kind of trait."""
    sections = {section: [line.text for line in lines if line.section is section] for section in Section}
    return "\n\n".join("\n".join([heading(section), *texts]) for section, texts in sections.items() if texts)


def heading(section: Section) -> str:
    return f"## {section.value}"


def _line(evidence: Sequence[Evidence]) -> ProfileLine:
    newest = evidence[-1]
    same = [one for one in evidence if one.value == newest.value]
    return ProfileLine(
        trait=newest.trait,
        value=newest.value,
        sessions=len({one.session for one in same}),
        last=newest.at,
        message_ids=tuple(dict.fromkeys(one.message_id for one in reversed(same))),
    )
