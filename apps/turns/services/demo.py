"""The demo workspace: a person, a key, and a conversation of some days with everything a conversation may have."""

from __future__ import annotations

import secrets
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import UUID

from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.models import KeyScope, User
from apps.accounts.selectors import policy_for_workspace
from apps.accounts.selectors.people import actor_anywhere
from apps.accounts.services.keys import ApiKeyDraft, api_key_create
from apps.accounts.services.workspaces import workspace_create
from apps.common.errors import Conflict
from apps.common.tenancy import workspace
from apps.compaction.selectors.contexts import context_state
from apps.compaction.services.scheduling import KIND as COMPACTION
from apps.compaction.services.scheduling import compaction_want
from apps.conversations.imports.reading import Format, Source
from apps.conversations.models import Message
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.conversations import conversation_create
from apps.jobs.services import claim_named, run_job
from apps.llm.services.choice import local_models_allow
from apps.memory.models import PinCategory, PinnedMemory, UserMemoryType
from apps.memory.services.pins import PinDraft, pin_create
from apps.memory.services.user_memory import UserMemoryDraft, user_memory_create
from apps.turns.services.demo_memories import memories_fill
from apps.turns.services.importing import ImportRequest, conversation_import
from apps.turns.services.messages import messages_leave_out

EMAIL = "demo@continuity.local"
TITLE = "A booking service for eleven climbing gyms"
EXTERNAL_ID = "demo:booking-service"
TALK = Path(__file__).resolve().parents[1] / "demo" / "booking_service.jsonl"

_PINNED_MESSAGES = (("booking-service-018", PinCategory.REQUIREMENT), ("booking-service-034", PinCategory.DECISION))
_PINNED_TEXT = "API: https://wiki.example.org/booking/api-v1 · code: services/booking/api/routes.py"
_LEFT_OUT = "booking-service-041"
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
_PATIENCE_S = 60


@dataclass(frozen=True, slots=True)
class Demo:
    """Password and key only when they were made just now: they are kept nowhere in the clear."""

    email: str
    workspace_id: UUID
    conversation_id: UUID
    password: str | None = None
    api_key: str | None = None

    def to_json(self) -> dict[str, str]:
        return {name: str(value) for name, value in asdict(self).items() if value is not None}


def demo_seed(*, new_credentials: bool = False, operator: bool = False) -> Demo:
    """Make what is missing of the demo; a finished one stays as people left it. Opens units of its own.

    As an `operator` the person may use the console over all workspaces: for an installation of one's own.
    """
    user, password = _person(new_credentials)
    if operator:
        User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    actor = actor_anywhere(user.id)
    local_models_allow(workspace_id=actor.workspace_id)
    with workspace(actor.workspace_id):
        conversation_id = conversation_create(actor, title=TITLE, external_id=EXTERNAL_ID).id
        finished = context_state(conversation_id).version > 0
    if not finished:
        _fill(actor, conversation_id)
    api_key = _key(actor) if password else None
    return Demo(EMAIL, actor.workspace_id, conversation_id, password, api_key)


def _person(new_credentials: bool) -> tuple[User, str | None]:
    """The demo's person, and the password if it was made now."""
    password = secrets.token_urlsafe(12)
    with transaction.atomic():
        user = User.objects.select_for_update().filter(email=EMAIL).first()
        if user is None:
            user = User.objects.create_user(EMAIL, password, name="Lena")
            workspace_create(user_id=user.id, name="Demo")
        elif new_credentials:
            user.set_password(password)
            user.save(update_fields=["password"])
        else:
            return user, None
    return user, password


def _key(actor: Actor) -> str:
    return api_key_create(actor, draft=ApiKeyDraft("Demo", frozenset(scope.value for scope in KeyScope))).secret


def _fill(actor: Actor, conversation_id: UUID) -> None:
    request = ImportRequest(Source(TALK.name, Format.JSONL, TITLE), EXTERNAL_ID)
    with TALK.open("rb") as file:
        conversation_import(actor, file=file, request=request, on_progress=lambda report: None)
    for type_, key, content in _MEMORIES:
        with workspace(actor.workspace_id), suppress(Conflict):
            user_memory_create(actor, draft=UserMemoryDraft(type_, key, content))
    with workspace(actor.workspace_id):
        _pin(actor, conversation_id)
        left_out = [_message_id(conversation_id, _LEFT_OUT)]
        messages_leave_out(actor, conversation_id=conversation_id, message_ids=left_out, excluded=True)
        rows = Message.objects.filter(conversation_id=conversation_id).order_by("index")
        message_ids = list(rows.values_list("id", flat=True))
    memories_fill(actor, message_ids=message_ids)
    _compact(actor, conversation_id)


def _pin(actor: Actor, conversation_id: UUID) -> None:
    if PinnedMemory.objects.filter(conversation_id=conversation_id).exists():
        return
    drafts = [PinDraft(_message_id(conversation_id, name), category=category) for name, category in _PINNED_MESSAGES]
    for draft in (*drafts, PinDraft(content=_PINNED_TEXT, category=PinCategory.REFERENCE)):
        pin_create(actor, conversation_id=conversation_id, draft=draft)


def _message_id(conversation_id: UUID, external_id: str) -> UUID:
    return Message.objects.get(conversation_id=conversation_id, external_id=external_id).id


def _compact(actor: Actor, conversation_id: UUID) -> None:
    """Have the compaction done before we return: here and now, or by a worker that was quicker."""
    with workspace(actor.workspace_id):
        conversation = conversation_lock(conversation_id)
        wanted = compaction_want(conversation=conversation, policy=policy_for_workspace(), at_once=True)
    until = time.monotonic() + _PATIENCE_S
    while wanted and time.monotonic() < until:
        claim = claim_named(workspace_id=actor.workspace_id, kind=COMPACTION, key=str(conversation_id))
        if claim is not None:
            run_job(claim.job_id, claim.token)
        with workspace(actor.workspace_id):
            wanted = not context_state(conversation_id).version
        time.sleep(0.1 if wanted else 0)
