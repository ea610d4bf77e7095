"""Segment summaries by a model: one call, one retry with the reason of the rejection.

No unit of work may be open during the call.
"""

from __future__ import annotations

import secrets

from apps.compaction.summarizers.schema import SegmentAnswer
from apps.compaction.summarizers.segment_prompt import PROMPT_VERSION, SegmentRequest, segment_prompt
from apps.engine.compaction.plan import live_tokens
from apps.engine.summary.rendering import section_line
from apps.engine.summary.trust.prompt_injection import orders_the_model
from apps.engine.tokens.estimate import estimate_text
from apps.llm.providers.base import ModelRequest, Purpose
from apps.llm.services.background_call import CallAccount, ask
from apps.llm.services.registry import ChosenModel
from apps.llm.services.response_cache import memoised
from apps.llm.structured.structured_output import NotAcceptable, Question
from apps.llm.structured.text import clean

# In multiples of the target.
_LONGEST = 2
_ANSWER_TOKENS = 2_000


def segment_fits(stretch: SegmentRequest, chosen: ChosenModel) -> bool:
    """Whether the segment fits into the model's window; some models drop the rest of a longer one silently."""
    to_read = live_tokens(stretch.messages, stretch.policy) + sum(map(estimate_text, stretch.texts))
    return to_read <= chosen.input_budget


def segment_with_model(
    stretch: SegmentRequest, *, source_hash: str, account: CallAccount, limit_s: float
) -> tuple[str, str]:
    """The text and the model that wrote it; the same request is answered once in 30 minutes. Raises `ModelError`."""
    chosen = account.chosen

    def make() -> str:
        return ask(_question(stretch, chosen, limit_s), purpose=Purpose.COMPACTION, account=account)

    key = ("segment", source_hash, stretch.target, chosen.model, PROMPT_VERSION)
    return memoised(workspace_id=account.workspace_id, key=key, make=make), chosen.model


def _question(stretch: SegmentRequest, chosen: ChosenModel, limit_s: float) -> Question[SegmentAnswer, str]:
    boundary = secrets.token_hex(8)

    def request(problem: str, left_s: float) -> ModelRequest:
        prompt = segment_prompt(stretch, boundary, problem)
        room = min(_ANSWER_TOKENS, chosen.answer_budget)
        return ModelRequest(Purpose.COMPACTION, chosen.model, prompt, max_tokens=room, timeout_s=left_s)

    def accept(answer: SegmentAnswer, last: bool) -> str:
        lines = _lines_of(answer)
        ordering = [line for line in lines if orders_the_model(line)]
        if ordering and not last:
            raise NotAcceptable("Some of it gives orders to a model; leave that out.")
        text = "\n".join(line for line in lines if line not in ordering)
        if not text:
            raise NotAcceptable("It contains no information.")
        if estimate_text(text) > _LONGEST * stretch.target:
            raise NotAcceptable("It is more than twice its length limit.")
        return text

    return Question(SegmentAnswer, request, accept, limit_s=limit_s)


def _lines_of(answer: SegmentAnswer) -> list[str]:
    """Render it in the format of the engine's digests, so that it can be part of a longer segment's text."""
    lines = [clean(answer.overview), *_listed(answer.points)]
    for field, serialized_message in (("decisions", answer.decisions), ("open_questions", answer.open_questions)):
        listed = _listed(serialized_message)
        lines.extend([section_line(field), *listed] if listed else [])
    return [line for line in lines if line]


def _listed(texts: list[str]) -> list[str]:
    return [f"- {text}" for text in map(clean, texts) if text]
