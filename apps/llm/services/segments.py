"""The short text of a stretch of talk by a model: asked once, once more with the reason, and then not at all.

Whoever calls holds no unit of work open; the ledger is written in a short one of its own, whatever comes of the call.
"""

from __future__ import annotations

import secrets

from apps.common.tenancy import workspace
from apps.engine.sections import field_line
from apps.engine.tokens import count_text
from apps.llm.blocking import run_blocking
from apps.llm.prompts.segments import PROMPT_VERSION, Stretch, segment_prompt
from apps.llm.providers.base import ModelRequest, Purpose
from apps.llm.registry import ChosenModel, provider_for
from apps.llm.schemas import SegmentAnswer
from apps.llm.services.asking import NotAcceptable, Question, answer_to
from apps.llm.services.compaction import CallAccount
from apps.llm.services.memoising import memoised
from apps.llm.services.summaries import clean
from apps.llm.services.usage import usage_record

# In multiples of the target.
_LONGEST = 2
_ANSWER_TOKENS = 2_000


def segment_with_model(stretch: Stretch, *, source_hash: str, account: CallAccount, limit_s: float) -> tuple[str, str]:
    """The text and the model that wrote it, which is asked once in 30 minutes about the same; raises `ModelError`."""
    chosen = provider_for(Purpose.COMPACTION)

    def ask() -> str:
        try:
            return run_blocking(chosen.provider, answer_to(chosen.provider, _question(stretch, chosen, limit_s)))
        finally:
            with workspace(account.workspace_id):
                usage_record(reports=chosen.reports, conversation_id=account.conversation_id)

    key = ("segment", source_hash, stretch.target, chosen.model, PROMPT_VERSION)
    return memoised(workspace_id=account.workspace_id, key=key, make=ask), chosen.model


def _question(stretch: Stretch, chosen: ChosenModel, limit_s: float) -> Question[SegmentAnswer, str]:
    boundary = secrets.token_hex(8)

    def request(problem: str, left_s: float) -> ModelRequest:
        prompt = segment_prompt(stretch, boundary, problem)
        return ModelRequest(Purpose.COMPACTION, chosen.model, prompt, max_tokens=_ANSWER_TOKENS, timeout_s=left_s)

    def accept(answer: SegmentAnswer) -> str:
        text = _text_of(answer)
        if not text:
            raise NotAcceptable("It tells nothing.")
        if count_text(text) > _LONGEST * stretch.target:
            raise NotAcceptable("It is more than twice as long as it may be.")
        return text

    return Question(SegmentAnswer, request, accept, limit_s=limit_s)


def _text_of(answer: SegmentAnswer) -> str:
    """In the form that the engine's own digests have, so that it can go into the text of a longer stretch."""
    lines = [clean(answer.overview), *_listed(answer.points)]
    for field, told in (("decisions", answer.decisions), ("open_questions", answer.open_questions)):
        listed = _listed(told)
        lines.extend([field_line(field), *listed] if listed else [])
    return "\n".join(line for line in lines if line)


def _listed(texts: list[str]) -> list[str]:
    return [f"- {text}" for text in map(clean, texts) if text]
