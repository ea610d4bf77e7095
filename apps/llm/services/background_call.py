"""Background calls to a model, billed to a workspace and recorded whatever their outcome."""

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

# Long enough for a database restart, and short compared to a job's time limit.
_STORE_S, _RETRY_S = 5.0, 0.25


@dataclass(frozen=True, slots=True)
class CallAccount:
    """The model, the paying workspace, and the conversation of a call. Created in a unit of work, used outside."""

    chosen: ChosenModel
    workspace_id: UUID
    conversation_id: UUID | None = None


def ask(question: Question[Schema, Accepted], *, purpose: Purpose, account: CallAccount) -> Accepted:
    """Call the model and return the accepted answer; raises `ModelError`.

    Call it outside a unit of work; usage and rejected answers are stored in a short unit of their own.
    """
    provider = account.chosen.provider
    try:
        return run_blocking(provider, answer_to(provider, question))
    finally:
        _store(question, purpose, account)


def _store(question: Question[Schema, Accepted], purpose: Purpose, account: CallAccount) -> None:
    """Store usage and rejected answers. Retry for `_STORE_S` while the database is down: the call was billed."""
    until = time.monotonic() + _STORE_S
    while True:
        try:
            return _write(question, purpose, account)
        except (OperationalError, InterfaceError) as error:
            if time.monotonic() > until:
                _log.error("call.not_stored", error=type(error).__name__)
                return
        time.sleep(_RETRY_S)
        close_old_connections()


def _write(question: Question[Schema, Accepted], purpose: Purpose, account: CallAccount) -> None:
    chosen, conversation_id = account.chosen, account.conversation_id
    with workspace(account.workspace_id):
        usage_record(reports=chosen.reports, conversation_id=conversation_id)
        rejected_record(
            rejected=question.rejected, purpose=purpose, model=chosen.model, conversation_id=conversation_id
        )
