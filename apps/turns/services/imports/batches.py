"""Storage of an imported file in batches: an interrupted import can simply be repeated.

**Identity.** Each format defines the identity of a message: see `apps.conversations.imports.jsonl` and
`….locomo_samples`. A conversation is identified by the external id that the format derives. If a conversation with this
id shares less than half of its beginning with the file, it came from another file of the same name, and the file gets a
new conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict
from apps.common.tenancy import workspace
from apps.conversations.imports.formats import Source, read_items
from apps.conversations.imports.parsed_items import ConversationSeed, Item, Place, ReadMessage, Skipped
from apps.conversations.imports.report import ImportedConversation, ImportReport
from apps.conversations.models import Message
from apps.conversations.records import MessageDraft
from apps.conversations.selectors.access import conversation_is_deleted
from apps.conversations.services.conversations import conversation_create
from apps.conversations.services.messages import Appended
from apps.engine.text.normal_form import cleaned
from apps.turns.services.imports.append import messages_import, messages_import_announce

BATCH_MESSAGES = 500
BATCH_CHARACTERS = 4_000_000
# The number of messages stored between two announcements, each with a request for a compaction.
_TELL_EVERY = 10_000
_MOST_NAMESAKES = 100


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """Options of an import. With an `external_id` all messages go into the one conversation with that id."""

    source: Source
    external_id: str | None = None

    def clean(self) -> ImportRequest:
        """The same, with texts that may be stored."""
        source = replace(self.source, name=cleaned(self.source.name), title=cleaned(self.source.title))
        return replace(self, source=source, external_id=self.external_id and cleaned(self.external_id))


@dataclass
class ImportState:
    """Progress of an import; `to_json` returns the part that another process needs to continue."""

    place: Place = field(default_factory=Place)
    report: ImportReport = field(default_factory=ImportReport)
    seed: str = ""
    conversation_id: UUID | None = None
    untold: list[int] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            "place": [self.place.major, self.place.minor],
            "report": self.report.to_json(),
            "seed": self.seed,
            "conversation_id": str(self.conversation_id) if self.conversation_id else None,
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> ImportState:
        conversation_id = UUID(stored["conversation_id"]) if stored["conversation_id"] else None
        report = ImportReport.from_json(stored["report"])
        return cls(Place(*stored["place"]), report, stored["seed"], conversation_id)


def conversation_import(
    actor: Actor, *, file: BinaryIO, request: ImportRequest, on_progress: Callable[[ImportReport], None]
) -> ImportReport:
    """Import the file at once. Opens short units of work of its own: call it outside one."""
    state = ImportState()
    try:
        for batch in import_batches(file, request, state.place):
            with workspace(actor.workspace_id):
                batch_store(actor, batch=batch, request=request, state=state)
            on_progress(state.report)
    finally:
        with workspace(actor.workspace_id):
            import_announce(actor, state=state)
    return state.report


def import_batches(file: BinaryIO, request: ImportRequest, begin: Place) -> Iterator[list[Item]]:
    """Yield the file's items from a position on, in batches of one conversation and one short transaction each."""
    batch: list[Item] = []
    room = BATCH_CHARACTERS
    for item in read_items(file, request.source, begin):
        if batch and (len(batch) == BATCH_MESSAGES or room < 0 or item.seed != batch[-1].seed):
            yield batch
            batch, room = [], BATCH_CHARACTERS
        batch.append(item)
        room -= len(item.found.content) if isinstance(item.found, ReadMessage) else 0
    if batch:
        yield batch


def batch_store(actor: Actor, *, batch: list[Item], request: ImportRequest, state: ImportState) -> None:
    """Store one batch and record its results in `state`. Runs in the caller's unit of work."""
    messages = [item.found for item in batch if isinstance(item.found, ReadMessage)]
    seed = batch[-1].seed
    if messages and seed is not None:
        _turn_to(actor, seed, messages, request=request, state=state)
        _append(actor, messages, state)
    for item in batch:
        if isinstance(item.found, Skipped):
            state.report.note_skipped(item.found)
        else:
            state.report.note_unknown(item.found.unknown)
            state.report.note_changes(item.found.changes)
    state.report.read += len(batch)
    state.place = batch[-1].after
    if state.untold and state.untold[1] - state.untold[0] >= _TELL_EVERY:
        import_announce(actor, state=state)


