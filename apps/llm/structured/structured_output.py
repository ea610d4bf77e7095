"""Structured output with one retry: the second request includes the reason why the first answer was rejected."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from apps.llm.errors import ModelError
from apps.llm.providers.base import ModelRequest, Provider, Schema

Accepted = TypeVar("Accepted")

_ATTEMPTS = 2


class NotAcceptable(ValueError):
    """A valid answer that cannot be used; the message explains the reason to the model. `why` is the reason without
    content, for the records."""

    def __init__(self, problem: str, why: str = "") -> None:
        super().__init__(problem)
        self.why = why or problem


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rejected answer and the reason."""

    problem: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Question(Generic[Schema, Accepted]):
    """A request for structured output.

    `request` builds the request from the problem of the last answer (empty at first) and the remaining seconds.
    `accept` converts the answer or raises `NotAcceptable`; its second argument is true on the last attempt. `rejected`
    collects the answers that could not be used.
    """

    schema: type[Schema]
    request: Callable[[str, float], ModelRequest]
    accept: Callable[[Schema, bool], Accepted]
    limit_s: float
    rejected: list[Rejected] = field(default_factory=list)


async def answer_to(provider: Provider, question: Question[Schema, Accepted]) -> Accepted:
    """Request an answer and convert it; raises `ModelError`, `malformed` if no attempt gave a usable answer."""
    end = time.monotonic() + question.limit_s
    problem = why = ""
    for attempt in range(1, _ATTEMPTS + 1):
        left_s = end - time.monotonic()
        if left_s <= 0:
            raise ModelError("timeout")
        try:
            answer = await provider.complete_structured(question.request(problem, left_s), question.schema)
            return question.accept(answer.value, attempt == _ATTEMPTS)
        except NotAcceptable as refusal:
            problem, why = str(refusal), refusal.why
            question.rejected.append(Rejected(why, answer.value.model_dump_json()))
        except ModelError as error:
            if error.code != "malformed":
                raise
            problem = why = error.detail
            question.rejected.append(Rejected(why, error.answer))
    raise ModelError("malformed", why)
