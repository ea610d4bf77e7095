"""Messages of a session that its agent's hooks or another import stored already, under names of their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from apps.agents.clients.payload import tool_key
from apps.agents.models import AgentSession, Observation
from apps.agents.services.messages import LONGEST_CALL_ID, call_name, exchange_key
from apps.conversations.limits import LONGEST_EXTERNAL_ID
from apps.conversations.models import Message, MessageRole
from apps.conversations.records import MessageDraft
from apps.engine.language.similarity import normalized
from apps.engine.messages.message import Part, PartKind
from apps.transfer.formats.clean_text import PRIVATE
from apps.transfer.formats.items import ToolUseItem

NEAR = timedelta(minutes=2)
"""Clocks of a message's two records differ by less."""
_SPOKEN = (MessageRole.USER, MessageRole.ASSISTANT)
_TOOLS = (PartKind.TOOL_CALL, PartKind.TOOL_RESULT)

OwnNames = Callable[[Collection[str]], Collection[str]]
"""Return those external ids that messages from the drafts' own source have."""


@dataclass(frozen=True, slots=True)
class _Row:
    id: UUID
    role: str
    text: str
    name: str
    at: datetime
    is_deleted: bool


@dataclass
class RecordedMessages:
    """The messages that the drafts of a batch repeat. Each stored one is repeated by one draft at most."""

    _repeated: set[UUID] = field(default_factory=set)

    def unrecorded(
        self, session: AgentSession, drafts: Sequence[MessageDraft], own_names: OwnNames
    ) -> list[MessageDraft]:
        """Return the drafts, or what is left of them, that say something new, and those stored under their own names.

        A text is known if a message of the same role and text is near in time. A deleted message has no text any more:
        one of its role that is near in time counts as the same.
        """
        rows = list(_rows_near(session, drafts))
        own = set(own_names({row.name for row in rows}))
        stored = {draft.external_id for draft in drafts} & {row.name for row in rows}
        known = self._known_texts(
            [draft for draft in drafts if draft.external_id not in stored],
            [row for row in rows if row.name not in own | stored and row.id not in self._repeated],
        )
        return list(_unrecorded(drafts, known, _StoredTools.of(session, drafts)))

    def _known_texts(self, drafts: Sequence[MessageDraft], rows: Sequence[_Row]) -> set[str | None]:
        """The external ids of drafts whose texts are known, the nearest in time first."""
        by_text: dict[tuple[str, str], list[_Row]] = defaultdict(list)
        deleted: dict[str, list[_Row]] = defaultdict(list)
        for row in rows:
            (deleted[row.role] if row.is_deleted else by_text[row.role, row.text]).append(row)
        spoken = [draft for draft in drafts if _text(draft.content)]
        same = [(draft, row) for draft in spoken for row in by_text[draft.role, _text(draft.content)]]
        gone = [(draft, row) for draft in spoken for row in deleted[draft.role]]
        known: set[str | None] = set()
        for draft, row in [*_nearest(same), *_nearest(gone)]:
            if draft.external_id not in known and row.id not in self._repeated:
                known.add(draft.external_id)
                self._repeated.add(row.id)
        return known


