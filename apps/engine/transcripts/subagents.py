"""The work of subagents in a transcript: what each was told to do, its tools, and its report.

Their instructions are the agent's words, not the user's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.engine.messages.tool_arguments import arguments_object
from apps.engine.transcripts.condense import entry_text
from apps.engine.transcripts.entries import Block, BlockKind, Entry
from apps.engine.transcripts.prompts import without_inserted
from apps.engine.transcripts.transcript import Transcript


@dataclass(frozen=True, slots=True)
class SubagentCall:
    """A tool's run by a subagent."""

    call_id: str
    name: str
    arguments: Mapping[str, Any]
    result: str
    is_error: bool
    at: datetime | None


@dataclass(frozen=True, slots=True)
class SubagentRun:
    """A subagent's work: `task` is what it was told to do, `report` its last words, in the entry `uuid`."""

    agent_id: str
    task: str
    report: str
    uuid: str
    calls: tuple[SubagentCall, ...]
    at: datetime | None


def runs_of(transcript: Transcript) -> list[SubagentRun]:
    """The work of each subagent, in the order of the file.

    >>> from apps.engine.transcripts.transcript import transcript_of
    >>> line = b'{"type": "user", "uuid": "1", "message": {"content": "Explore."}}'
    >>> [(run.agent_id, run.task, run.report) for run in runs_of(transcript_of(line, agent_id="a1"))]
    [('a1', 'Explore.', '')]
    """
    return [_run(agent_id, entries) for agent_id, entries in transcript.sidechains.items()]


def _run(agent_id: str, entries: Sequence[Entry]) -> SubagentRun:
    tasks = [text for entry in entries if entry.kind == "user" and (text := without_inserted(entry_text(entry)))]
    reports = [
        (entry, text)
        for entry in entries
        if entry.kind == "assistant" and (text := without_inserted(entry_text(entry)))
    ]
    last, report = reports[-1] if reports else (entries[-1], "")
    return SubagentRun(agent_id, next(iter(tasks), ""), report, last.uuid, _calls(entries), last.at)


def _calls(entries: Sequence[Entry]) -> tuple[SubagentCall, ...]:
    """The calls that have a result."""
    results: dict[str, Block] = {}
    for block in (block for entry in entries for block in entry.blocks):
        if block.kind is BlockKind.TOOL_RESULT:
            results.setdefault(block.call_id, block)
    calls = ((entry, block) for entry in entries for block in entry.blocks if block.kind is BlockKind.TOOL_USE)
    return tuple(
        SubagentCall(
            call_id=block.call_id,
            name=block.name,
            arguments=arguments_object(block.text),
            result=without_inserted(results[block.call_id].text),
            is_error=results[block.call_id].is_error,
            at=entry.at,
        )
        for entry, block in calls
        if block.name and block.call_id in results
    )
