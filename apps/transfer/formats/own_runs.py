"""The compaction that stored a version of a summary, in our own export."""

from __future__ import annotations

from dataclasses import dataclass

from apps.compaction.records import RunFigures
from apps.conversations.field_checks import BadMessage
from apps.transfer.formats.fields import Fields, count_of, object_of, required_date, required_short, short_of

_MOST_TOKENS, _PERCENT, _COMPACTION = 2**53, 100, "compaction"


@dataclass(frozen=True, slots=True)
class CompactionItem:
    """`at`, `first` and `last` are names of messages: the newest one when the run began, and the span that it
    compacted; `base` is the number of the version before it, 0 for none."""

    base: int
    figures: RunFigures
    at: str
    first: str
    last: str


def read_compaction(version: Fields, *, cause: str, number: int | None) -> CompactionItem:
    """Read the run of a version with this cause and number."""
    fields = object_of(version, "run")
    if cause != _COMPACTION or number is None:
        raise BadMessage("bad_run", "only a numbered version whose cause is a compaction has a run")
    if (base := count_of(fields, "base")) >= number:
        raise BadMessage("bad_run", "a run stores a later version than its base")
    at, first, last = (short_of(fields, name) for name in ("at", "first", "last"))
    return CompactionItem(base, _figures(fields), at, first, last)


def _figures(fields: Fields) -> RunFigures:
    return RunFigures(
        trigger=required_short(fields, "trigger"),
        level=required_short(fields, "level"),
        compacted_count=count_of(fields, "count"),
        tokens_before=count_of(fields, "tokens_before", most=_MOST_TOKENS),
        tokens_after=count_of(fields, "tokens_after", most=_MOST_TOKENS),
        preservation_ratio=_ratio(fields.get("preservation_ratio")),
        model=short_of(fields, "model", 120),
        created_at=required_date(fields, "created_at"),
        started_at=required_date(fields, "started_at"),
        finished_at=required_date(fields, "finished_at"),
    )


def _ratio(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _PERCENT:
        raise BadMessage("wrong_type", f"preservation_ratio must be a number from 0 to {_PERCENT}")
    return float(value)
