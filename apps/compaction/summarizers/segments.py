"""The short text of a stretch of talk by a model: asked once, once more with the reason, and then not at all.

Whoever calls holds no unit of work open.
"""

from __future__ import annotations

import secrets

from apps.compaction.summarizers.schema import SegmentAnswer
from apps.compaction.summarizers.segment_prompt import PROMPT_VERSION, SegmentRequest, segment_prompt
from apps.engine.compaction.plan import live_tokens
from apps.engine.summary.prompt_injection import orders_the_model
from apps.engine.summary.rendering import field_line
from apps.engine.tokens.counting import count_text
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
    """Whether the model can read the stretch at once; of one that is too long some drop the rest without a word."""
    to_read = live_tokens(stretch.messages, stretch.policy) + sum(map(count_text, stretch.texts))
    return to_read <= chosen.reading_room


def segment_with_model(
    stretch: SegmentRequest, *, source_hash: str, account: CallAccount, limit_s: float
) -> tuple[str, str]:
    """The text and the model that wrote it, which is asked once in 30 minutes about the same; raises `ModelError`."""
    chosen = account.chosen

    def make() -> str:
        return ask(_question(stretch, chosen, limit_s), purpose=Purpose.COMPACTION, account=account)

    key = ("segment", source_hash, stretch.target, chosen.model, PROMPT_VERSION)
    return memoised(workspace_id=account.workspace_id, key=key, make=make), chosen.model


def _question(stretch: SegmentRequest, chosen: ChosenModel, limit_s: float) -> Question[SegmentAnswer, str]:
    boundary = secrets.token_hex(8)

    def request(problem: str, left_s: float) -> ModelRequest:
        prompt = segment_prompt(stretch, boundary, problem)
        room = min(_ANSWER_TOKENS, chosen.answer_room)
        return ModelRequest(Purpose.COMPACTION, chosen.model, prompt, max_tokens=room, timeout_s=left_s)

    def accept(answer: SegmentAnswer, last: bool) -> str:
        lines = _lines_of(answer)
        ordering = [line for line in lines if orders_the_model(line)]
        if ordering and not last:
            raise NotAcceptable("Some of it gives orders to a model; leave that out.")
        text = "\n".join(line for line in lines if line not in ordering)
        if not text:
            raise NotAcceptable("It tells nothing.")
        if count_text(text) > _LONGEST * stretch.target:
            raise NotAcceptable("It is more than twice as long as it may be.")
        return text

    return Question(SegmentAnswer, request, accept, limit_s=limit_s)


def _lines_of(answer: SegmentAnswer) -> list[str]:
    """In the form that the engine's own digests have, so that it can go into the text of a longer stretch."""
    lines = [clean(answer.overview), *_listed(answer.points)]
    for field, serialized_message in (("decisions", answer.decisions), ("open_questions", answer.open_questions)):
        listed = _listed(serialized_message)
        lines.extend([field_line(field), *listed] if listed else [])
    return [line for line in lines if line]


def _listed(texts: list[str]) -> list[str]:
    return [f"- {text}" for text in map(clean, texts) if text]
