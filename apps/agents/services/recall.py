"""The text that an agent is given for a prompt: memories that a search retrieved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from apps.accounts.time_zones import local_day
from apps.agents.selectors.instructions import already_read
from apps.agents.selectors.sessions import session_of_conversation
from apps.engine.memory.trust import Trust, origin_of
from apps.engine.pack.injection import NOTICE
from apps.engine.summary.rendering import BETWEEN_SECTIONS
from apps.engine.text.quoting import quoted_from
from apps.memory.records.search import Hit
from apps.memory.services.accesses import accesses_add


def recalled_context(hits: Sequence[Hit], conversation_id: UUID) -> str:
    """Quote the memories that a search retrieved, but for those that the agent has read; they count as used."""
    read = already_read(session_of_conversation(conversation_id))
    hits = [hit for hit in hits if not read.file_with(hit.abstract or hit.snippet, hit.id)]
    quotes = list(_quotes(hits))
    accesses_add([hit.id for hit in hits if hit.kind == "memory"])
    return BETWEEN_SECTIONS.join([NOTICE, "\n".join(quotes)]) if quotes else ""


def _quotes(hits: Sequence[Hit]) -> Iterator[str]:
    for hit in hits:
        yield quoted_from(_origin(hit), hit.abstract or hit.snippet)


def _origin(hit: Hit) -> str:
    if not hit.uri:
        return f"user memory, {hit.type}: {hit.key}"
    return origin_of(hit.uri, Trust(hit.trust), local_day(hit.stated_at))
