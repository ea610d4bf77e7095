"""The rules of a day's spending: what a call may take at most, who stops when, and in which words that is told.

A day is one of UTC. Chats may use all of a ceiling; what goes on in the background stops at a share of it, so that it
never takes a person's last reply.
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

# Estimates of a prompt are off by less than this as a rule, once they are calibrated.
_SAFETY_PERCENT = 125
# Of a summary's line in the form of the answer, its sources included.
_LINE_TOKENS = 40
MICROS_PER_CENT = 10_000


class SpendState(StrEnum):
    """In rising order; the last two are no matter of what was spent."""

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
    """Of a workspace's day; empty where there is none.

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
        """As far as calls of the purpose may go."""
        return self if purpose is Purpose.CHAT else self.share(self.background_percent)

    def share(self, percent: int) -> Ceilings:
        tokens = None if self.tokens is None else self.tokens * percent // 100
        cost = None if self.cost_micros is None else self.cost_micros * percent // 100
        return Ceilings(tokens, cost, self.warning_percent, self.background_percent)

    def reached(self, spent: Spent) -> bool:
        return not self.leave(spent, Spent(1, 1))

    def leave(self, spent: Spent, more: Spent) -> bool:
        """Whether so much more may be spent."""
        if self.tokens is not None and spent.tokens + more.tokens > self.tokens:
            return False
        return self.cost_micros is None or spent.cost_micros + more.cost_micros <= self.cost_micros


def tokens_at_most(estimate: CallEstimate, percent: int) -> int:
    """`percent` is what was learned of the provider's tokens for a hundred of ours; good news is not relied on.

    >>> estimate = CallEstimate(Purpose.CHAT, "anthropic", "claude", input_tokens=1_000, output_tokens=500)
    >>> tokens_at_most(estimate, 90), tokens_at_most(estimate, 120)
    (1750, 2000)
    """
    return estimate.turns * (input_at_most(estimate, percent) + estimate.output_tokens)


def input_at_most(estimate: CallEstimate, percent: int) -> int:
    """Of one turn."""
    by_estimate = ceil(estimate.input_tokens * max(100, percent) * _SAFETY_PERCENT / 10_000)
    return max(by_estimate, estimate.tokens_by_bytes)


def summary_tokens(policy: Policy) -> int:
    """What the answer with a whole summary may have at most.

    >>> summary_tokens(Policy())
    3000
    """
    return _LINE_TOKENS * sum(map(policy.field_limit, FIELDS))


@dataclass(frozen=True, slots=True)
class Refusals:
    """Why a reply and a summary would be refused now, as the codes of a `ModelError`: empty where they would not."""

    reply: str = ""
    summary: str = ""


def refusals_by_ceilings(policy: Policy, spent: Spent) -> Refusals:
    """By what was spent alone, where nobody knows which models would be asked."""
    if not policy.model_calls_enabled:
        return Refusals("recall_only", "recall_only")
    ceilings = Ceilings.of(policy)
    reached = ceilings.reached(spent), ceilings.share(ceilings.background_percent).reached(spent)
    return Refusals(*("ceiling" if each else "" for each in reached))


def state_of(policy: Policy, spent: Spent, refusals: Refusals) -> SpendState:
    """
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
    SpendState.WARNING: "Most of what may be spent on models today is spent.",
    SpendState.BACKGROUND_STOPPED: (
        "Models are asked for replies alone until 00:00 UTC: too little of the background's share of today's limit is "
        "left."
    ),
    SpendState.STOPPED: (
        "Too little of today's limit for models is left for a reply. Models are asked again from 00:00 UTC on."
    ),
    SpendState.NO_PRICE: (
        "The workspace limits what models may cost, and no price is known of the one that replies: it is not asked."
    ),
    SpendState.RECALL_ONLY: "This workspace calls no models: it only recalls.",
}
_NO_PRICE_OF_SUMMARIES = (
    "Models are asked for replies alone: the workspace limits what models may cost, and no price is known of the one "
    "that summarises."
)


def status_text(state: SpendState, refusals: Refusals) -> str:
    """A sentence for people; empty where there is nothing to say."""
    if state is SpendState.BACKGROUND_STOPPED and refusals.summary == "no_price":
        return _NO_PRICE_OF_SUMMARIES
    return _STATUS_TEXT[state]


def day_of(moment: datetime) -> date:
    return moment.astimezone(UTC).date()


def resets_at(moment: datetime) -> datetime:
    """When the next day begins.

    >>> resets_at(datetime(2026, 12, 31, 23, 59, tzinfo=UTC)).isoformat()
    '2027-01-01T00:00:00+00:00'
    """
    return datetime.combine(day_of(moment) + timedelta(days=1), time(), UTC)
