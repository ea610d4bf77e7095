"""The constants that an installation or a workspace can override, frozen in one place.

Nothing else is tunable. Constants of an algorithm are next to it: the size of segments in `compaction.segments`, the
ranking weights in `memory.ranking_features`, the strictness of levels in `summary.consolidation`. So are the API's
limits. The timeouts of jobs, with or without a workspace, are in `apps.jobs.timeouts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any


class Level(StrEnum):
    LIGHT = "light"
    DEEP = "deep"
    AGGRESSIVE = "aggressive"


class PolicyError(ValueError):
    """An invalid override; `key` names the constant."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Policy:
    """All constants: tokens, counts, percentages and seconds, according to their names."""

    # Token thresholds of the three levels.
    light_compaction_threshold: int = 8_000
    deep_compaction_threshold: int = 16_000
    aggressive_compaction_threshold: int = 24_000
    # Live tokens after a compaction, as shares of the light threshold.
    light_target_percent: int = 85
    deep_target_percent: int = 70
    aggressive_target_percent: int = 60
    # Minimum to compact, and maximum of one run.
    min_messages_for_compaction: int = 10
    min_compaction_tokens: int = 2_400
    max_compaction_tokens: int = 24_000
    # Messages that remain live.
    recent_message_count: int = 20
    newest_message_count: int = 4
    long_message_tokens: int = 2_000
    # Limits of the summary's fields.
    max_goals: int = 5
    max_decisions: int = 10
    max_requirements: int = 10
    max_current_plan: int = 5
    max_open_questions: int = 5
    max_definitions: int = 20
    max_references: int = 20
    # Preservation, in percent.
    target_preservation_ratio: int = 85
    min_preservation_ratio: int = 60
    # Seconds.
    compaction_debounce_s: float = 5
    compaction_max_wait_s: float = 30
    max_compaction_time_s: float = 30
    # The context pack.
    default_token_budget: int = 12_000
    pack_fill_percent: int = 95
    token_estimator: str = "heuristic"
    # Ceilings per UTC day, zero for none, and the shares from which a warning appears and background work stops. A
    # workspace can only lower these.
    daily_token_ceiling: int = 0
    daily_cost_ceiling_cents: int = 0
    spend_warning_percent: int = 80
    background_spend_percent: int = 90
    # Decay of memories: half-life, floor, boost of an access as a share of the distance to 100 %, and days until a
    # memory that no person wrote is archived, zero for never.
    memory_half_life_days: int = 90
    relevance_floor_percent: int = 10
    access_boost_percent: int = 30
    memory_archive_after_days: int = 0
    # Memories from conversations: which new ones wait for a person, from which chance on what was read becomes one or a
    # proposal, and when messages are read: after a pause, at a number of unread tokens, or at an age, whichever comes
    # first.
    memory_mode: str = "trusted"
    memory_accepted_chance_percent: int = 78
    memory_proposed_chance_percent: int = 78
    extraction_pause_s: float = 60
    extraction_max_wait_s: float = 900
    extraction_max_unread_tokens: int = 4_000
    # The chance of being relevant to a message from which on a memory is sent with it, or a message of another chat.
    memory_relevant_chance_percent: int = 15
    past_message_relevant_chance_percent: int = 50
    # A workspace can only switch these off. Without `lookups_enabled` nothing is retrieved for a message, so that
    # everything before it can come from a provider's cache. Without `past_chats_enabled` no chat quotes another one.
    model_calls_enabled: bool = True
    lookups_enabled: bool = True
    past_chats_enabled: bool = True
    engine_enabled: bool = True
    auto_compact: bool = True
    extraction_enabled: bool = True
    ui_enabled: bool = True

    def target_percent(self, level: Level) -> int:
        value: int = getattr(self, f"{level.value}_target_percent")
        return value

    def field_limit(self, field: str) -> int:
        """Return the maximum number of lines of a field of the rolling summary."""
        value: int = getattr(self, f"max_{field}")
        return value

    def level_for(self, live_tokens: int) -> Level:
        """Return the compaction level for a number of live tokens.

        >>> Policy().level_for(15_999), Policy().level_for(16_000), Policy().level_for(24_000)
        (<Level.LIGHT: 'light'>, <Level.DEEP: 'deep'>, <Level.AGGRESSIVE: 'aggressive'>)
        """
        if live_tokens >= self.aggressive_compaction_threshold:
            return Level.AGGRESSIVE
        return Level.DEEP if live_tokens >= self.deep_compaction_threshold else Level.LIGHT


