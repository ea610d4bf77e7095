"""The demo workspace: a person, an API key, and a conversation over several days with every kind of content."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from uuid import UUID

from apps.accounts.models import User
from apps.accounts.selectors.users import actor_anywhere
from apps.common.tenancy import workspace
from apps.compaction.selectors.contexts import context_state
from apps.conversations.services.conversations import conversation_create
from apps.llm.services.model_settings import local_models_allow
from apps.turns.services.demo.account import EMAIL, demo_key, demo_person
from apps.turns.services.demo.content import EXTERNAL_ID, TITLE, demo_fill


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
    api_key = demo_key(actor) if password else None
    return Demo(EMAIL, actor.workspace_id, conversation_id, password, api_key)
