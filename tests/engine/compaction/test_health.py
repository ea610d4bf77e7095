"""The health of a context: its status, reason and tone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from apps.engine.compaction.health import (
    Condition,
    HealthCode,
    HealthReason,
    HealthStatus,
    LastRun,
    Source,
    Tone,
    health,
    turn_tokens,
)
from apps.engine.compaction.plan import NotDue, NotDueCode
from apps.engine.policy import Policy

PLAIN = Condition(
    message_count=20,
    live_tokens=4_000,
    preserved_tokens=4_800,
    system_tokens=240,
    summary_version=0,
    preservation_ratio=100.0,
    turn_tokens=(400, 500, 600),
)
MANUAL = replace(Policy(), auto_compact=False)


WAITS = NotDue(NotDueCode.PAUSED)
NOTHING = HealthReason(HealthCode.NOTHING_TO_COMPACT)
PAUSE = HealthReason(HealthCode.DUE_AFTER_PAUSE)
Rated = tuple[HealthStatus, HealthReason, Tone]


def rated(policy: Policy = Policy(), **changes: Any) -> Rated:  # noqa: B008  # frozen
    result = health(replace(PLAIN, **changes), policy)
    return result.status, result.reason, result.tone


def used(percent: int) -> HealthReason:
    return HealthReason(HealthCode.USED, {"percent": percent})


def healthy(tokens: int = 4_000, threshold: int = 8_000) -> Rated:
    reason = HealthReason(HealthCode.LIVE, {"tokens": tokens, "threshold": threshold})
    return HealthStatus.HEALTHY, reason, Tone.OK


def new() -> Rated:
    return HealthStatus.NEW, NOTHING, Tone.PLAIN


def tight(reason: HealthReason) -> Rated:
    return HealthStatus.TIGHT, reason, Tone.WARN


def in_turns(turns: int) -> Rated:
    return tight(HealthReason(HealthCode.DUE_IN_TURNS, {"turns": turns}))


def run(status: HealthStatus, tone: Tone, code: HealthCode, **params: int) -> Rated:
    return status, HealthReason(code, params), tone


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, healthy()),
        ({"token_budget": 24_000}, healthy()),
        ({"message_count": 9}, new()),
        ({"message_count": 0, "live_tokens": 0, "preserved_tokens": 0}, new()),
        ({"message_count": 9, "summary_version": 1}, healthy()),
        ({"live_tokens": 7_000}, in_turns(2)),
        ({"live_tokens": 7_501}, in_turns(1)),
        ({"live_tokens": 6_500}, in_turns(3)),
        ({"live_tokens": 6_499}, healthy(6_499)),
        ({"live_tokens": 8_000}, tight(PAUSE)),
        ({"live_tokens": 9_000, "not_due": WAITS}, tight(used(42))),
        ({"live_tokens": 9_000, "paused_below": 16_000, "not_due": WAITS}, healthy(9_000, 16_000)),
        ({"live_tokens": 15_000, "paused_below": 16_000}, in_turns(2)),
        (
            {"preserved_tokens": 9_500, "live_tokens": 30_000, "paused_below": 2**31 - 1, "not_due": WAITS},
            tight(used(81)),
        ),
        ({"preserved_tokens": 37_440, "live_tokens": 9_000}, tight(PAUSE)),
        ({"preserved_tokens": 37_440, "live_tokens": 9_000, "not_due": WAITS}, tight(HealthReason(HealthCode.FULL))),
        ({"preserved_tokens": 8_760}, in_turns(8)),
        ({"preserved_tokens": 8_600}, healthy()),
        ({"run": LastRun("queued")}, run(HealthStatus.COMPACTING, Tone.LIVE, HealthCode.QUEUED)),
        (
            {"run": LastRun("running", progress=62)},
            run(HealthStatus.COMPACTING, Tone.LIVE, HealthCode.RUNNING, percent=62),
        ),
        (
            {"run": LastRun("failed", retry_in_s=110)},
            run(HealthStatus.FAILED, Tone.BAD, HealthCode.RETRY_IN_MINUTES, minutes=2),
        ),
        ({"run": LastRun("failed", retry_in_s=5)}, run(HealthStatus.FAILED, Tone.BAD, HealthCode.RETRY_SOON)),
        ({"run": LastRun("failed")}, run(HealthStatus.FAILED, Tone.BAD, HealthCode.NOTHING_CHANGED)),
        (
            {"run": LastRun("succeeded", tokens_before=8_112, tokens_after=6_724, fresh=True)},
            run(HealthStatus.COMPACTED, Tone.OK, HealthCode.COMPACTED, before=8_112, after=6_724),
        ),
        (
            {"run": LastRun("succeeded", tokens_before=90, tokens_after=90, fresh=True)},
            run(HealthStatus.COMPACTED, Tone.OK, HealthCode.SUMMARY_UPDATED),
        ),
        ({"run": LastRun("succeeded", tokens_before=8_112, tokens_after=6_724)}, healthy()),
        ({"run": LastRun("undone")}, healthy()),
    ],
)
def test_the_status_follows_from_the_condition(changes: dict[str, Any], expected: Rated) -> None:
    assert rated(**changes) == expected


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"live_tokens": 9_000}, WAITS),
        ({"preserved_tokens": 37_440, "live_tokens": 9_000}, WAITS),
        ({"live_tokens": 7_000}, None),
        ({"live_tokens": 9_000, "run": LastRun("running")}, None),
    ],
)
def test_the_reason_for_no_compaction_is_shown_only_if_one_seems_due(
    changes: dict[str, Any], shown: NotDue | None
) -> None:
    assert health(replace(PLAIN, not_due=WAITS, **changes), Policy()).not_due_reason == shown


def test_without_automatic_compaction_nothing_is_forecast() -> None:
    assert rated(MANUAL, live_tokens=9_000) == (HealthStatus.HEALTHY, used(42), Tone.OK)
    assert rated(MANUAL, preserved_tokens=10_000) == tight(used(85))
    assert health(PLAIN, MANUAL).turns_until_compaction is None


def test_the_forecast_uses_the_median_of_the_last_five_turns() -> None:
    turns = turn_tokens([("user", tokens) for tokens in (9_000, 100, 200, 300, 400, 50_000)])
    assert turns == (100, 200, 300, 400, 50_000)
    assert health(replace(PLAIN, turn_tokens=turns), Policy()).turns_until_compaction == 14
    assert health(replace(PLAIN, turn_tokens=()), Policy()).turns_until_compaction is None


def test_every_number_names_its_source() -> None:
    numbers = health(PLAIN, Policy()).numbers
    assert {name: number.source for name, number in numbers.items()} == {
        "used_tokens": Source.ESTIMATED,
        "limit_tokens": Source.POLICY,
        "percent_used": Source.ESTIMATED,
        "live_tokens": Source.ESTIMATED,
        "threshold_tokens": Source.POLICY,
        "preservation_ratio": Source.ESTIMATED,
        "tokens_per_turn": Source.ESTIMATED,
        "turns_until_compaction": Source.ESTIMATED,
    }
    assert numbers["turns_until_compaction"].value == 8


def test_the_statuses_and_tones_match_the_design() -> None:
    assert set(HealthStatus) == {"new", "healthy", "tight", "compacting", "compacted", "failed"}
    assert set(Tone) == {"plain", "ok", "warn", "live", "bad"}
