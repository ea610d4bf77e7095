"""The words for the health of a context, each with its reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from apps.engine.compaction.health import Condition, LastRun, Source, Tone, Word, health, turn_tokens
from apps.engine.policy import Policy

PLAIN = Condition(
    message_count=20,
    live_tokens=4_000,
    kept_tokens=4_800,
    system_tokens=240,
    summary_version=0,
    preservation_ratio=100.0,
    turn_tokens=(400, 500, 600),
)
MANUAL = replace(Policy(), auto_compact=False)


def told(policy: Policy = Policy(), **changes: Any) -> tuple[str, str, str]:  # noqa: B008  # frozen
    found = health(replace(PLAIN, **changes), policy)
    return found.word, found.reason, found.tone


@pytest.mark.parametrize(
    ("changes", "word", "reason", "tone"),
    [
        ({}, "Healthy", "42 % used", "ok"),
        ({"token_budget": 24_000}, "Healthy", "21 % used", "ok"),
        ({"message_count": 9}, "New", "nothing to compact yet", "plain"),
        ({"message_count": 0, "live_tokens": 0, "kept_tokens": 0}, "New", "nothing to compact yet", "plain"),
        ({"message_count": 9, "summary_version": 1}, "Healthy", "42 % used", "ok"),
        ({"live_tokens": 7_000}, "Tight", "compacts in ≈ 2 turns", "warn"),
        ({"live_tokens": 7_501}, "Tight", "compacts in ≈ 1 turn", "warn"),
        ({"live_tokens": 6_500}, "Tight", "compacts in ≈ 3 turns", "warn"),
        ({"live_tokens": 6_499}, "Healthy", "42 % used", "ok"),
        ({"live_tokens": 8_000}, "Tight", "compacts after a pause", "warn"),
        ({"live_tokens": 9_000, "waits_because": "9 of 10 messages"}, "Tight", "42 % used, 9 of 10 messages", "warn"),
        (
            {"live_tokens": 9_000, "rests_below": 16_000, "waits_because": "compaction rests until 16,000 …"},
            "Healthy",
            "42 % used",
            "ok",
        ),
        ({"live_tokens": 15_000, "rests_below": 16_000}, "Tight", "compacts in ≈ 2 turns", "warn"),
        (
            {"kept_tokens": 9_500, "live_tokens": 30_000, "rests_below": 2**31 - 1, "waits_because": "it rests"},
            "Tight",
            "81 % used, it rests",
            "warn",
        ),
        ({"kept_tokens": 37_440, "live_tokens": 9_000}, "Tight", "compacts after a pause", "warn"),
        (
            {"kept_tokens": 37_440, "live_tokens": 9_000, "waits_because": "it rests"},
            "Tight",
            "full, older messages are left out, it rests",
            "warn",
        ),
        ({"kept_tokens": 8_760}, "Tight", "compacts in ≈ 8 turns", "warn"),
        ({"kept_tokens": 8_600}, "Healthy", "74 % used", "ok"),
        ({"run": LastRun("queued")}, "Compacting", "waits, keep writing", "live"),
        ({"run": LastRun("running", progress=62)}, "Compacting", "62 %, keep writing", "live"),
        ({"run": LastRun("failed", retry_in_s=110)}, "Compaction failed", "next try in 2 min", "bad"),
        ({"run": LastRun("failed", retry_in_s=5)}, "Compaction failed", "next try in a moment", "bad"),
        ({"run": LastRun("failed")}, "Compaction failed", "nothing changed", "bad"),
        (
            {"run": LastRun("succeeded", tokens_before=8_112, tokens_after=6_724, fresh=True)},
            "Compacted",
            "8,112 → 6,724 live",
            "ok",
        ),
        (
            {"run": LastRun("succeeded", tokens_before=90, tokens_after=90, fresh=True)},
            "Compacted",
            "the summary is new",
            "ok",
        ),
        ({"run": LastRun("succeeded", tokens_before=8_112, tokens_after=6_724)}, "Healthy", "42 % used", "ok"),
        ({"run": LastRun("undone")}, "Healthy", "42 % used", "ok"),
    ],
)
def test_the_word_follows_from_the_condition(changes: dict[str, Any], word: str, reason: str, tone: str) -> None:
    assert told(**changes) == (word, reason, tone)


def test_nothing_is_forecast_where_nothing_compacts_by_itself() -> None:
    assert told(MANUAL, live_tokens=9_000) == ("Healthy", "42 % used", "ok")
    assert told(MANUAL, kept_tokens=10_000) == ("Tight", "85 % used", "warn")
    assert health(PLAIN, MANUAL).turns_until_compaction is None


def test_the_forecast_goes_by_the_median_of_the_last_five_turns() -> None:
    turns = turn_tokens([("user", tokens) for tokens in (9_000, 100, 200, 300, 400, 50_000)])
    assert turns == (100, 200, 300, 400, 50_000)
    assert health(replace(PLAIN, turn_tokens=turns), Policy()).turns_until_compaction == 14
    assert health(replace(PLAIN, turn_tokens=()), Policy()).turns_until_compaction is None


def test_every_number_says_where_it_comes_from() -> None:
    numbers = health(PLAIN, Policy()).numbers
    assert {name: number.source for name, number in numbers.items()} == {
        "used_tokens": Source.COUNTED,
        "limit_tokens": Source.POLICY,
        "percent_used": Source.COUNTED,
        "live_tokens": Source.COUNTED,
        "threshold_tokens": Source.POLICY,
        "preservation_ratio": Source.COUNTED,
        "tokens_per_turn": Source.ESTIMATED,
        "turns_until_compaction": Source.ESTIMATED,
    }
    assert numbers["turns_until_compaction"].value == 8


def test_the_words_and_tones_are_those_of_the_design() -> None:
    assert set(Word) == {"New", "Healthy", "Tight", "Compacting", "Compacted", "Compaction failed"}
    assert set(Tone) == {"plain", "ok", "warn", "live", "bad"}
