"""The demo workspace: a person, an API key, and a conversation over several days with every kind of content."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.models import User
from apps.accounts.selectors import policy_for_workspace
from apps.accounts.selectors.users import actor_anywhere
from apps.common.tenancy import workspace
from apps.compaction.selectors.contexts import context_state
from apps.compaction.services.scheduling import KIND as COMPACTION
from apps.compaction.services.scheduling import compaction_schedule_if_due
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.services.conversations import conversation_create
from apps.jobs.services import claim_named, run_job
from apps.llm.services.model_settings import local_models_allow
from apps.turns.services.demo_account import EMAIL, demo_key, demo_person
from apps.turns.services.demo_content import EXTERNAL_ID, TITLE, demo_fill

_PATIENCE_S = 60


@dataclass(frozen=True, slots=True)
class Demo:
    """The demo's credentials. Password and key are set only if just created: they are stored only as hashes."""

    email: str
    workspace_id: UUID
    conversation_id: UUID
    password: str | None = None
    api_key: str | None = None

    def to_json(self) -> dict[str, str]:
        return {name: str(value) for name, value in asdict(self).items() if value is not None}


def demo_seed(*, new_credentials: bool = False, operator: bool = False) -> Demo:
    """Create the missing parts of the demo; a complete one is unchanged. Opens units of work of its own.

    An `operator` may use the console for all workspaces, which suits a private installation.
    """
    user, password = demo_person(new_credentials)
    if operator:
        User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    actor = actor_anywhere(user.id)
    local_models_allow(workspace_id=actor.workspace_id)
    with workspace(actor.workspace_id):
        conversation_id = conversation_create(actor, title=TITLE, external_id=EXTERNAL_ID).id
        finished = context_state(conversation_id).version > 0
    if not finished:
        demo_fill(actor, conversation_id)
        _compact(actor, conversation_id)
    api_key = demo_key(actor) if password else None
    return Demo(EMAIL, actor.workspace_id, conversation_id, password, api_key)


def _compact(actor: Actor, conversation_id: UUID) -> None:
    """Return when the compaction is done, either here or by a worker that claimed it first."""
    with workspace(actor.workspace_id):
        conversation = conversation_lock(conversation_id)
        wanted = compaction_schedule_if_due(conversation=conversation, policy=policy_for_workspace(), at_once=True)
    until = time.monotonic() + _PATIENCE_S
    while wanted and time.monotonic() < until:
        claim = claim_named(workspace_id=actor.workspace_id, kind=COMPACTION, key=str(conversation_id))
        if claim is not None:
            run_job(claim.job_id, claim.token)
        with workspace(actor.workspace_id):
            wanted = not context_state(conversation_id).version
        time.sleep(0.1 if wanted else 0)
