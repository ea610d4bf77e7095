"""The rolling summary by a model: asked once, once more with the reason, and then not at all.

Whoever calls holds no unit of work open; the ledger is written in a short one of its own, whatever comes of the call.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from apps.common.tenancy import workspace
from apps.engine.messages import Message
from apps.engine.policy import Level, Policy
from apps.engine.summary import RollingSummary, summary_from_json, summary_to_json
from apps.engine.summary_gate import Replacement, summary_problem
from apps.llm.blocking import run_blocking
from apps.llm.prompts.compaction import Fold, compaction_prompt, source_labels, told_tokens
from apps.llm.providers.base import ModelRequest, Purpose
from apps.llm.providers.metered import CallReport
from apps.llm.registry import ChosenModel, provider_for
from apps.llm.schemas import SummaryAnswer
from apps.llm.services.asking import NotAcceptable, Question, answer_to
from apps.llm.services.memoising import memoised
from apps.llm.services.summaries import Sources, summary_of
from apps.llm.services.usage import usage_record


@dataclass(frozen=True, slots=True)
class CallAccount:
    """Who pays for a call, and for which conversation."""

    workspace_id: UUID
    conversation_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """A summary that passed the gate, the model that wrote it, and what each call took."""

    summary: RollingSummary
    model: str
    reports: tuple[CallReport, ...]


def summarise_with_model(
    current: RollingSummary, messages: Sequence[Message], level: Level, policy: Policy, *, account: CallAccount
) -> ModelSummary:
    """The summary that covers `current` and the messages, oldest first; raises `ModelError` when there is none.

    Takes at most `policy.max_compaction_time_s`. A run that is tried again after the model answered asks nobody.
    """
    chosen, fold = provider_for(Purpose.COMPACTION), Fold(current, messages, level, policy)

    def ask() -> str:
        try:
            summary = run_blocking(chosen.provider, answer_to(chosen.provider, _question(fold, chosen)))
            return json.dumps(summary_to_json(summary))
        finally:
            with workspace(account.workspace_id):
                usage_record(reports=chosen.reports, conversation_id=account.conversation_id)

    ids = [message.id for message in messages]
    key = ("compaction", chosen.model, compaction_prompt(fold, boundary=""), ids, summary_to_json(current))
    stored = json.loads(memoised(workspace_id=account.workspace_id, key=key, make=ask))
    return ModelSummary(summary_from_json(stored), chosen.model, tuple(chosen.reports))


def _question(fold: Fold, chosen: ChosenModel) -> Question[SummaryAnswer, RollingSummary]:
    boundary = secrets.token_hex(8)
    sources = Sources.of(source_labels(fold))

    def request(problem: str, left_s: float) -> ModelRequest:
        prompt = compaction_prompt(fold, boundary, problem)
        return ModelRequest(Purpose.COMPACTION, chosen.model, prompt, timeout_s=left_s)

    def accept(answer: SummaryAnswer) -> RollingSummary:
        summary = summary_of(answer, sources, fold.policy)
        if problem := summary_problem(Replacement(fold.current, summary, told_tokens(fold))):
            raise NotAcceptable(problem)
        return summary

    return Question(SummaryAnswer, request, accept, limit_s=fold.policy.max_compaction_time_s)
