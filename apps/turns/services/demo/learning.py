"""Memories of the demo's conversation, made by the product's own extractor."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.extraction.services.request import extraction_request


def demo_learn(actor: Actor, conversation_id: UUID) -> None:
    """Request memories of the conversation: a worker makes them, and the start does not wait for it."""
    with workspace(actor.workspace_id):
        extraction_request(actor, conversation_id=conversation_id, policy=policy_for_workspace())
