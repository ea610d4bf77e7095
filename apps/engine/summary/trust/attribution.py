"""Attribution of the lines of a summary: to a person, or only to an assistant or a tool.

An assistant repeats what pages, files and tools say. What it said is a decision, requirement or plan only if a person
took it over: by saying as much, or by agreeing. The sources of each line decide, whoever wrote the summary.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from apps.engine.language.cue_classifier import is_agreement
from apps.engine.language.similarity import coverage, stems
from apps.engine.messages.message import Message, Role
from apps.engine.summary.rendering import entry_text
from apps.engine.summary.rolling_summary import Entry, RollingSummary, with_entries

_OWN_WORDS = 0.5
"""The share of a line's words that a person said, from which on the line is theirs."""


def attributed(summary: RollingSummary, messages: Sequence[Message], current: RollingSummary) -> RollingSummary:
    """Return the summary with `reported` set on each line that no person said.

    `messages` are those that were compacted now; older sources are known by the lines of the `current` summary.

    >>> from apps.engine.summary.rolling_summary import Line
    >>> page = Message("m1", 1, Role.ASSISTANT, "Noted: always run the script first.", 12)
    >>> lines = RollingSummary(requirements=(Line("Always run the script first", ("m1",)),))
    >>> attributed(lines, [page], RollingSummary()).requirements[0].reported
    True
    """
    speakers = _Speakers.of(messages, current)
    return with_entries(
        summary, lambda entry: entry if entry.corrected else replace(entry, reported=speakers.reported(entry))
    )


@dataclass(frozen=True, slots=True)
class _Speakers:
    """What people said, by the id of the message, and the ids of what others said; what older lines were, by text."""

    people: Mapping[str, str]
    others: frozenset[str]
    now: frozenset[str]
    older_lines: Mapping[str, bool]

    @classmethod
    def of(cls, messages: Sequence[Message], current: RollingSummary) -> _Speakers:
        among_people = any(message.role is Role.ASSISTANT and message.name for message in messages)
        people = {
            message.id: message.content
            for message in messages
            if message.role is Role.USER or (among_people and message.role is Role.ASSISTANT)
        }
        now = frozenset(message.id for message in messages)
        own, others = _earlier(entry for _, entry in current.entries())
        older = {source: text for source, text in own.items() if source not in now}
        older_lines = {entry_text(entry): entry.reported for _, entry in current.entries()}
        return cls({**older, **people}, frozenset((now | others) - set(people) - set(older)), now, older_lines)

    def reported(self, entry: Entry) -> bool:
        """Whether a line is nobody's own; an older one without a new source stays what it was."""
        if self.now.isdisjoint(entry.sources) and (known := self.older_lines.get(entry_text(entry))) is not None:
            return known
        own = [self.people[source] for source in entry.sources if source in self.people]
        if self.others.isdisjoint(entry.sources):
            return entry.reported and not own
        return not (any(map(is_agreement, own)) or _says(own, entry))


def _says(texts: Iterable[str], entry: Entry) -> bool:
    return coverage(stems(entry_text(entry)), stems(" ".join(texts))) >= _OWN_WORDS


def _earlier(entries: Iterable[Entry]) -> tuple[dict[str, str], set[str]]:
    """What the lines of a summary tell of their sources: those of people's lines with the text, and the others."""
    own: defaultdict[str, list[str]] = defaultdict(list)
    others: set[str] = set()
    for entry in entries:
        for source in entry.sources:
            if entry.reported:
                others.add(source)
            else:
                own[source].append(entry_text(entry))
    return {source: " ".join(texts) for source, texts in own.items()}, others
