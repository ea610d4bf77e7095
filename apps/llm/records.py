"""What calls to models took, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from apps.llm.models import CountSource, ModelUsage

COUNT_SOURCES = tuple(CountSource.values)


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
