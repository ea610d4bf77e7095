"""Subagents of imported transcripts: observations of their session, as hooks store them. No memory is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from apps.agents.clients.payload import digest_key, tool_key
from apps.agents.models import AgentSession, Observation, ObservationKind
from apps.agents.services.observations import LONGEST_DIGEST, ObservationDraft, observation_store
from apps.engine.messages.tool_digest import files_in, input_digest, result_digest, tool_title
from apps.engine.transcripts.subagents import SubagentCall, SubagentRun, runs_of
from apps.engine.transcripts.transcript import Transcript
from apps.transfer.formats.clean_text import clean

MOST_CALLS = 60
"""Calls of a subagent that are stored; of more, the first and the last ones."""
STOPPED = "subagent-stop:"
"""At the beginning of the keys of what hooks report at a subagent's end."""


def subagents_store(session: AgentSession, transcript: Transcript, kind: str, otherwise: datetime) -> int:
    """Store what the session does not know yet; return how many observations. `kind` is the subagents' type."""
    drafts = [draft for run in runs_of(transcript) for draft in _drafts(run, kind)]
    known = _known(session, [draft.key for draft, _ in drafts])
    reported = _reported(session)
    new = [
        (draft, at)
        for draft, at in drafts
        if draft.key not in known and not (draft.kind == ObservationKind.SUBAGENT and draft.agent_id in reported)
    ]
    for draft, at in new:
        observation_store(session, draft, at or otherwise, announce=False)
    session.tool_count += sum(draft.kind != ObservationKind.SUBAGENT for draft, _ in new)
    return len(new)


def _drafts(run: SubagentRun, kind: str) -> list[tuple[ObservationDraft, datetime | None]]:
    half = MOST_CALLS // 2
    calls = run.calls if len(run.calls) <= MOST_CALLS else (*run.calls[:half], *run.calls[-half:])
    drafts = [(_call(run.agent_id, call), call.at) for call in calls]
    return [*drafts, (_report(run, kind), run.at)] if run.report else drafts


def _call(agent_id: str, call: SubagentCall) -> ObservationDraft:
    arguments = dict(call.arguments)
    result = clean(call.result) or clean(input_digest(arguments))
    return ObservationDraft(
        (ObservationKind.TOOL_FAILURE if call.is_error else ObservationKind.TOOL).value,
        tool_key(call.call_id),
        clean(tool_title(call.name, arguments)),
        result_digest(result, LONGEST_DIGEST),
        tool_name=clean(call.name),
        files=tuple(map(clean, files_in(arguments))),
        is_error=call.is_error,
        agent_id=agent_id,
    )


def _report(run: SubagentRun, kind: str) -> ObservationDraft:
    task = result_digest(clean(run.task), LONGEST_DIGEST)
    return ObservationDraft(
        ObservationKind.SUBAGENT.value,
        digest_key("subagent", run.agent_id, run.uuid),
        f"Subagent {clean(kind)} finished",
        result_digest(clean(run.report), LONGEST_DIGEST),
        agent_id=run.agent_id,
        details={"task": task} if task else {},
    )


def _known(session: AgentSession, keys: Sequence[str]) -> set[str]:
    return set(Observation.objects.filter(session=session, event_key__in=keys).values_list("event_key", flat=True))


def _reported(session: AgentSession) -> set[str]:
    """The subagents whose reports hooks have stored."""
    rows = Observation.objects.filter(session=session, kind=ObservationKind.SUBAGENT, event_key__startswith=STOPPED)
    return set(rows.values_list("agent_id", flat=True))
