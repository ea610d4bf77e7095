"""Rules of the daily budget: the maximum size of a call, when calls stop, and the texts that explain it.

Days are UTC. Chats may use the whole ceiling; background work stops at a share of it, so that it never uses up the
budget for a person's reply.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from math import ceil

from apps.engine.policy import Policy
from apps.engine.summary.rolling_summary import FIELDS
from apps.llm.middleware.reservation import CallEstimate
from apps.llm.providers.base import Purpose

# Calibrated estimates of a prompt are rarely off by more than this.
_SAFETY_PERCENT = 125
# Tokens of one summary line in the structured answer, including its sources.
_LINE_TOKENS = 40
MICROS_PER_CENT = 10_000


class SpendState(StrEnum):
    """Budget states in rising order; the last two do not depend on what was spent."""

    OPEN = "open"
    WARNING = "warning"
    BACKGROUND_STOPPED = "background_stopped"
    STOPPED = "stopped"
    NO_PRICE = "no_price"
    RECALL_ONLY = "recall_only"


@dataclass(frozen=True, slots=True)
class Spent:
    tokens: int = 0
    cost_micros: int = 0


@dataclass(frozen=True, slots=True)
class Ceilings:
    """A workspace's daily limits; None for no limit.

    >>> Ceilings(tokens=10_000, cost_micros=None).for_purpose(Purpose.COMPACTION).tokens
    9000
    """

    tokens: int | None
    cost_micros: int | None
    warning_percent: int = 80
    background_percent: int = 90

    @classmethod
    def of(cls, policy: Policy) -> Ceilings:
        return cls(
            policy.daily_token_ceiling or None,
            policy.daily_cost_ceiling_cents * MICROS_PER_CENT or None,
            policy.spend_warning_percent,
            policy.background_spend_percent,
        )

    @property
    def are_set(self) -> bool:
        return not (self.tokens is None and self.cost_micros is None)

    def for_purpose(self, purpose: Purpose) -> Ceilings:
        """The part of the limits that calls for this purpose may use."""
        return self if purpose is Purpose.CHAT else self.share(self.background_percent)

    def share(self, percent: int) -> Ceilings:
        tokens = None if self.tokens is None else self.tokens * percent // 100
        cost = None if self.cost_micros is None else self.cost_micros * percent // 100
        return Ceilings(tokens, cost, self.warning_percent, self.background_percent)

    def reached(self, spent: Spent) -> bool:
        return not self.allow(spent, Spent(1, 1))

    def allow(self, spent: Spent, more: Spent) -> bool:
        """Whether the additional amount fits within the limits."""
        if self.tokens is not None and spent.tokens + more.tokens > self.tokens:
            return False
        return self.cost_micros is None or spent.cost_micros + more.cost_micros <= self.cost_micros


def tokens_at_most(estimate: CallEstimate, percent: int) -> int:
    """An upper bound of the tokens of a call.

    `percent` is the calibrated ratio of the provider's tokens to ours; values below 100 are ignored.

    >>> estimate = CallEstimate(Purpose.CHAT, "anthropic", "claude", input_tokens=1_000, output_tokens=500)
    >>> tokens_at_most(estimate, 90), tokens_at_most(estimate, 120)
    (1750, 2000)
    """
    return estimate.turns * (input_at_most(estimate, percent) + estimate.output_tokens)


def input_at_most(estimate: CallEstimate, percent: int) -> int:
    """An upper bound of the input tokens of one turn."""
    by_estimate = ceil(estimate.input_tokens * max(100, percent) * _SAFETY_PERCENT / 10_000)
    return max(by_estimate, estimate.tokens_by_bytes)


def summary_tokens(policy: Policy) -> int:
    """The token limit of an answer that contains a complete summary.

    >>> summary_tokens(Policy())
    3000
    """
    return _LINE_TOKENS * sum(map(policy.field_limit, FIELDS))


@dataclass(frozen=True, slots=True)
class Refusals:
    """`ModelError` codes with which a reply and a summary would be refused now; empty if they would not."""

    reply: str = ""
    summary: str = ""


def refusals_by_ceilings(policy: Policy, spent: Spent) -> Refusals:
    """The refusals by spending alone, without regard to the models in use."""
    if not policy.model_calls_enabled:
        return Refusals("recall_only", "recall_only")
    ceilings = Ceilings.of(policy)
    reached = ceilings.reached(spent), ceilings.share(ceilings.background_percent).reached(spent)
    return Refusals(*("ceiling" if each else "" for each in reached))


def state_of(policy: Policy, spent: Spent, refusals: Refusals) -> SpendState:
    """The budget state that follows from spending and refusals.

    >>> policy = Policy(daily_token_ceiling=1_000)
    >>> days = [Spent(tokens) for tokens in (799, 800, 900, 1_000)]
    >>> [state_of(policy, day, refusals_by_ceilings(policy, day)).value for day in days]
    ['open', 'warning', 'background_stopped', 'stopped']
    >>> state_of(policy, Spent(), Refusals(reply="no_price")).value
    'no_price'
    """
    if refusals.reply:
        return _OF_REPLIES[refusals.reply]
    if refusals.summary:
        return SpendState.BACKGROUND_STOPPED
    ceilings = Ceilings.of(policy)
    return SpendState.WARNING if ceilings.share(ceilings.warning_percent).reached(spent) else SpendState.OPEN


_OF_REPLIES = {
    "ceiling": SpendState.STOPPED,
    "no_price": SpendState.NO_PRICE,
    "recall_only": SpendState.RECALL_ONLY,
}
_STATUS_TEXT = {
    SpendState.OPEN: "",
    SpendState.WARNING: "Most of today's model limit is used.",
    SpendState.BACKGROUND_STOPPED: (
        "Models only write replies until 00:00 UTC: background work has used its share of today's limit."
    ),
    SpendState.STOPPED: ("Too little of today's model limit is left for a reply. It resets at 00:00 UTC."),
    SpendState.NO_PRICE: (
        "The workspace has a cost limit, but the price of the reply model is unknown. Use a token limit."
    ),
    SpendState.RECALL_ONLY: "Models are off in this workspace.",
}
_NO_PRICE_OF_SUMMARIES = (
    "Models only write replies: the workspace has a cost limit, and the price of the model for summaries is unknown."
)


def status_text(state: SpendState, refusals: Refusals) -> str:
    """A sentence about the state for people, or an empty string."""
    if state is SpendState.BACKGROUND_STOPPED and refusals.summary == "no_price":
        return _NO_PRICE_OF_SUMMARIES
    return _STATUS_TEXT[state]


def day_of(moment: datetime) -> date:
    """The UTC day of a moment."""
    return moment.astimezone(UTC).date()


def resets_at(moment: datetime) -> datetime:
    """The beginning of the next UTC day.

    >>> resets_at(datetime(2026, 12, 31, 23, 59, tzinfo=UTC)).isoformat()
    '2027-01-01T00:00:00+00:00'
    """
    return datetime.combine(day_of(moment) + timedelta(days=1), time(), UTC)
