"""The demo's conversation: its messages, pins, summary, user memory and memories."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict
from apps.common.tenancy import workspace
from apps.conversations.imports.formats import Format, Source
from apps.conversations.models import Message
from apps.memory.models import PinCategory, PinnedMemory, UserMemoryType
from apps.memory.services.pins import PinDraft, pin_create
from apps.memory.services.user_memory import UserMemoryDraft, user_memory_create
from apps.turns.services.demo.learning import demo_learn
from apps.turns.services.demo.memories import memories_fill
from apps.turns.services.demo.summaries import summaries_fill
from apps.turns.services.imports.batches import ImportRequest, conversation_import
from apps.turns.services.messages import messages_set_excluded

TITLE = "A booking service for eleven climbing gyms"
EXTERNAL_ID = "demo:booking-service"
_FILE = Path(__file__).resolve().parents[2] / "demo" / "booking_service.jsonl"
_PINNED_MESSAGES = (("booking-service-018", PinCategory.REQUIREMENT), ("booking-service-034", PinCategory.DECISION))
_PINNED_TEXT = "API: https://wiki.example.org/booking/api-v1 · code: services/booking/api/routes.py"
_EXCLUDED = "booking-service-041"
_MEMORIES = (
    (UserMemoryType.PREFERENCE, "answers", "Short answers first, the reasons after them; code in Python or SQL."),
    (
        UserMemoryType.FACT,
        "team",
        "Lena leads four people: Jonas and Priya (Python), Tomas (front end), Ines (servers).",
    ),
    (UserMemoryType.CONSTRAINT, "budget", "Hosting may cost 150 euros a month at most."),
    (
        UserMemoryType.DEFINITION,
        "the desk",
        "The people at the counter of a gym, who check guests in and book for them.",
    ),
)


def demo_fill(actor: Actor, conversation_id: UUID) -> None:
    """Fill the sample conversation, and request memories of what the person in it said."""
    sample_fill(actor, conversation_id)
    for type_, key, content in _MEMORIES:
        with workspace(actor.workspace_id), suppress(Conflict):
            user_memory_create(actor, draft=UserMemoryDraft(type_, key, content))
    with workspace(actor.workspace_id):
        message_ids = _message_ids(conversation_id)
    memories_fill(actor, message_ids=message_ids)
    demo_learn(actor, conversation_id)


def sample_fill(actor: Actor, conversation_id: UUID) -> None:
    """Import the messages, pin some, exclude one and store the summary. Opens units of work of its own."""
    request = ImportRequest(Source(_FILE.name, Format.JSONL, TITLE), EXTERNAL_ID)
    with _FILE.open("rb") as file:
        conversation_import(actor, file=file, request=request, on_progress=lambda report: None)
    with workspace(actor.workspace_id):
        _pin(actor, conversation_id)
        message_ids = [_message_id(conversation_id, _EXCLUDED)]
        messages_set_excluded(actor, conversation_id=conversation_id, message_ids=message_ids, excluded=True)
        summaries_fill(conversation_id, _message_ids(conversation_id))


def _pin(actor: Actor, conversation_id: UUID) -> None:
    if PinnedMemory.objects.filter(conversation_id=conversation_id).exists():
        return
    drafts = [PinDraft(_message_id(conversation_id, name), category=category) for name, category in _PINNED_MESSAGES]
    for draft in (*drafts, PinDraft(content=_PINNED_TEXT, category=PinCategory.REFERENCE)):
        pin_create(actor, conversation_id=conversation_id, draft=draft)


def _message_ids(conversation_id: UUID) -> list[UUID]:
    """The ids of all messages, in order."""
    rows = Message.objects.filter(conversation_id=conversation_id).order_by("index")
    return list(rows.values_list("id", flat=True))


def _message_id(conversation_id: UUID, external_id: str) -> UUID:
    return Message.objects.get(conversation_id=conversation_id, external_id=external_id).id
