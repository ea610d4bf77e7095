"""The health of a conversation's context: one word with its reason, the numbers behind it, and a forecast.

Whoever shows it shows these words; nobody works them out a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from statistics import median

from apps.engine.policy import Policy

TIGHT_PERCENT = 75
TIGHT_TURNS = 3
FORECAST_TURNS = 5


class Word(StrEnum):
    NEW = "New"
    HEALTHY = "Healthy"
    TIGHT = "Tight"
    COMPACTING = "Compacting"
    COMPACTED = "Compacted"
    FAILED = "Compaction failed"


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

    Below `rests_below` live tokens nothing is compacted by itself; above the last threshold it stands for never.
    """

    message_count: int
    live_tokens: int
    kept_tokens: int
    system_tokens: int
    summary_version: int
    preservation_ratio: float
    turn_tokens: tuple[int, ...] = ()
    run: LastRun | None = None
    waits_because: str = ""
    rests_below: int | None = None
    token_budget: int | None = None

    def limit(self, policy: Policy) -> int:
        """Tokens of a pack: the conversation's own, or the policy's."""
        return self.token_budget or policy.default_token_budget


@dataclass(frozen=True, slots=True)
class Health:
    """`turns_until_compaction` is empty where nothing is compacted by itself, or nothing was said to go by."""

    word: Word
    reason: str
    tone: Tone
    numbers: Mapping[str, Number]
    turns_until_compaction: int | None


def health(condition: Condition, policy: Policy) -> Health:
    turns = _turns_until(condition, policy)
    percent = _percent_used(condition, policy)
    word, reason, tone = _of_run(condition.run) or _of_size(condition, policy, percent, turns)
    numbers = _numbers(condition, policy, percent, turns)
    return Health(word, reason, tone, numbers, turns)


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


def _of_run(run: LastRun | None) -> tuple[Word, str, Tone] | None:
    """What the compaction makes of it, if it matters now."""
    if run is None:
        return None
    if run.state in ("queued", "running"):
        how_far = f"{run.progress} %" if run.state == "running" else "waits"
        return Word.COMPACTING, f"{how_far}, keep writing", Tone.LIVE
    if run.state == "failed":
        return Word.FAILED, _next_try(run.retry_in_s), Tone.BAD
    if run.state == "succeeded" and run.fresh:
        return Word.COMPACTED, _what_it_did(run), Tone.OK
    return None


def _of_size(condition: Condition, policy: Policy, percent: int, turns: int | None) -> tuple[Word, str, Tone]:
    if percent >= TIGHT_PERCENT or (turns is not None and turns <= TIGHT_TURNS):
        return Word.TIGHT, _when(condition, percent, turns), Tone.WARN
    if condition.message_count < policy.min_messages_for_compaction and not condition.summary_version:
        return Word.NEW, "nothing to compact yet", Tone.PLAIN
    return Word.HEALTHY, f"{percent} % used", Tone.OK


def _when(condition: Condition, percent: int, turns: int | None) -> str:
    if turns:
        return f"compacts in ≈ {turns} turn{'' if turns == 1 else 's'}"
    if turns == 0 and not condition.waits_because:
        return "compacts after a pause"
    used = f"{percent} % used" if percent <= 100 else "full, older messages are left out"
    return f"{used}, {condition.waits_because}" if condition.waits_because else used


def _next_try(seconds: float | None) -> str:
    if seconds is None:
        return "nothing changed"
    if seconds < 60:
        return "next try in a moment"
    return f"next try in {ceil(seconds / 60)} min"


def _what_it_did(run: LastRun) -> str:
    if run.tokens_before is None or run.tokens_after is None or run.tokens_before == run.tokens_after:
        return "the summary is new"
    return f"{run.tokens_before:,} → {run.tokens_after:,} live"


def _percent_used(condition: Condition, policy: Policy) -> int:
    return round(100 * (condition.kept_tokens + condition.system_tokens) / condition.limit(policy))


def _turns_until(condition: Condition, policy: Policy) -> int | None:
    """By the median of the last turns."""
    if not (policy.engine_enabled and policy.auto_compact):
        return None
    begins_at = max(policy.light_compaction_threshold, condition.rests_below or 0)
    if begins_at > policy.aggressive_compaction_threshold:
        return None
    missing = begins_at - condition.live_tokens
    if missing <= 0:
        return 0
    usual = median(condition.turn_tokens) if condition.turn_tokens else 0
    return ceil(missing / usual) if usual else None


def _numbers(condition: Condition, policy: Policy, percent: int, turns: int | None) -> dict[str, Number]:
    found: dict[str, tuple[float | None, Source]] = {
        "used_tokens": (condition.kept_tokens + condition.system_tokens, Source.COUNTED),
        "limit_tokens": (condition.limit(policy), Source.POLICY),
        "percent_used": (percent, Source.COUNTED),
        "live_tokens": (condition.live_tokens, Source.COUNTED),
        "threshold_tokens": (policy.light_compaction_threshold, Source.POLICY),
        "preservation_ratio": (condition.preservation_ratio, Source.COUNTED),
        "tokens_per_turn": (median(condition.turn_tokens) if condition.turn_tokens else None, Source.ESTIMATED),
        "turns_until_compaction": (turns, Source.ESTIMATED),
    }
    return {name: Number(value, source) for name, (value, source) in found.items() if value is not None}
