"""Memories of the demo's conversation, made by the product's own extractor in this process."""

from __future__ import annotations

from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.extraction.records import KIND
from apps.extraction.services.request import extraction_request
from apps.jobs.services import claim_named, run_job


def demo_learn(actor: Actor, conversation_id: UUID) -> None:
    """Request memories of the conversation, and run the job at once: the demo must not depend on a worker.

    One that a worker has claimed already does the same.
    """
    with workspace(actor.workspace_id):
        extraction_request(actor, conversation_id=conversation_id, policy=policy_for_workspace())
    claim = claim_named(workspace_id=actor.workspace_id, kind=KIND, key=str(conversation_id))
    if claim is not None:
        run_job(claim.job_id, claim.token)
