"""Distribution of test files over the processes of `make test`, a pytest plugin.

Many tests wait for something, so three processes keep two cores busy. One process runs the browser tests from the
start: Django refuses synchronous queries in a process that runs Playwright's event loop. Of the others, one begins at
the far end of the list, where tests need a core and no server.
"""

from __future__ import annotations

import pytest
from xdist.remote import Producer  # type: ignore[import-untyped]  # the package has no types
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]  # likewise
from xdist.workermanage import WorkerController  # type: ignore[import-untyped]  # likewise

IN_BROWSER = "tests/browser/"
BROWSER_PROCESS, FROM_THE_END = "gw0", "gw2"


class FileDistribution(LoadFileScheduling):  # type: ignore[misc]  # the package has no types
    """By file, as collected; a single process runs browser tests, and nothing else."""

    def _assign_work_unit(self, node: WorkerController) -> None:
        process = node.gateway.id
        files = [file for file in self.workqueue if file.startswith(IN_BROWSER) is (process == BROWSER_PROCESS)]
        if not files:
            node.shutdown()
            return
        self.workqueue.move_to_end(files[-1] if process == FROM_THE_END else files[0], last=False)
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FileDistribution:
    if config.getoption("numprocesses") < 2:
        raise pytest.UsageError("tests.sharing needs at least two processes")
    return FileDistribution(config, log)
