"""Memories by a model: one call for a part of a conversation, one retry with the reason of the rejection.

No unit of work may be open during the call.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from apps.engine.extraction.candidate import Candidate
from apps.extraction.extractors.claims import claims_of
from apps.extraction.extractors.prompt import memories_prompt
from apps.extraction.extractors.schema import MemoriesAnswer
from apps.extraction.extractors.transcript import Transcript
from apps.llm.providers.base import ModelRequest, Purpose
from apps.llm.services.background_call import CallAccount, ask
from apps.llm.structured.structured_output import Question

_ANSWER_TOKENS = 6_000
_CALL_S = 18


def claims_by_model(transcript: Transcript, account: CallAccount) -> Sequence[Candidate]:
    """What a model claims to have found, not yet judged. Raise `ModelError` on failure."""
    chosen, boundary = account.chosen, secrets.token_hex(8)

    def request(problem: str, left_s: float) -> ModelRequest:
        prompt = memories_prompt(transcript, boundary, problem)
        room = min(_ANSWER_TOKENS, chosen.answer_budget)
        return ModelRequest(Purpose.EXTRACTION, chosen.model, prompt, max_tokens=room, timeout_s=left_s)

    def accept(answer: MemoriesAnswer, last: bool) -> list[Candidate]:
        return claims_of(answer, transcript, chosen.model, last=last)

    question = Question(MemoriesAnswer, request, accept, limit_s=_CALL_S)
    return ask(question, purpose=Purpose.EXTRACTION, account=account)
