"""Calibration from reported usage: bounded, adaptive, and never blocking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Thread
from typing import Any

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.pack.estimators import Estimator
from apps.engine.policy import Policy
from apps.engine.tokens.calibration import LEAST_CALLS, MOST_CALLS, Calibration
from apps.llm.middleware.metering import CallReport
from apps.llm.models import ModelCalibration
from apps.llm.providers.base import Purpose, Usage, UsageSource
from apps.llm.providers.offline import OFFLINE_MODEL
from apps.llm.selectors.calibration import estimator_for
from apps.llm.services import calibration
from apps.llm.services.calibration import calibration_learn
from tests.llm.conftest import pack_of, said

MODEL = "claude-test"
PACK = pack_of(said(0, "word " * 200))
counts = st.integers(1, 500_000)


def reported(tokens: int, outcome: str = "ok", source: UsageSource = UsageSource.REPORTED) -> CallReport:
    """A call whose prompt came partly from the provider's cache."""
    usage = Usage(source, tokens - 30, 50, cache_read_tokens=20, cache_write_tokens=10)
    return CallReport(Purpose.CHAT, "anthropic", MODEL, usage, 100, 10, outcome)


def learn(actor: Actor, times: int, percent: int, *more: CallReport, policy: Policy | None = None) -> None:
    for _ in range(times):
        with workspace(actor.workspace_id):
            reports = [reported(PACK.total_tokens * percent // 100), *more]
            calibration_learn(pack=PACK, reports=reports, policy=policy or Policy())


def estimator_now(actor: Actor, model: str = MODEL, policy: Policy | None = None) -> Estimator:
    with workspace(actor.workspace_id):
        return estimator_for(policy or Policy(), model)


# The rule.


def after(calls: Sequence[tuple[int, int]]) -> Calibration:
    learned = Calibration()
    for told, estimated in calls:
        learned = learned.after(told, estimated)
    return learned


@given(st.lists(st.tuples(counts, counts), max_size=120))
def test_a_calibration_factor_is_stepped_and_bounded(calls: list[tuple[int, int]]) -> None:
    learned = after(calls)
    assert 50 <= learned.percent <= 300 and learned.percent % 5 == 0
    assert learned.calls == min(len(calls), learned.calls) <= MOST_CALLS
    assert len(calls) >= LEAST_CALLS or learned.percent == 100


@pytest.mark.parametrize(
    ("ratio", "percent"), [(100, 100), (102, 100), (103, 105), (118, 120), (40, 50), (999, 300), (87, 85), (88, 90)]
)
def test_the_factor_is_the_nearest_step_from_the_fifth_call_on(ratio: int, percent: int) -> None:
    calls = [(ratio * 10, 1_000)] * 5
    assert [after(calls[:number]).percent for number in range(6)] == [100] * 5 + [percent]


def test_a_ratio_on_a_border_does_not_change_the_factor_from_call_to_call() -> None:
    calls = [(1_124, 1_000)] * 6 + [(1_140, 1_000), (1_100, 1_000)] * 40
    assert {after(calls[:number]).percent for number in range(6, len(calls))} == {110}


def test_the_factor_adapts_when_the_model_changes() -> None:
    calls = [(1_000, 1_000)] * 400 + [(1_500, 1_000)] * 100
    assert after(calls[:400]).percent == 100
    assert after(calls).percent in (145, 150)


# The table.


@pytest.mark.django_db
def test_the_factor_applies_after_five_reports(alice: Actor) -> None:
    learn(alice, 4, 120)
    assert (estimator_now(alice).percent, estimator_now(alice).calls) == (100, 4)
    learn(alice, 1, 120)
    assert (estimator_now(alice).name, estimator_now(alice).percent, estimator_now(alice).calls) == (
        "characters by script",
        120,
        5,
    )
    assert estimator_now(alice).tokens("x" * 400) == 120


@pytest.mark.django_db
def test_a_calibration_belongs_to_a_workspace_a_model_and_an_estimator(alice: Actor, charlie: Actor) -> None:
    learn(alice, 5, 120)
    assert estimator_now(charlie).percent == 100
    assert estimator_now(alice, "another-model").percent == 100
    assert estimator_now(alice, policy=Policy(token_estimator="words")).percent == 100
    learn(alice, 5, 120, policy=Policy(token_estimator="words"))
    assert (estimator_now(alice).calls, estimator_now(alice, policy=Policy(token_estimator="words")).calls) == (5, 5)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "reports",
    [
        [],
        [reported(900, "cut")],
        [reported(900, "cancelled")],
        [reported(900, source=UsageSource.ESTIMATED)],
        [replace(reported(900), usage=Usage(UsageSource.REPORTED, 0, 50))],
    ],
    ids=["none", "cut", "cancelled", "estimated", "empty"],
)
def test_only_reported_usage_of_complete_answers_is_learned(alice: Actor, reports: list[CallReport]) -> None:
    with workspace(alice.workspace_id):
        calibration_learn(pack=PACK, reports=reports, policy=Policy())
        assert not ModelCalibration.objects.exists()


@pytest.mark.django_db
def test_only_the_successful_attempt_is_learned(alice: Actor) -> None:
    learn(alice, 5, 120, reported(9_000, "cut"))
    assert estimator_now(alice).percent == 120


@pytest.mark.django_db
def test_a_failed_calibration_does_not_fail_the_reply(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1/0")

    monkeypatch.setattr(calibration, "_store", fails)
    with workspace(alice.workspace_id):
        calibration_learn(pack=PACK, reports=[reported(900)], policy=Policy())
        assert not ModelCalibration.objects.exists()
    monkeypatch.setattr(calibration, "_sample", lambda *_: 1 / 0)
    learn(alice, 1, 120)


@pytest.mark.django_db
def test_an_estimator_costs_one_read_with_a_provider_and_none_without(alice: Actor) -> None:
    learn(alice, 5, 120)
    with workspace(alice.workspace_id):
        with CaptureQueriesContext(connection) as queries:
            estimator_for(Policy(), OFFLINE_MODEL)
        assert len(queries) == 0
        with CaptureQueriesContext(connection) as queries:
            estimator_for(Policy(), MODEL)
        assert len(queries) == 1


@pytest.mark.django_db(transaction=True)
def test_a_reply_never_waits_for_another_s_calibration(alice: Actor) -> None:

    def elsewhere() -> None:
        learn(alice, 1, 120)
        connections.close_all()

    learn(alice, 5, 120)
    with workspace(alice.workspace_id):
        ModelCalibration.objects.select_for_update().get()
        other = Thread(target=elsewhere)
        other.start()
        other.join(timeout=3)
        assert not other.is_alive()
    assert estimator_now(alice).calls == 5
    learn(alice, 1, 120)
    assert estimator_now(alice).calls == 6
