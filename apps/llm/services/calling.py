"""One piece of background work with a model: asked on somebody's account, and written down whatever comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.common.tenancy import workspace
from apps.llm.blocking import run_blocking
from apps.llm.providers.base import Purpose, Schema
from apps.llm.registry import ChosenModel
from apps.llm.services.asking import Accepted, Question, answer_to
from apps.llm.services.rejecting import rejected_record
from apps.llm.services.usage import usage_record


@dataclass(frozen=True, slots=True)
class CallAccount:
    """Which model is asked, who pays for it, and for which conversation. Chosen in a unit, asked outside."""

    chosen: ChosenModel
    workspace_id: UUID
    conversation_id: UUID | None = None


def ask(question: Question[Schema, Accepted], *, purpose: Purpose, account: CallAccount) -> Accepted:
    """What the model answered, as far as it was accepted; raises `ModelError`.

    Whoever calls holds no unit open; ledger and refused answers are written in a short one.
    """
    chosen = account.chosen
    try:
        return run_blocking(chosen.provider, answer_to(chosen.provider, question))
    finally:
        with workspace(account.workspace_id):
            usage_record(reports=chosen.reports, conversation_id=account.conversation_id)
            rejected_record(
                rejected=question.rejected,
                purpose=purpose,
                model=chosen.model,
                conversation_id=account.conversation_id,
            )