CHOICES = {
    "token_estimator": ("heuristic", "characters", "words", "bpe"),
    "memory_mode": ("trusted", "confident", "nothing"),
}
FLAGS = (
    "model_calls_enabled",
    "lookups_enabled",
    "past_chats_enabled",
    "engine_enabled",
    "auto_compact",
    "extraction_enabled",
    "ui_enabled",
)
_PERCENTAGES = tuple(field.name for field in fields(Policy) if field.name.endswith(("_percent", "_ratio")))
_CEILINGS = ("daily_token_ceiling", "daily_cost_ceiling_cents")
# One by default. A long message's excerpt needs more tokens than the marker that names the message.
_LOWEST = {
    **dict.fromkeys(("compaction_debounce_s", "min_compaction_tokens", "memory_archive_after_days", *_CEILINGS), 0),
    "long_message_tokens": 100,
}
_SHARES = ("spend_warning_percent", "background_spend_percent")
_ASCENDING = ("light_compaction_threshold", "deep_compaction_threshold", "aggressive_compaction_threshold")
_LARGEST = 10_000_000
_HIGHEST_CEILING = 1_000_000_000_000


def policy_override(policy: Policy, overrides: Mapping[str, Any]) -> Policy:
    """Return the policy with some constants replaced; raises `PolicyError` for an invalid name, type or value.

    >>> policy_override(Policy(), {"recent_message_count": 30}).recent_message_count
    30
    """
    for key, value in overrides.items():
        _check_value(key, value)
    changed = replace(policy, **overrides)
    changed = replace(changed, **{flag: getattr(policy, flag) and getattr(changed, flag) for flag in FLAGS})
    _check_order(changed)
    return changed


def policy_bounded(installation: Policy, overrides: Mapping[str, Any]) -> Policy:
    """A workspace's policy: as `policy_override`, but it may not spend more than the installation lets it.

    >>> installation = Policy(daily_token_ceiling=10_000)
    >>> [policy_bounded(installation, {"daily_token_ceiling": own}).daily_token_ceiling for own in (0, 500, 50_000)]
    [10000, 500, 10000]
    """
    own = policy_override(installation, overrides)
    lower = {name: min(getattr(installation, name), getattr(own, name)) for name in _SHARES}
    for name in _CEILINGS:
        set_ones = [ceiling for ceiling in (getattr(installation, name), getattr(own, name)) if ceiling]
        lower[name] = min(set_ones, default=0)
    return replace(own, **lower)


def _check_value(key: str, value: Any) -> None:
    if key not in asdict(Policy()):
        raise PolicyError(key, "is not a policy constant")
    if choices := CHOICES.get(key):
        if value not in choices:
            raise PolicyError(key, f"must be one of {', '.join(choices)}")
        return
    kind = type(getattr(Policy(), key))
    if kind is bool or isinstance(value, bool):
        if not (kind is bool and isinstance(value, bool)):
            raise PolicyError(key, f"must be {'true or false' if kind is bool else 'a number'}")
        return
    _check_number(key, value, whole=not key.endswith("_s"))


def _check_number(key: str, value: Any, *, whole: bool) -> None:
    if not isinstance(value, int if whole else (int, float)):
        raise PolicyError(key, "must be a whole number" if whole else "must be a number")
    lowest = _LOWEST.get(key, 1)
    highest = 100 if key in _PERCENTAGES else _HIGHEST_CEILING if key in _CEILINGS else _LARGEST
    if not lowest <= value <= highest:
        raise PolicyError(key, f"must be between {lowest} and {highest}")


def _check_order(policy: Policy) -> None:
    thresholds = [getattr(policy, name) for name in _ASCENDING]
    if thresholds != sorted(thresholds):
        raise PolicyError(_ASCENDING[1], "must keep the thresholds in ascending order")
    if policy.memory_proposed_chance_percent > policy.memory_accepted_chance_percent:
        raise PolicyError("memory_proposed_chance_percent", "cannot exceed memory_accepted_chance_percent")
    if policy.newest_message_count > policy.recent_message_count:
        raise PolicyError("newest_message_count", "cannot exceed recent_message_count")
    if policy.min_compaction_tokens > policy.max_compaction_tokens:
        raise PolicyError("min_compaction_tokens", "cannot exceed max_compaction_tokens")
    if policy.long_message_tokens > policy.max_compaction_tokens:
        raise PolicyError("long_message_tokens", "cannot exceed max_compaction_tokens")
