"""What each test costs, a pytest plugin: the slowest tests, the budget, and a report for `python -m tests.suite`.

A test may use one second of processor time. One that needs more is marked `slow("why")`. Processor time of the test's
own process is counted, since other work on the machine changes it little; waiting and servers are not.
"""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

BUDGET_S = 1.0
MOST_S = 5.0
"""Only a test that is clearly over its budget is named: processors differ."""
SHOWN = 15
_BEGAN = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--report", type=Path, default=None, help="a file for outcomes and durations, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"slow(reason): it uses more than {BUDGET_S:.0f} s of processor time")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Costs(), "costs")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    item.stash[_BEGAN] = time.process_time()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    report = yield
    if call.when == "call":
        report.cpu_s = round(time.process_time() - item.stash[_BEGAN], 3)
        report.slow = item.get_closest_marker("slow") is not None
    return report


class Costs:
    """The costs of a run's tests, also those of other processes."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.files: defaultdict[str, float] = defaultdict(float)
        self.tests: defaultdict[str, float] = defaultdict(float)
        self.over: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.files[report.nodeid.split("::")[0]] += report.duration
        self.tests[report.nodeid] += report.duration
        if report.failed:
            self.outcomes["failed" if report.when == "call" else "error"] += 1
        elif report.when == "call" or report.skipped:
            self.outcomes[report.outcome] += 1
        cpu_s: float = getattr(report, "cpu_s", 0)
        if cpu_s > MOST_S and not report.slow:
            self.over[report.nodeid] = cpu_s

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.outcomes["error"] += report.failed

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        slowest = sorted(self.tests.items(), key=lambda test: -test[1])[:SHOWN]
        kept = {"outcomes": self.outcomes, "files": self.files, "slowest": slowest, "over": self.over}
        if file := session.config.getoption("--report"):
            file.write_text(json.dumps(kept))
