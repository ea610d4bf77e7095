"""What calls to models took, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from apps.llm.budget.rules import SpendState
from apps.llm.models import CallPurpose, CountSource, ModelUsage
from apps.llm.routing.providers import provider_label

COUNT_SOURCES = tuple(CountSource.values)
CALL_PURPOSES = tuple(CallPurpose.values)
SPEND_STATES = tuple(state.value for state in SpendState)


@dataclass(frozen=True, slots=True)
class UsageRecord:
    """Tokens of one call, `reported` by the provider or `estimated`; the input leaves out those from its cache."""

    model: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    source: str


def usage_record_of(row: ModelUsage) -> UsageRecord:
    return UsageRecord(row.model, row.input_tokens, row.output_tokens, row.cache_read_tokens, row.source)


@dataclass(frozen=True, slots=True)
class Spending:
    """How a workspace stands today. `detail` is a sentence for people, empty where there is nothing to say.

    `without_model` is why the next summary is made by rules alone: `recall_only`, `ceiling`, `no_price`, or empty. A
    call under way counts with the most that it may take.
    """

    state: str
    detail: str
    without_model: str
    resets_at: datetime
    day: date
    tokens: int
    cost_micros: int
    token_ceiling: int | None
    cost_ceiling_micros: int | None
    warning_percent: int
    background_percent: int


@dataclass(frozen=True, slots=True)
class Sums:
    """Of some calls. `tokens` are all of them; `cost_micros` is without the `unpriced_calls`."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_micros: int = 0
    calls: int = 0
    failed: int = 0
    estimated_calls: int = 0
    unpriced_calls: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(getattr(self, name) + getattr(other, name) for name in SUMMED))


SUMMED = tuple(Sums.__slots__)


@dataclass(frozen=True, slots=True)
class DaySums:
    day: date
    sums: Sums


@dataclass(frozen=True, slots=True)
class PurposeSums:
    purpose: str
    sums: Sums


@dataclass(frozen=True, slots=True)
class ModelSums:
    provider: str
    model: str
    sums: Sums

    @property
    def provider_label(self) -> str:
        return provider_label(self.provider)


@dataclass(frozen=True, slots=True)
class UsageOverview:
    """Of the days up to today, by day (those without a call too), by purpose and by model, the dearest first.
    `prices_as_of` is when somebody last looked at the prices."""

    today: Spending
    days: tuple[DaySums, ...]
    by_purpose: tuple[PurposeSums, ...]
    by_model: tuple[ModelSums, ...]
    prices_as_of: date
    unpriced_calls: int
