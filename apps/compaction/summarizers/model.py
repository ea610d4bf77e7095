"""The rolling summary by a model: one call, one retry with the reason of the rejection.

No unit of work may be open during the call.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from apps.compaction.summarizers.prompt import SummaryRequest, compaction_prompt
from apps.compaction.summarizers.review import notes_accepted
from apps.compaction.summarizers.schema import SummaryAnswer
from apps.engine.messages.message import Message
from apps.engine.policy import Level, Policy
from apps.engine.summary.carry_over import Notes, removed_from_json, removed_to_json
from apps.engine.summary.rolling_summary import RollingSummary, summary_from_json, summary_to_json
from apps.llm.budget.rules import summary_tokens
from apps.llm.middleware.metering import CallReport
from apps.llm.providers.base import ModelRequest, Purpose
from apps.llm.services.background_call import CallAccount, ask
from apps.llm.services.registry import ChosenModel
from apps.llm.services.response_cache import memoised
from apps.llm.structured.structured_output import Question


@dataclass(frozen=True, slots=True)
class ModelSummary:
    """Notes that passed the gate, the model that wrote them, and what each call took."""

    notes: Notes
    model: str
    reports: tuple[CallReport, ...]


def summarize_with_model(
    current: RollingSummary, messages: Sequence[Message], level: Level, policy: Policy, *, account: CallAccount
) -> ModelSummary:
    """The summary that covers `current` and the messages, oldest first; raises `ModelError` when there is none.

    Takes at most `policy.max_compaction_time_s`. A retried run reuses an answer that the model gave before.
    """
    chosen, fold = account.chosen, SummaryRequest(current, messages, level, policy)

    def make() -> str:
        notes = ask(_question(fold, chosen), purpose=Purpose.COMPACTION, account=account)
        return json.dumps({"summary": summary_to_json(notes.summary), "removed": removed_to_json(notes.removed)})

    ids = [message.id for message in messages]
    key = ("compaction", chosen.model, compaction_prompt(fold, boundary=""), ids, summary_to_json(current))
    stored = json.loads(memoised(workspace_id=account.workspace_id, key=key, make=make))
    notes = Notes(summary_from_json(stored["summary"]), removed_from_json(stored["removed"]))
    return ModelSummary(notes, chosen.model, tuple(chosen.reports))


def _question(fold: SummaryRequest, chosen: ChosenModel) -> Question[SummaryAnswer, Notes]:
    boundary, most = secrets.token_hex(8), min(chosen.answer_budget, summary_tokens(fold.policy))

    def request(problem: str, left_s: float) -> ModelRequest:
        prompt = compaction_prompt(fold, boundary, problem)
        return ModelRequest(Purpose.COMPACTION, chosen.model, prompt, max_tokens=most, timeout_s=left_s)

    def accept(answer: SummaryAnswer, last: bool) -> Notes:
        return notes_accepted(fold, answer, last=last)

    return Question(SummaryAnswer, request, accept, limit_s=fold.policy.max_compaction_time_s)
