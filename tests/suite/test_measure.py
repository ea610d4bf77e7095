"""The costs of a run: its outcomes, its slowest tests, and the tests over their budget."""

from __future__ import annotations

from typing import Any

import pytest

from tests.suite.__main__ import summary
from tests.suite.measure import MOST_S, Costs


def report(nodeid: str, outcome: str = "passed", when: str = "call", seconds: float = 0.1, **more: Any) -> Any:
    told = pytest.TestReport(nodeid, ("", None, ""), {}, outcome, None, when, duration=seconds)  # type: ignore[arg-type]
    told.__dict__.update(more)
    return told


def costs_of(*reports: Any) -> Costs:
    costs = Costs()
    for one in reports:
        costs.pytest_runtest_logreport(one)
    return costs


def test_every_outcome_counts_once() -> None:
    phases = ("setup", "call", "teardown")
    costs = costs_of(
        *(report("a.py::passes", when=when) for when in phases),
        report("a.py::fails", "failed"),
        report("b.py::breaks", "failed", when="setup"),
        report("b.py::waits", "skipped", when="setup"),
    )
    assert costs.outcomes == {"passed": 1, "failed": 1, "error": 1, "skipped": 1}
    assert costs.files["a.py"] == pytest.approx(0.4)


def test_a_test_over_its_budget_is_named_unless_it_says_why_it_is_slow() -> None:
    over, within = MOST_S + 1, MOST_S - 1
    costs = costs_of(
        report("a.py::slow", cpu_s=over, slow=False),
        report("a.py::justified", cpu_s=over, slow=True),
        report("a.py::waits", seconds=60, cpu_s=within, slow=False),
    )
    assert costs.over == {"a.py::slow": over}


def test_the_last_line_sums_all_runs_and_names_the_failed_lanes() -> None:
    reports = [{"outcomes": {"passed": 3, "failed": 1}}, {"outcomes": {"passed": 4, "skipped": 2}}]
    line = summary(reports, ["servers", "page"], 61.4)
    assert line == "1 failed, 7 passed, 2 skipped in 61 s; failed: page, servers"
