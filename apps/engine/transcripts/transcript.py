"""A transcript file read as a whole: its entries, what was damaged in it, and facts about the session."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from apps.engine.transcripts.chain import Chains, sidechains_of
from apps.engine.transcripts.entries import Entry, Usage, entry_of
from apps.engine.transcripts.lines import LineProblem, lines_of
from apps.engine.transcripts.prompts import first_prompt

LONGEST_TITLE = 200


@dataclass(frozen=True)
class Transcript:
    """The entries of all intact lines in the order of the file, and the damaged lines."""

    entries: tuple[Entry, ...]
    problems: tuple[LineProblem, ...] = ()

    @cached_property
    def chains(self) -> Chains:
        return Chains(self.entries)

    @cached_property
    def conversation(self) -> list[Entry]:
        """What the agent shows when it resumes the session."""
        return [entry for entry in self.chains.conversation() if entry.is_visible]

    @cached_property
    def history(self) -> list[Entry]:
        """All of the conversation, also from before its compactions, with their boundaries."""
        return [entry for entry in self.chains.history() if entry.is_visible or entry.boundary is not None]

    @cached_property
    def sidechains(self) -> dict[str, list[Entry]]:
        return sidechains_of(self.entries)

    @property
    def session_id(self) -> str:
        return next((entry.session_id for entry in self.entries if entry.session_id), "")

    @property
    def cwd(self) -> str:
        return next((entry.cwd for entry in self.entries if entry.cwd), "")

    @property
    def model(self) -> str:
        return next((entry.model for entry in reversed(self.history) if entry.model[:1] not in ("", "<")), "")

    @property
    def started_at(self) -> datetime | None:
        return min(self._dates, default=None)

    @property
    def ended_at(self) -> datetime | None:
        return max(self._dates, default=None)

    @property
    def title(self) -> str:
        """The title that the user or the agent gave it last, or else the first prompt's beginning."""
        given = [entry.title for entry in self.entries if entry.title and entry.kind != "summary"]
        known = {entry.uuid for entry in self.entries}
        summaries = [entry.title for entry in self.entries if entry.kind == "summary" and entry.title_of in known]
        return next(iter([*given[::-1], *summaries[::-1], first_prompt(self.history)]), "").strip()[:LONGEST_TITLE]

    @property
    def _dates(self) -> list[datetime]:
        return [entry.at for entry in self.entries if entry.at is not None and entry.is_in_chain]


def transcript_of(content: bytes | Iterable[bytes], *, first_line: int = 1, agent_id: str = "") -> Transcript:
    """Read a transcript file, or the part of one that begins at a line.

    All entries of a subagent's own file, which has an `agent_id`, are that subagent's, whatever they say themselves.

    >>> transcript = transcript_of(b'{"type": "user", "uuid": "1", "message": {"content": "Hi"}}\\n{"type')
    >>> len(transcript.entries), transcript.problems[0].code
    (1, 'truncated')
    """
    entries: list[Entry] = []
    problems: list[LineProblem] = []
    for line in lines_of(content, first_line):
        entries += [entry_of(value, line.line) for value in line.objects]
        problems += [line.problem] if line.problem else []
    if agent_id:
        entries = [replace(entry, is_sidechain=True, agent_id=agent_id) for entry in entries]
    return Transcript(tuple(entries), tuple(problems))


def usage_of(entries: Sequence[Entry]) -> Usage:
    """Tokens that the provider reported. One message may be spread over several entries, and counts once."""
    by_message: dict[str, Usage] = {}
    for entry in entries:
        if entry.usage is not None:
            name = entry.message_id or entry.uuid
            known = by_message.get(name, Usage())
            by_message[name] = max(known, entry.usage, key=lambda usage: usage.output_tokens)
    return Usage(**{name: sum(getattr(one, name) for one in by_message.values()) for name in Usage.__slots__})
