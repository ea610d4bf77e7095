"""The health of a conversation's context: a status with its reason, the numbers behind it, and a forecast.

Status and reason are codes with parameters; clients have the texts. No client computes a status itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil
from statistics import median

from apps.engine.compaction.plan import NotDue
from apps.engine.policy import Policy

TIGHT_PERCENT = 75
TIGHT_TURNS = 3
FORECAST_TURNS = 5


class HealthStatus(StrEnum):
    NEW = "new"
    HEALTHY = "healthy"
    TIGHT = "tight"
    COMPACTING = "compacting"
    COMPACTED = "compacted"
    FAILED = "failed"


class HealthCode(StrEnum):
    """Why the status is what it is; the comments name the parameters."""

    NOTHING_TO_COMPACT = "nothing_to_compact"
    USED = "used"  # percent
    LIVE = "live"  # tokens, threshold
    FULL = "full"  # older messages are omitted
    DUE_IN_TURNS = "due_in_turns"  # turns
    DUE_AFTER_PAUSE = "due_after_pause"
    QUEUED = "queued"
    RUNNING = "running"  # percent
    RETRY_SOON = "retry_soon"
    RETRY_IN_MINUTES = "retry_in_minutes"  # minutes
    NOTHING_CHANGED = "nothing_changed"
    COMPACTED = "compacted"  # before, after: live tokens
    SUMMARY_UPDATED = "summary_updated"


class Tone(StrEnum):
    PLAIN = "plain"
    OK = "ok"
    WARN = "warn"
    LIVE = "live"
    BAD = "bad"


class Source(StrEnum):
    """Counted by row A3's estimate, set by the policy, or worked out from what was so far."""

    COUNTED = "counted"
    POLICY = "policy"
    ESTIMATED = "estimated"


@dataclass(frozen=True, slots=True)
class Number:
    value: float
    source: Source


@dataclass(frozen=True, slots=True)
class LastRun:
    """The compaction that runs or waits, else the last one; `fresh` until the reply after it."""

    state: str
    progress: int = 0
    retry_in_s: float | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """What the health follows from. `kept_tokens` is the union of pins, summary and live messages.

    Below `paused_below` live tokens no automatic compaction starts; a value above the last threshold means never.
    """

    message_count: int
    live_tokens: int
    preserved_tokens: int
    system_tokens: int
    summary_version: int
    preservation_ratio: float
    turn_tokens: tuple[int, ...] = ()
    run: LastRun | None = None
    not_due: NotDue | None = None
    paused_below: int | None = None
    token_budget: int | None = None

    def limit(self, policy: Policy) -> int:
        """Tokens of a pack: the conversation's own, or the policy's."""
        return self.token_budget or policy.default_token_budget


@dataclass(frozen=True, slots=True)
class HealthReason:
    code: HealthCode
    params: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Health:
    """`not_due_reason` is why no compaction begins although the context is tight.

    `turns_until_compaction` is None where compaction is not automatic, or there are no turns to estimate by.
    """

    status: HealthStatus
    reason: HealthReason
    not_due_reason: NotDue | None
    tone: Tone
    numbers: Mapping[str, Number]
    turns_until_compaction: int | None


_Rated = tuple[HealthStatus, HealthReason, Tone]


def health(condition: Condition, policy: Policy) -> Health:
    turns = _turns_until(condition, policy)
    percent = _percent_used(condition, policy)
    status, reason, tone = _of_run(condition.run) or _of_size(condition, policy, percent, turns)
    waits = status is HealthStatus.TIGHT and reason.code in (HealthCode.USED, HealthCode.FULL)
    numbers = _numbers(condition, policy, percent, turns)
    return Health(status, reason, condition.not_due if waits else None, tone, numbers, turns)


def turn_tokens(messages: Iterable[tuple[str, int]]) -> tuple[int, ...]:
    """What each of the last turns took, oldest first; a turn begins with the user's message.

    >>> turn_tokens([("assistant", 9), ("user", 10), ("assistant", 20), ("user", 30), ("tool", 1), ("assistant", 2)])
    (30, 33)
    """
    turns: list[int] = []
    for role, tokens in messages:
        if role == "user":
            turns.append(tokens)
        elif turns:
            turns[-1] += tokens
    return tuple(turns[-FORECAST_TURNS:])


