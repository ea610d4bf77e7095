"""Forecasts of the tokens that a compaction frees."""

from __future__ import annotations

import pytest

from apps.engine.compaction.forecast import SummarySize, forecast
from apps.engine.compaction.plan import CompactionPlan
from apps.engine.messages.message import Role
from apps.engine.policy import Level, Policy
from apps.engine.summary.consolidation import summary_budget
from tests.engine.conversations import sized

POLICY = Policy()


def plan(tokens: int) -> CompactionPlan:
    return CompactionPlan((sized(Role.USER, tokens),), complete=True)


def test_without_a_summary_the_default_ratio_is_expected() -> None:
    expected = forecast(plan(1_000), SummarySize(0, 0), Level.LIGHT, POLICY)
    assert (expected.compacted_tokens, expected.summary_tokens, expected.freed_tokens) == (1_000, 300, 700)


def test_a_summary_is_expected_to_grow_at_its_current_ratio() -> None:
    expected = forecast(plan(1_000), SummarySize(400, 4_000), Level.LIGHT, POLICY)
    assert (expected.summary_tokens, expected.freed_tokens) == (500, 900)


def test_a_long_message_counts_as_its_excerpt() -> None:
    assert forecast(plan(9_000), SummarySize(0, 0), Level.LIGHT, POLICY).compacted_tokens == POLICY.long_message_tokens


@pytest.mark.parametrize("level", list(Level))
def test_a_summary_never_exceeds_the_limit_of_its_level(level: Level) -> None:
    expected = forecast(plan(2_000), SummarySize(1_900, 2_000), level, POLICY)
    assert expected.summary_tokens == summary_budget(level, POLICY)


def test_a_more_aggressive_level_frees_more() -> None:
    freed = [forecast(plan(2_000), SummarySize(1_900, 4_000), level, POLICY).freed_tokens for level in Level]
    assert freed == sorted(set(freed))
