"""One piece of background work with a model: asked on somebody's account, and written down whatever comes of it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, close_old_connections

from apps.common.tenancy import workspace
from apps.llm.providers.base import Purpose, Schema
from apps.llm.runtime.sync_bridge import run_blocking
from apps.llm.services.registry import ChosenModel
from apps.llm.services.rejected_answers import rejected_record
from apps.llm.services.usage_ledger import usage_record
from apps.llm.structured.structured_output import Accepted, Question, answer_to

_log = structlog.get_logger("continuity.llm")

# Long enough for a database to be restarted, and short beside what a job may take.
_STORE_S, _AGAIN_S = 5.0, 0.25


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
    provider = account.chosen.provider
    try:
        return run_blocking(provider, answer_to(provider, question))
    finally:
        _written_down(question, purpose, account)


def _written_down(question: Question[Schema, Accepted], purpose: Purpose, account: CallAccount) -> None:
    """Again and again while the database is away, but not for ever: the answer is paid for, and must not be lost."""
    until = time.monotonic() + _STORE_S
    while True:
        try:
            return _write(question, purpose, account)
        except (OperationalError, InterfaceError) as error:
            if time.monotonic() > until:
                _log.error("call.not_stored", error=type(error).__name__)
                return
        time.sleep(_AGAIN_S)
        close_old_connections()


def _write(question: Question[Schema, Accepted], purpose: Purpose, account: CallAccount) -> None:
    chosen, conversation_id = account.chosen, account.conversation_id
    with workspace(account.workspace_id):
        usage_record(reports=chosen.reports, conversation_id=conversation_id)
        rejected_record(
            rejected=question.rejected, purpose=purpose, model=chosen.model, conversation_id=conversation_id
        )
