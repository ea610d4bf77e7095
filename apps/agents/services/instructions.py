"""Observations of the files of instructions that an agent reads."""

from __future__ import annotations

from apps.agents.cleaning import cleaned
from apps.agents.clients.event import AgentEvent
from apps.agents.models import ObservationKind
from apps.agents.records import INSTRUCTIONS
from apps.agents.services.observations import ObservationDraft
from apps.engine.language.shared_lines import sentence_digests


def instructions_observation(event: AgentEvent, key: str) -> ObservationDraft:
    """The observation with the file's path and digests of its sentences, not its words."""
    path, sentences = cleaned(event.title), sentence_digests(cleaned(event.text))
    return ObservationDraft(
        ObservationKind.SETTING.value,
        key,
        f"{event.name} {path}",
        agent_id=cleaned(event.agent_id),
        details={INSTRUCTIONS: {"file": path, "reason": cleaned(event.reason), "lines": sentences}},
    )