def _of_run(run: LastRun | None) -> _Rated | None:
    """By the compaction, if it matters now."""
    if run is None:
        return None
    if run.state == "queued":
        return HealthStatus.COMPACTING, HealthReason(HealthCode.QUEUED), Tone.LIVE
    if run.state == "running":
        return HealthStatus.COMPACTING, HealthReason(HealthCode.RUNNING, {"percent": run.progress}), Tone.LIVE
    if run.state == "failed":
        return HealthStatus.FAILED, _next_try(run.retry_in_s), Tone.BAD
    if run.state == "succeeded" and run.fresh:
        return HealthStatus.COMPACTED, _what_it_did(run), Tone.OK
    return None


def _of_size(condition: Condition, policy: Policy, percent: int, turns: int | None) -> _Rated:
    if percent >= TIGHT_PERCENT or (turns is not None and turns <= TIGHT_TURNS):
        return HealthStatus.TIGHT, _when(condition, percent, turns), Tone.WARN
    if condition.message_count < policy.min_messages_for_compaction and not condition.summary_version:
        return HealthStatus.NEW, HealthReason(HealthCode.NOTHING_TO_COMPACT), Tone.PLAIN
    return HealthStatus.HEALTHY, _fullness(condition, policy, percent), Tone.OK


def _fullness(condition: Condition, policy: Policy, percent: int) -> HealthReason:
    """The live tokens where a compaction starts by them; otherwise the share of the budget."""
    threshold = _starts_at(condition, policy)
    if threshold is None:
        return HealthReason(HealthCode.USED, {"percent": percent})
    return HealthReason(HealthCode.LIVE, {"tokens": condition.live_tokens, "threshold": threshold})


def _when(condition: Condition, percent: int, turns: int | None) -> HealthReason:
    if turns:
        return HealthReason(HealthCode.DUE_IN_TURNS, {"turns": turns})
    if turns == 0 and condition.not_due is None:
        return HealthReason(HealthCode.DUE_AFTER_PAUSE)
    return HealthReason(HealthCode.USED, {"percent": percent}) if percent <= 100 else HealthReason(HealthCode.FULL)


def _next_try(seconds: float | None) -> HealthReason:
    if seconds is None:
        return HealthReason(HealthCode.NOTHING_CHANGED)
    if seconds < 60:
        return HealthReason(HealthCode.RETRY_SOON)
    return HealthReason(HealthCode.RETRY_IN_MINUTES, {"minutes": ceil(seconds / 60)})


def _what_it_did(run: LastRun) -> HealthReason:
    if run.tokens_before is None or run.tokens_after is None or run.tokens_before == run.tokens_after:
        return HealthReason(HealthCode.SUMMARY_UPDATED)
    return HealthReason(HealthCode.COMPACTED, {"before": run.tokens_before, "after": run.tokens_after})


def _percent_used(condition: Condition, policy: Policy) -> int:
    return round(100 * (condition.preserved_tokens + condition.system_tokens) / condition.limit(policy))


def _starts_at(condition: Condition, policy: Policy) -> int | None:
    """The live tokens at which an automatic compaction starts; None if none does."""
    if not (policy.engine_enabled and policy.auto_compact):
        return None
    threshold = max(policy.light_compaction_threshold, condition.paused_below or 0)
    return threshold if threshold <= policy.aggressive_compaction_threshold else None


def _turns_until(condition: Condition, policy: Policy) -> int | None:
    """By the median of the last turns."""
    threshold = _starts_at(condition, policy)
    if threshold is None:
        return None
    missing = threshold - condition.live_tokens
    if missing <= 0:
        return 0
    usual = median(condition.turn_tokens) if condition.turn_tokens else 0
    return ceil(missing / usual) if usual else None


def _numbers(condition: Condition, policy: Policy, percent: int, turns: int | None) -> dict[str, Number]:
    found: dict[str, tuple[float | None, Source]] = {
        "used_tokens": (condition.preserved_tokens + condition.system_tokens, Source.ESTIMATED),
        "limit_tokens": (condition.limit(policy), Source.POLICY),
        "percent_used": (percent, Source.ESTIMATED),
        "live_tokens": (condition.live_tokens, Source.ESTIMATED),
        "threshold_tokens": (policy.light_compaction_threshold, Source.POLICY),
        "preservation_ratio": (condition.preservation_ratio, Source.ESTIMATED),
        "tokens_per_turn": (median(condition.turn_tokens) if condition.turn_tokens else None, Source.ESTIMATED),
        "turns_until_compaction": (turns, Source.ESTIMATED),
    }
    return {name: Number(value, source) for name, (value, source) in found.items() if value is not None}
