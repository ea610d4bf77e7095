"""The policy defaults and the overrides that a workspace may set."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.policy import CHOICES, FLAGS, Level, Policy, PolicyError, policy_override
from apps.engine.summary.rolling_summary import FIELDS

NUMBERS = {key: value for key, value in asdict(Policy()).items() if key not in (*FLAGS, *CHOICES)}


def test_the_defaults_match_the_design() -> None:
    policy = Policy()
    thresholds = (policy.light_compaction_threshold, policy.deep_compaction_threshold)
    assert (*thresholds, policy.aggressive_compaction_threshold) == (8_000, 16_000, 24_000)
    assert [policy.light_compaction_threshold * policy.target_percent(level) // 100 for level in Level] == [
        6_800,
        5_600,
        4_800,
    ]
    assert (policy.min_compaction_tokens, policy.max_compaction_tokens, policy.long_message_tokens) == (
        2_400,
        24_000,
        2_000,
    )
    assert (policy.min_messages_for_compaction, policy.recent_message_count, policy.newest_message_count) == (10, 20, 4)
    assert [policy.field_limit(field) for field in FIELDS] == [5, 10, 10, 5, 5, 20, 20]
    assert (policy.compaction_debounce_s, policy.compaction_max_wait_s, policy.max_compaction_time_s) == (5, 30, 30)
    assert (policy.min_preservation_ratio, policy.default_token_budget) == (60, 12_000)
    decay = (policy.memory_half_life_days, policy.relevance_floor_percent, policy.access_boost_percent)
    assert decay == (90, 10, 30)


@pytest.mark.parametrize(
    ("live", "level"),
    [
        (0, Level.LIGHT),
        (8_000, Level.LIGHT),
        (15_999, Level.LIGHT),
        (16_000, Level.DEEP),
        (23_999, Level.DEEP),
        (24_000, Level.AGGRESSIVE),
        (900_000, Level.AGGRESSIVE),
    ],
)
def test_the_level_follows_the_live_tokens(live: int, level: Level) -> None:
    assert Policy().level_for(live) is level


def test_an_override_changes_only_the_named_constants() -> None:
    changed = policy_override(Policy(), {"recent_message_count": 30, "compaction_debounce_s": 0.5})
    assert asdict(changed) == asdict(Policy()) | {"recent_message_count": 30, "compaction_debounce_s": 0.5}


@pytest.mark.parametrize(("key", "choice"), [(key, choice) for key in CHOICES for choice in CHOICES[key]])
def test_every_documented_choice_is_accepted(key: str, choice: str) -> None:
    assert getattr(policy_override(Policy(), {key: choice}), key) == choice
    assert getattr(Policy(), key) in CHOICES[key]


@pytest.mark.parametrize("flag", FLAGS)
def test_a_workspace_can_turn_a_flag_off_but_never_on(flag: str) -> None:
    off = policy_override(Policy(), {flag: False})
    assert not getattr(off, flag)
    assert not getattr(policy_override(off, {flag: True}), flag)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("no_such_constant", 1),
        ("min_compaction_tokens", -1),
        ("max_goals", 0),
        ("max_goals", 2**63),
        ("max_goals", 1.5),
        ("max_goals", True),
        ("max_goals", "5"),
        ("max_goals", None),
        ("max_goals", [5]),
        ("min_preservation_ratio", 101),
        ("light_target_percent", 0),
        ("compaction_debounce_s", float("nan")),
        ("compaction_debounce_s", float("inf")),
        ("compaction_max_wait_s", 0),
        ("long_message_tokens", 99),
        ("memory_half_life_days", 0),
        ("relevance_floor_percent", 0),
        ("access_boost_percent", 101),
        ("engine_enabled", 1),
        ("ui_enabled", "no"),
        ("token_estimator", "letters"),
        ("token_estimator", ""),
        ("token_estimator", 4),
        ("token_estimator", True),
        ("token_estimator", None),
        ("token_estimator", ["bpe"]),
    ],
)
def test_an_invalid_value_is_rejected_by_name(key: str, value: Any) -> None:
    with pytest.raises(PolicyError) as refused:
        policy_override(Policy(), {key: value})
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("overrides", "key"),
    [
        ({"deep_compaction_threshold": 7_000}, "deep_compaction_threshold"),
        ({"light_compaction_threshold": 30_000}, "deep_compaction_threshold"),
        ({"newest_message_count": 21}, "newest_message_count"),
        ({"min_compaction_tokens": 24_001}, "min_compaction_tokens"),
        ({"long_message_tokens": 24_001}, "long_message_tokens"),
    ],
)
def test_contradicting_values_are_rejected(overrides: dict[str, int], key: str) -> None:
    with pytest.raises(PolicyError) as refused:
        policy_override(Policy(), overrides)
    assert refused.value.key == key


@given(
    st.dictionaries(
        st.sampled_from(sorted((*NUMBERS, *CHOICES))) | st.text(max_size=5), st.integers() | st.floats() | st.text()
    )
)
def test_any_overrides_give_a_policy_or_a_named_error(overrides: dict[str, Any]) -> None:
    try:
        policy = policy_override(Policy(), overrides)
    except PolicyError as error:
        assert error.key in overrides or error.key in NUMBERS
    else:
        assert asdict(policy) == asdict(Policy()) | overrides
