"""Usage and spending as plain data."""

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
    """Tokens of one call, `reported` by the provider or `estimated`; `input_tokens` excludes cached tokens."""

    model: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    source: str


def usage_record_of(row: ModelUsage) -> UsageRecord:
    return UsageRecord(row.model, row.input_tokens, row.output_tokens, row.cache_read_tokens, row.source)


@dataclass(frozen=True, slots=True)
class Spending:
    """A workspace's budget status today. `detail` is a sentence for people, or empty.

    `without_model` is the reason why the next summary will be extractive: `recall_only`, `ceiling`, `no_price`, or
    empty. Running calls count with their reservations.
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
    """Sums over calls. `tokens` counts tokens of all kinds; `cost_micros` excludes the `unpriced_calls`."""

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
    """Usage of the last days: by day (including days without calls), and by purpose and model, most expensive first.
    `prices_as_of` is when the price list was last checked."""

    today: Spending
    days: tuple[DaySums, ...]
    by_purpose: tuple[PurposeSums, ...]
    by_model: tuple[ModelSums, ...]
    prices_as_of: date
    unpriced_calls: int
