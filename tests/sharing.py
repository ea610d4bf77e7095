"""Distribution of test files over the processes of `make test`, a pytest plugin.

Many tests wait for something, so three processes keep two cores busy; one begins at the far end of the list, where
tests need a core and no server. Browser tests come last, in two processes: a browser uses all it can get. One process
that ran them from the start was measured and was slower.
"""

from __future__ import annotations

import pytest
from xdist.remote import Producer  # type: ignore[import-untyped]  # the package has no types
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]  # likewise
from xdist.workermanage import WorkerController  # type: ignore[import-untyped]  # likewise

IN_BROWSER = "tests/browser/"
BROWSER_PROCESSES = {"gw0", "gw1"}


class FileDistribution(LoadFileScheduling):  # type: ignore[misc]  # the package has no types
    """By file, as collected; only two processes get browser tests."""

    def _assign_work_unit(self, node: WorkerController) -> None:
        if node.gateway.id not in BROWSER_PROCESSES:
            others = [file for file in self.workqueue if not file.startswith(IN_BROWSER)]
            if not others:
                node.shutdown()
                return
            self.workqueue.move_to_end(others[-1], last=False)
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FileDistribution:
    return FileDistribution(config, log)
