"""Sessions of coding agents that imports create or add to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.agents.models import AgentClientKind, AgentSession
from apps.agents.selectors.sessions import session_lock
from apps.conversations.models import Message, MessageRole
from apps.conversations.selectors.access import conversation_is_deleted
from apps.conversations.services.conversations import ConversationChange, conversation_ensure, conversation_update
from apps.conversations.services.events import conversation_announce
from apps.engine.extraction.titles import public_title
from apps.memory.models import SourceKind
from apps.memory.records.tree import SourceRecord
from apps.transfer.formats.clean_text import clean
from apps.transfer.models import ImportStatus
from apps.transfer.services.imports.outcomes import NotImported

_FOREIGN, _IMPORTED = "import:", "imported"


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What an item tells about its session."""

    session_id: str
    project: str = ""
    cwd: str = ""
    model: str = ""
    title: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    last_at: datetime | None = None


class Sessions:
    """The sessions of a batch, each read and locked once and saved at its end."""

    def __init__(self, actor: Actor) -> None:
        self._actor = actor
        self._rows: dict[str, AgentSession] = {}

    def ensure(self, facts: SessionFacts, client: AgentClientKind) -> tuple[AgentSession, bool]:
        """Return the session, also one that its agent's hooks recorded, and whether it was created.

        Raises `NotImported` if the person deleted its conversation.
        """
        row, is_new = self._rows.get(facts.session_id) or _locked(self._actor, facts, client), False
        if row is None:
            row, is_new = _create(self._actor, facts, client), True
        self._rows[facts.session_id] = row
        _add(self._actor, row, facts)
        return row, is_new

    def known(self) -> frozenset[str]:
        return frozenset(self._rows)

    def forget_others(self, known: frozenset[str]) -> None:
        """Forget the sessions that an item read or created which was rolled back."""
        self._rows = {name: row for name, row in self._rows.items() if name in known}

    def save(self) -> None:
        """Save the sessions, and announce their conversations once, in the order in which others lock them."""
        for row in sorted(self._rows.values(), key=lambda one: one.conversation_id):
            row.save()
            conversation_announce(conversation_id=row.conversation_id)


def message_before(session: AgentSession, at: datetime) -> tuple[SourceRecord, ...]:
    """The prompt that led to what was noted at a time, as a source."""
    rows = Message.objects.filter(
        conversation_id=session.conversation_id, role=MessageRole.USER, excluded=False, created_at__lte=at
    )
    found = rows.order_by("-index").values_list("pk", flat=True).first()
    return (SourceRecord(SourceKind.MESSAGE.value, str(found)),) if found else ()


def _create(actor: Actor, facts: SessionFacts, client: AgentClientKind) -> AgentSession:
    # The agent itself may continue a session whose transcript was imported, but not one known from another store.
    name = f"{_FOREIGN}{facts.session_id}" if client is AgentClientKind.IMPORT else facts.session_id
    if conversation_is_deleted(actor, name):
        raise NotImported(ImportStatus.SKIPPED, "deleted")
    title = _title(facts)
    conversation, _ = conversation_ensure(actor, title=title, external_id=name)
    now = timezone.now()
    started = facts.started_at or facts.last_at or facts.ended_at or now
    return AgentSession.objects.create(
        user_id=actor.user_id,
        conversation_id=conversation.id,
        client=client,
        client_session_id=facts.session_id,
        project=facts.project,
        cwd=facts.cwd,
        model=facts.model,
        started_at=started,
        last_event_at=max(started, facts.ended_at or started, facts.last_at or started),
        received_at=now,
        ended_at=facts.ended_at or facts.last_at or started,
        end_reason=_IMPORTED,
    )


def _locked(actor: Actor, facts: SessionFacts, client: AgentClientKind) -> AgentSession | None:
    session_lock(actor.user_id, client, facts.session_id)
    rows = AgentSession.objects.filter(user_id=actor.user_id, client_session_id=facts.session_id)
    return min(rows.select_for_update(), key=lambda one: one.client == AgentClientKind.IMPORT, default=None)


def _add(actor: Actor, row: AgentSession, facts: SessionFacts) -> None:
    """Add what is not known yet; times only widen, and only those of imported sessions."""
    row.project, row.cwd = row.project or facts.project, row.cwd or facts.cwd
    row.model = row.model or facts.model
    if row.end_reason == _IMPORTED:
        dates = [date for date in (facts.started_at, facts.ended_at, facts.last_at) if date]
        row.started_at = min([row.started_at, *dates])
        row.last_event_at = max([row.last_event_at, *dates])
        row.ended_at = row.last_event_at
    if facts.title and not row.conversation.title:
        change = ConversationChange(title=_title(facts))
        conversation_update(actor, conversation_id=row.conversation_id, change=change, version=None)


def _title(facts: SessionFacts) -> str:
    return clean(public_title(facts.title))[:200] or facts.project
