"""The error of all model calls, for every provider: a stable code and a sentence for people.

overloaded     the provider has no capacity at the moment
rate_limited   the provider's rate limit is reached
timeout        the connection, the first byte, the next byte or the whole answer took too long
unavailable    no connection, or an internal error of the provider
cut            the answer ended before the provider confirmed that it was complete
in_band        the provider ended its answer with an error
malformed      the answer violates the protocol, is empty, or does not have the requested form
refused        the model declines to answer
unauthorized   the key is invalid or lacks a permission
rejected       the provider rejects the request: unknown model, too long, not paid for
not_configured no model is configured
not_supported  the provider does not have the requested feature
busy           no slot of this server's own model program became free in time
resting        the circuit breaker is open after several failures in a row
ceiling        the workspace's daily budget is used up
no_price       the workspace has a cost ceiling, and the model's price is unknown
recall_only    the workspace is in no-model mode

Sentences never quote the provider, whose texts may contain message content or a key.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from apps.common.errors import ContinuityError


@dataclass(frozen=True, slots=True)
class Failure:
    """Properties of an error code: `status` is the HTTP status of our API, `later` means that the call may succeed
    later, and `again` that it is retried at once as long as no text has been emitted."""

    status: int
    detail: str
    later: bool = False
    again: bool = False


FAILURES = MappingProxyType(
    {
        "overloaded": Failure(503, "The model's provider is overloaded.", later=True, again=True),
        "rate_limited": Failure(503, "The model provider's rate limit was reached.", later=True, again=True),
        "timeout": Failure(504, "The model did not respond in time.", later=True),
        "unavailable": Failure(503, "The model's provider is unreachable or failed.", later=True, again=True),
        "cut": Failure(502, "The model's reply was cut off.", later=True, again=True),
        "in_band": Failure(502, "The model's provider reported an error during the reply.", later=True, again=True),
        "malformed": Failure(502, "The model's reply does not have the requested format.", later=True),
        "refused": Failure(422, "The model declined to answer."),
        "unauthorized": Failure(502, "The model's provider rejected the API key. Check it in Settings."),
        "rejected": Failure(502, "The model's provider rejected the request. Check the model ID in Settings."),
        "not_configured": Failure(503, "No model is configured. Add an API key in Settings."),
        "not_supported": Failure(501, "The model's provider does not support this feature."),
        "busy": Failure(503, "The local model is busy with other replies.", later=True),
        "resting": Failure(503, "The model's provider failed several times. Calls are paused for now.", later=True),
        "ceiling": Failure(429, "Too little of today's model limit is left. It resets at 00:00 UTC.", later=True),
        "no_price": Failure(
            503, "The workspace has a cost limit, but the model's price is unknown. Use a token limit."
        ),
        "recall_only": Failure(503, "Models are off in this workspace."),
    }
)


def failure_text(code: str) -> str:
    """The sentence for a code; empty for codes of other errors."""
    return FAILURES[code].detail if code in FAILURES else ""


class ModelError(ContinuityError):
    """The failure of a model call.

    `provider_status` is the provider's HTTP status, if any, and `retry_after` its Retry-After in seconds. `answer` is
    the full text of an unusable answer, for debugging only. `sent` is false if the request certainly was not sent.
    """

    title = "The model did not reply"

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
