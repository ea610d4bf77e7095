"""Storing and excluding messages, with the counters in the same transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from apps.accounts.time_zones import utc_offset_of
from apps.common.errors import Conflict
from apps.conversations.models import Conversation, Message, MessageStatus
from apps.conversations.records import MessageDraft, MessageRecord, message_importance, message_record, part_to_json
from apps.conversations.selectors.messages import messages_named
from apps.engine.compaction.plan import live_cost
from apps.engine.messages.message import message_tokens, stored_tokens
from apps.engine.policy import Policy

_INCLUSION_COUNTERS = ("excluded_tokens", "extra_tokens", "live_count", "live_tokens")


@dataclass(frozen=True, slots=True)
class Appended:
    """`records` are in the order of the drafts; `stored` of them are new, from `first_index` to `last_index`."""

    records: list[MessageRecord]
    stored: int
    first_index: int | None = None
    last_index: int | None = None

    @property
    def new(self) -> list[MessageRecord]:
        """The newly stored messages, in the order of their indexes."""
        first = self.first_index
        new = {} if first is None else {record.index: record for record in self.records if record.index >= first}
        return [new[index] for index in sorted(new)]


@dataclass(frozen=True, slots=True)
class Excluded:
    """Ids and indexes of the messages excluded or included, and the ids of the compacted ones among them."""

    changed: list[UUID]
    indexes: list[int]
    compacted: list[UUID]


def messages_append(
    *, conversation: Conversation, drafts: Sequence[MessageDraft], policy: Policy, reply_follows: bool = False
) -> Appended:
    """Append the drafts in order; all or none. A known `external_id` is not stored twice.

    The caller has checked write access and locked the conversation's row. If a reply is opened next in the same
    transaction, the row's counters are stored with that.
    """
    known = _known(conversation.id, drafts)
    rows = _rows(conversation, _without_repeats(drafts, known), policy)
    if rows and conversation.archived_at is not None:
        raise Conflict("The conversation is archived. Unarchive it first.", code="archived")
    if rows:
        _add_own_names(conversation, drafts)
        _store(rows)
        _count_in(conversation, rows, stored=not reply_follows)
    stored = {row.external_id: row for row in rows if row.external_id} | known
    fresh = iter(row for row in rows if not row.external_id)
    ordered = [stored[draft.external_id] if draft.external_id else next(fresh) for draft in drafts]
    places = [row.index for row in rows]
    first, last = min(places, default=None), max(places, default=None)
    return Appended([message_record(row) for row in ordered], len(rows), first, last)


def _add_own_names(conversation: Conversation, drafts: Iterable[MessageDraft]) -> None:
    added = {draft.name for draft in drafts if draft.is_own and draft.name} - set(conversation.own_names)
    if added:
        conversation.own_names = sorted({*conversation.own_names, *added})
        conversation.save(update_fields=["own_names", "updated_at"])


def messages_exclude(*, conversation: Conversation, message_ids: Sequence[UUID]) -> Excluded:
    """Exclude messages from packs and compaction. The caller has checked write access and locked the row."""
    changed = [row for row in messages_named(conversation.id, message_ids) if not row.excluded]
    _count_out(conversation, changed)
    Message.objects.filter(pk__in=[row.id for row in changed]).update(excluded=True)
    return _excluded(changed)


def messages_include(
    *, conversation: Conversation, message_ids: Sequence[UUID], stay_folded: Collection[UUID] = ()
) -> Excluded:
    """Include messages again. A compacted one becomes live, unless the summary covers it again."""
    changed = [row for row in messages_named(conversation.id, message_ids) if row.excluded]
    if any(row.deleted_at for row in changed):
        raise Conflict("A deleted message cannot be included again.", code="message_deleted")
    unfolded = [row for row in changed if row.compacted_in is not None and row.id not in stay_folded]
    for row in unfolded:
        row.compacted_in = None
    Message.objects.filter(pk__in=[row.id for row in unfolded]).update(compacted_in=None)
    _count_back(conversation, changed)
    Message.objects.filter(pk__in=[row.id for row in changed]).update(excluded=False)
    return _excluded(changed)


def messages_make_unretrievable(message_ids: Collection[UUID]) -> None:
    """Let no other conversation quote the messages."""
    Message.objects.filter(pk__in=message_ids).update(retrievable=False)


def messages_compact(*, conversation: Conversation, message_ids: Sequence[str], version: int) -> bool:
    """Mark the messages as covered by a summary's version; return False if one of them is no longer live.

    The caller has locked the conversation's row and stores the summary in the same transaction.
    """
    rows = Message.objects.filter(
        conversation_id=conversation.id, pk__in=message_ids, compacted_in__isnull=True, excluded=False
    )
    cost = sum(rows.values_list("live_cost", flat=True))
    if rows.update(compacted_in=version) != len(message_ids):
        return False
    conversation.live_count -= len(message_ids)
    conversation.live_tokens -= cost
    conversation.save(update_fields=["live_count", "live_tokens", "updated_at"])
    return True


def messages_restore(*, conversation: Conversation, versions: Collection[int]) -> int:
    """Make the messages live again that the versions covered; return their number. The caller has locked the row."""
    rows = Message.objects.filter(conversation_id=conversation.id, compacted_in__in=versions)
    live = list(rows.filter(excluded=False).values_list("live_cost", flat=True))
    count = rows.update(compacted_in=None)
    conversation.live_count += len(live)
    conversation.live_tokens += sum(live)
    conversation.save(update_fields=["live_count", "live_tokens", "updated_at"])
    return count


def _known(conversation_id: UUID, drafts: Iterable[MessageDraft]) -> dict[str | None, Message]:
    names = {draft.external_id for draft in drafts if draft.external_id}
    if not names:
        return {}
    rows = Message.objects.filter(conversation_id=conversation_id, external_id__in=names)
    return {row.external_id: row for row in rows}


def _without_repeats(drafts: Iterable[MessageDraft], known: dict[str | None, Message]) -> list[MessageDraft]:
    seen = set(known)
    fresh: list[MessageDraft] = []
    for draft in drafts:
        if draft.external_id is None or draft.external_id not in seen:
            fresh.append(draft)
            seen.add(draft.external_id)
    return fresh


def _rows(conversation: Conversation, drafts: Iterable[MessageDraft], policy: Policy) -> list[Message]:
    now, through = timezone.now(), conversation.token_total
    rows: list[Message] = []
    for place, draft in enumerate(drafts, start=conversation.message_count):
        stored, tokens = stored_tokens(draft.content, draft.parts), message_tokens(draft.content, draft.parts)
        through += stored
        row = Message(
            conversation=conversation,
            index=place,
            role=draft.role,
            name=draft.name,
            content=draft.content,
            parts=[part_to_json(part) for part in draft.parts],
            status=MessageStatus.COMPLETE,
            error_code="",
            token_count=stored,
            tokens_through=through,
            extra_tokens=tokens - stored,
            live_cost=live_cost(tokens, policy),
            external_id=draft.external_id,
            created_at=draft.created_at or now,
            utc_offset=utc_offset_of(draft.created_at) if draft.created_at else None,
        )
        row.importance = message_importance(row)
        rows.append(row)
    return rows


def _store(rows: Sequence[Message]) -> None:
    if len(rows) == 1:
        rows[0].save(force_insert=True)
    else:
        Message.objects.bulk_create(rows, batch_size=500)


def _excluded(changed: Sequence[Message]) -> Excluded:
    return Excluded(
        changed=[row.id for row in changed],
        indexes=[row.index for row in changed],
        compacted=[row.id for row in changed if row.compacted_in is not None],
    )


def _count_in(conversation: Conversation, rows: Sequence[Message], *, stored: bool) -> None:
    conversation.message_count += len(rows)
    conversation.token_total += sum(row.token_count for row in rows)
    conversation.extra_tokens += sum(row.extra_tokens for row in rows)
    conversation.live_count += len(rows)
    conversation.live_tokens += sum(row.live_cost for row in rows)
    conversation.active_at = timezone.now()
    if stored:
        counters = ("message_count", "token_total", "extra_tokens", "live_count", "live_tokens")
        conversation.save(update_fields=[*counters, "active_at", "updated_at"])


def _count_out(conversation: Conversation, rows: Sequence[Message]) -> None:
    live = [row for row in rows if row.compacted_in is None]
    conversation.excluded_tokens += sum(row.token_count for row in rows)
    conversation.extra_tokens -= sum(row.extra_tokens for row in rows)
    conversation.live_count -= len(live)
    conversation.live_tokens -= sum(row.live_cost for row in live)
    conversation.save(update_fields=[*_INCLUSION_COUNTERS, "updated_at"])


def _count_back(conversation: Conversation, rows: Sequence[Message]) -> None:
    live = [row for row in rows if row.compacted_in is None]
    conversation.excluded_tokens -= sum(row.token_count for row in rows)
    conversation.extra_tokens += sum(row.extra_tokens for row in rows)
    conversation.live_count += len(live)
    conversation.live_tokens += sum(row.live_cost for row in live)
    conversation.save(update_fields=[*_INCLUSION_COUNTERS, "updated_at"])
