"""Asking for an answer in a form, and asking once more with the reason when it cannot be used."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from apps.llm.errors import ModelError
from apps.llm.providers.base import ModelRequest, Provider, Schema

Accepted = TypeVar("Accepted")

_TRIES = 2


class NotAcceptable(ValueError):
    """An answer in its form, but not one that may be used; the text tells the model why. `why` is the same without the
    names that it is about, for the record."""

    def __init__(self, told: str, why: str = "") -> None:
        super().__init__(told)
        self.why = why or told


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why an answer could not be used, and the answer."""

    problem: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Question(Generic[Schema, Accepted]):
    """`request` makes the request from the problem of the last answer (empty at first) and the seconds that are left;
    `accept` turns the answer into what is wanted, or raises `NotAcceptable`; it is told whether it is the last try.
    `rejected` gets every answer that could not be used."""

    schema: type[Schema]
    request: Callable[[str, float], ModelRequest]
    accept: Callable[[Schema, bool], Accepted]
    limit_s: float
    rejected: list[Rejected] = field(default_factory=list)


async def answer_to(provider: Provider, question: Question[Schema, Accepted]) -> Accepted:
    """Raises `ModelError`; `malformed` with the last problem when no answer could be used."""
    end = time.monotonic() + question.limit_s
    problem = why = ""
    for tried in range(1, _TRIES + 1):
        left_s = end - time.monotonic()
        if left_s <= 0:
            raise ModelError("timeout")
        try:
            answer = await provider.complete_structured(question.request(problem, left_s), question.schema)
            return question.accept(answer.value, tried == _TRIES)
        except NotAcceptable as refusal:
            problem, why = str(refusal), refusal.why
            question.rejected.append(Rejected(why, answer.value.model_dump_json()))
        except ModelError as error:
            if error.code != "malformed":
                raise
            problem = why = error.detail
            question.rejected.append(Rejected(why, error.answer))
    raise ModelError("malformed", why)
