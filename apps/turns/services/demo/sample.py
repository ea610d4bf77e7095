"""The sample conversation of a new workspace, made in the background. It brings no memories: they would be somebody's.

The job's key is the person's id. A person who deleted their sample does not get it again.
"""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.utils import timezone

from apps.accounts.selectors.users import actor_in
from apps.common.errors import NotFound
from apps.common.tenancy import workspace
from apps.compaction.selectors.contexts import context_state
from apps.conversations.models import Conversation
from apps.conversations.selectors.access import conversation_is_deleted
from apps.conversations.services.conversations import conversation_create
from apps.conversations.services.events import lists_announce
from apps.jobs.services import Lease, job_request
from apps.turns.services.demo.content import EXTERNAL_ID, TITLE, sample_fill

KIND = "sample"


def sample_request(*, workspace_id: UUID, user_id: UUID) -> None:
    """Request the sample in the transaction that creates the workspace."""
    if settings.SAMPLE_FOR_NEW_WORKSPACES:
        now = timezone.now()
        job_request(workspace_id=workspace_id, kind=KIND, key=str(user_id), due_at=now, deadline_at=now)


def sample_run(lease: Lease) -> None:
    """Create the sample, with its summary."""
    try:
        actor = actor_in(UUID(lease.key), lease.workspace_id)
    except NotFound:
        return
    with workspace(lease.workspace_id):
        if conversation_is_deleted(actor, EXTERNAL_ID):
            return
        conversation_id = conversation_create(actor, title=TITLE, external_id=EXTERNAL_ID).id
        if context_state(conversation_id).version:
            return
        # Its words are nobody's here: they make no memories, and no archive.
        Conversation.objects.filter(pk=conversation_id).update(remembers=False)
    sample_fill(actor, conversation_id)
    with workspace(lease.workspace_id):
        # The page that was opened first has seen it empty.
        lists_announce(conversation=Conversation.objects.get(pk=conversation_id))
