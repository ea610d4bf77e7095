"""The one error of all models, whoever provides them: a code that never changes and a sentence for people.

overloaded     the provider has no room now
rate_limited   the provider lets us ask no more for now
timeout        no connection, no first byte, silence, or not done in time
unavailable    no answer at all: no connection, or the provider failed inside
cut            the answer ended before the provider said that it was complete
in_band        the provider broke off its answer with an error of its own
malformed      what came is not the protocol, is empty, or is not in the form that was asked for
refused        the model declines to answer
unauthorized   the key is not valid or may not do this
rejected       the provider does not accept the request: unknown model, too long, not paid for
not_configured there is no model to ask
not_supported  the provider has no such thing
busy           others ask this server's own program, and their answers take too long to wait for a turn
resting        the provider failed several times in a row and is left alone for a while
ceiling        the workspace's spending of today is at its limit
no_price       the workspace limits what models may cost, and no price is known of this one
recall_only    the workspace calls no models

A sentence never quotes the provider, whose words may repeat what was said, or a key.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from apps.common.errors import ContinuityError


@dataclass(frozen=True, slots=True)
class Failure:
    """`status` is what our own API answers; `later` tells that the same call may succeed another time; `again` that
    it is tried again at once while nothing of an answer has been handed on."""

    status: int
    detail: str
    later: bool = False
    again: bool = False


FAILURES = MappingProxyType(
    {
        "overloaded": Failure(503, "The model's provider is overloaded.", later=True, again=True),
        "rate_limited": Failure(503, "The model's provider limits how often it may be asked.", later=True, again=True),
        "timeout": Failure(504, "The model did not answer in time.", later=True),
        "unavailable": Failure(503, "The model's provider cannot be reached or failed.", later=True, again=True),
        "cut": Failure(502, "The model's answer ended before it was complete.", later=True, again=True),
        "in_band": Failure(502, "The model's provider broke off the answer with an error.", later=True, again=True),
        "malformed": Failure(502, "The model's answer does not have the form that was asked for.", later=True),
        "refused": Failure(422, "The model declined to answer."),
        "unauthorized": Failure(502, "The model's provider does not accept the key."),
        "rejected": Failure(502, "The model's provider does not accept the request."),
        "not_configured": Failure(503, "No model is configured."),
        "not_supported": Failure(501, "The model's provider has no such thing."),
        "busy": Failure(503, "This server's own model program is busy with other answers.", later=True),
        "resting": Failure(503, "The model's provider failed several times and is left alone for a while.", later=True),
        "ceiling": Failure(429, "Too little of today's limit for models is left; it goes on at 00:00 UTC.", later=True),
        "no_price": Failure(503, "The workspace limits what models may cost, and no price is known of this one."),
        "recall_only": Failure(503, "This workspace calls no models: it only recalls."),
    }
)


def failure_text(code: str) -> str:
    """The sentence behind a code; empty where it is none of a model's."""
    return FAILURES[code].detail if code in FAILURES else ""


class ModelError(ContinuityError):
    """`provider_status` is the provider's HTTP status, if it came to that; `retry_after` is its wish in seconds.

    `answer` is the whole of an answer that could not be used, for who looks into it; nothing shows it. `sent` is false
    where the request surely never left: nobody can have taken it.
    """

    title = "The model could not answer"

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        provider_status: int | None = None,
        retry_after: float | None = None,
        answer: str = "",
        sent: bool = True,
    ) -> None:
        failure = FAILURES[code]
        super().__init__(detail or failure.detail, code=code)
        self.status = failure.status
        self.retryable = failure.later
        self.at_once = failure.again
        self.provider_status = provider_status
        self.retry_after = retry_after
        self.answer = answer
        self.sent = sent
