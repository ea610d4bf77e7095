"""Distribution of test files over the processes of `make test`, a pytest plugin: by file, the longest first.

Many tests wait for something, so three processes keep two cores busy. With the longest files first, no process is left
with a long one at the end.
"""

from __future__ import annotations

import pytest
from xdist.remote import Producer  # type: ignore[import-untyped]  # the package has no types
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]  # likewise
from xdist.workermanage import WorkerController  # type: ignore[import-untyped]  # likewise

from tests.suite.durations import duration


class LongestFirst(LoadFileScheduling):  # type: ignore[misc]  # the package has no types
    """A file's tests stay together and in order."""

    def _assign_work_unit(self, node: WorkerController) -> None:
        longest = max(self.workqueue, key=duration)
        self.workqueue.move_to_end(longest, last=False)
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LongestFirst:
    return LongestFirst(config, log)
