"""Streams of synthetic conversations."""

from __future__ import annotations

import pytest

from apps.engine.policy import Policy
from studies.engine.simulation import STREAMS, simulate


@pytest.mark.parametrize("name", STREAMS)
def test_every_stream_ends_below_the_threshold_or_with_nothing_to_compact(name: str) -> None:
    policy, outcome = Policy(), simulate(STREAMS[name], Policy())
    assert outcome.run_tokens, "it is long enough to be folded"
    assert max(outcome.run_tokens) <= policy.max_compaction_tokens
    assert outcome.live <= policy.light_compaction_threshold
    assert outcome.highest >= policy.light_compaction_threshold


def test_an_agent_s_loop_is_compacted_after_its_turn() -> None:
    outcome = simulate(STREAMS["agent loop"], Policy())
    assert len(outcome.run_tokens) <= 2 * outcome.turns


def test_a_huge_paste_counts_as_its_excerpt() -> None:
    assert simulate(STREAMS["a paste of 30,000"], Policy()).highest < 10_000


def test_without_automatic_compaction_nothing_is_compacted() -> None:
    outcome = simulate(STREAMS["200 × 50"], Policy(auto_compact=False))
    assert (outcome.run_tokens, outcome.live) == ((), outcome.tokens)