def import_announce(actor: Actor, *, state: ImportState) -> None:
    """Announce the messages stored since the last call, and request a compaction if one is due."""
    if state.conversation_id is None:
        return
    first, last = state.untold or (None, None)
    messages_import_announce(conversation_id=state.conversation_id, first_index=first, last_index=last)
    state.untold = []


def _turn_to(
    actor: Actor, seed: ConversationSeed, messages: list[ReadMessage], *, request: ImportRequest, state: ImportState
) -> None:
    """Switch to the conversation of the seed."""
    if state.seed == seed.external_id:
        return
    import_announce(actor, state=state)
    if request.external_id:
        row = conversation_create(actor, title=seed.title, external_id=request.external_id)
        state.conversation_id = row.id
    else:
        state.conversation_id = _conversation_for(actor, seed, messages)
    state.seed = seed.external_id
    if state.conversation_id is None:
        return
    if str(state.conversation_id) not in [known.id for known in state.report.conversations[-1:]]:
        state.report.note_conversation(ImportedConversation(str(state.conversation_id), seed.title))


def _conversation_for(actor: Actor, seed: ConversationSeed, messages: list[ReadMessage]) -> UUID | None:
    """Return the conversation to continue or a new one; None if the actor deleted it."""
    if conversation_is_deleted(actor, seed.external_id):
        return None
    for number in range(1, _MOST_NAMESAKES + 1):
        name = seed.external_id if number == 1 else f"{seed.external_id}#{number}"
        row = conversation_create(actor, title=seed.title, external_id=name)
        if _begins_alike(row.id, messages):
            return row.id
    detail = "Too many files with this name begin with the same content. Send an external_id."
    raise Conflict(detail, code="too_many_alike")


def _begins_alike(conversation_id: UUID, messages: list[ReadMessage]) -> bool:
    """Whether the conversation is empty, or shares more than half of its beginning with the messages."""
    named = Message.objects.filter(conversation_id=conversation_id, external_id__isnull=False).order_by("index")
    stored = set(named.values_list("external_id", flat=True)[: len(messages)])
    shared = sum(message.external_id in stored for message in messages)
    return not stored or 2 * shared > min(len(stored), len(messages))


def _append(actor: Actor, messages: list[ReadMessage], state: ImportState) -> None:
    drafts = [_draft(message) for message in messages]
    conversation_id = state.conversation_id
    if conversation_id is None:
        for message in messages:
            state.report.note_skipped(Skipped(message.number, "deleted", "you deleted this conversation"))
        return
    appended = messages_import(actor, conversation_id=conversation_id, drafts=drafts)
    different = list(_different(messages, appended))
    for skipped in different:
        state.report.note_skipped(skipped)
    state.report.stored += appended.stored
    state.report.already_there += len(messages) - appended.stored - len(different)
    _note_stored(appended, state)


def _draft(message: ReadMessage) -> MessageDraft:
    return MessageDraft(
        role=message.role,
        content=message.content,
        name=message.name,
        parts=message.parts,
        external_id=message.external_id,
        created_at=message.created_at,
    )


def _different(messages: Iterable[ReadMessage], appended: Appended) -> Iterator[Skipped]:
    """Return messages whose `external_id` is stored with another text, which is never overwritten."""
    for message, record in zip(messages, appended.records, strict=True):
        if (record.role, record.content) != (message.role, message.content):
            yield Skipped(message.number, "id_taken", f"{message.external_id}: another message has this external_id")


def _note_stored(appended: Appended, state: ImportState) -> None:
    if not appended.stored:
        return
    last = max(record.index for record in appended.records)
    first = state.untold[0] if state.untold else last - appended.stored + 1
    state.untold = [first, last]
    for conversation in state.report.conversations[-1:]:
        if conversation.id == str(state.conversation_id):
            conversation.stored += appended.stored