@dataclass(frozen=True, slots=True)
class _StoredTools:
    """The calls and results that a session has, those from hooks, and the drafts' names that are taken or deleted."""

    parts: frozenset[tuple[PartKind, str]]
    from_hooks: frozenset[tuple[PartKind, str]]
    taken: frozenset[str]
    deleted: frozenset[str]

    @classmethod
    def of(cls, session: AgentSession, drafts: Sequence[MessageDraft]) -> _StoredTools:
        if not any(draft.parts for draft in drafts):
            return cls(frozenset(), frozenset(), frozenset(), frozenset())
        rows = Message.objects.filter(conversation_id=session.conversation_id)
        with_parts = rows.filter(role__in=(MessageRole.ASSISTANT, MessageRole.TOOL))
        parts: set[tuple[PartKind, str]] = set()
        from_hooks: set[tuple[PartKind, str]] = set()
        for name, listed in with_parts.values_list("external_id", "parts"):
            parts |= {(PartKind(one["kind"]), _short(one.get("call_id", ""))) for one in listed}
            # Also where its parts were deleted.
            if key := exchange_key(name or ""):
                from_hooks |= {(kind, _short(key.partition(":")[2])) for kind in _TOOLS}
        named = rows.filter(external_id__in=[draft.external_id for draft in drafts if draft.external_id])
        names = {name: at is not None for name, at in named.values_list("external_id", "deleted_at") if name}
        gone = frozenset(name for name, is_gone in names.items() if is_gone)
        return cls(frozenset(parts | from_hooks), frozenset(from_hooks), frozenset(names), gone)

    def knows(self, part: Part) -> bool:
        return (part.kind, _short(part.call_id)) in self.parts

    def hooks_recorded(self, draft: MessageDraft) -> bool:
        """Whether hooks recorded all its tools; they do not know the words before a call."""
        return bool(draft.parts) and all((one.kind, _short(one.call_id)) in self.from_hooks for one in draft.parts)


def tool_is_recorded(session: AgentSession, item: ToolUseItem) -> bool:
    """Whether the session has the tool's messages, or without an id the same tool at about that time.

    The messages remain where the person deleted their words, and the observation with them.
    """
    if item.tool_use_id:
        name = call_name(tool_key(item.tool_use_id))
        return Message.objects.filter(conversation_id=session.conversation_id, external_id=name).exists()
    if item.at is None:
        return False
    rows = Observation.objects.filter(session=session, tool_name=item.tool_name, message__isnull=False)
    return rows.filter(occurred_at__range=(item.at - NEAR, item.at + NEAR)).exists()


def _unrecorded(
    drafts: Iterable[MessageDraft], known_texts: Collection[str | None], stored: _StoredTools
) -> Iterator[MessageDraft]:
    for draft in drafts:
        name = draft.external_id or ""
        parts = tuple(part for part in draft.parts if not stored.knows(part))
        if name in stored.deleted or stored.hooks_recorded(draft):
            continue
        if parts and name in stored.taken:
            # Its turn went on since the last import.
            name = f"{name[: LONGEST_EXTERNAL_ID // 2]}:{_short(parts[0].call_id)}"
            yield replace(draft, content="", parts=parts, external_id=name)
        elif parts or (draft.content and name not in known_texts):
            yield replace(draft, content="" if name in known_texts else draft.content, parts=parts)


def _rows_near(session: AgentSession, drafts: Sequence[MessageDraft]) -> Iterator[_Row]:
    rows = Message.objects.filter(conversation_id=session.conversation_id, role__in=_SPOKEN)
    dates = [draft.created_at for draft in drafts if draft.created_at]
    if len(dates) == len(drafts) > 0:
        rows = rows.filter(created_at__range=(min(dates) - NEAR, max(dates) + NEAR))
    fields = ("pk", "role", "content", "external_id", "created_at", "deleted_at")
    for pk, role, content, name, at, deleted_at in rows.order_by("index").values_list(*fields):
        yield _Row(pk, role, _text(content), name or "", at, deleted_at is not None)


def _nearest(pairs: Iterable[tuple[MessageDraft, _Row]]) -> list[tuple[MessageDraft, _Row]]:
    """The pairs that are near in time, the nearest first; a draft without a date is near everything."""
    gaps = [(abs(draft.created_at - row.at) if draft.created_at else NEAR, draft, row) for draft, row in pairs]
    return [(draft, row) for gap, draft, row in sorted(gaps, key=lambda one: one[0]) if gap <= NEAR]


def _text(content: str) -> str:
    """What is compared: hooks leave private parts out, imports mark them."""
    return normalized(content.replace(PRIVATE, ""))


def _short(call_id: str) -> str:
    return call_id[-LONGEST_CALL_ID:]
