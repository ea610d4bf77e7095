"""The context that an agent or a chat is given when a session starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.context.already_read import NOTHING_READ, AlreadyRead
from apps.context.injection_records import InjectionSource, SessionContext
from apps.context.selectors.injection import injection_sources
from apps.conversations.selectors.access import conversation_named
from apps.conversations.selectors.audience import ONESELF, audience_of
from apps.engine.language.text_sizes import utf8_size
from apps.engine.pack.injection import Injection, inject
from apps.memory.selectors.nodes import sources_of
from apps.memory.services.accesses import accesses_add


@dataclass(frozen=True, slots=True)
class ContextLimits:
    """Limits of the text; without `max_bytes` only the budget limits it. `size` counts the bytes of a text."""

    token_budget: int
    max_bytes: int | None = None
    size: Callable[[str], int] = utf8_size


def session_context(
    actor: Actor, *, limits: ContextLimits, session: str | None = None, read: AlreadyRead = NOTHING_READ
) -> SessionContext:
    """Compose the context for the session of a conversation, by its id or external id, or for a new one.

    It contains only what the actor may read, without what the session's agent has `read` already, and nothing private
    where others read the conversation. The memories in it count as accessed.
    """
    context = session_context_preview(actor, limits=limits, session=session, read=read)
    accesses_add(_injected(context.injection, context.by_id))
    return context


def session_context_preview(
    actor: Actor, *, limits: ContextLimits, session: str | None = None, read: AlreadyRead = NOTHING_READ
) -> SessionContext:
    """Compose the same context without counting its memories as accessed."""
    conversation = conversation_named(actor, session) if session is not None else None
    conversation_id = conversation.id if conversation else None
    audience = audience_of(actor, conversation) if conversation else ONESELF
    policy = policy_for_workspace()
    sources: list[InjectionSource] = []
    if policy.engine_enabled and audience.allows_private_memories:
        sources = injection_sources(actor, policy, conversation_id=conversation_id, read=read)
    by_id = {source.candidate.id: source for source in sources}
    candidates = [source.candidate for source in sources]
    injection = inject(candidates, token_budget=limits.token_budget, max_bytes=limits.max_bytes, size=limits.size)
    memory_ids = _injected(injection, by_id)
    return SessionContext(
        conversation_id=conversation_id,
        engine_enabled=policy.engine_enabled,
        audience=audience,
        token_budget=limits.token_budget,
        max_bytes=limits.max_bytes,
        injection=injection,
        by_id=by_id,
        origins=sources_of(memory_ids),
    )


def _injected(injection: Injection, by_id: Mapping[str, InjectionSource]) -> list[UUID]:
    return [memory_id for item in injection.items for memory_id in by_id[item.candidate.id].memory_ids]
