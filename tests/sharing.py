"""How `make test` shares the files among processes; loaded by pytest as a plugin.

Many tests wait for something, so a third process finds time on two cores. It begins at the other end, where the tests
need a core and no server. A browser takes all there is: there are no more of them than cores, and they come last.
"""

from __future__ import annotations

import pytest
from xdist.remote import Producer  # type: ignore[import-untyped]  # the package has no types
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]  # likewise
from xdist.workermanage import WorkerController  # type: ignore[import-untyped]  # likewise

IN_BROWSER = "tests/browser/"
WITH_BROWSER = {"gw0", "gw1"}


class Sharing(LoadFileScheduling):  # type: ignore[misc]  # the package has no types
    """By file, as they were collected; only those with a browser get files that need one."""

    def _assign_work_unit(self, node: WorkerController) -> None:
        if node.gateway.id not in WITH_BROWSER:
            others = [file for file in self.workqueue if not file.startswith(IN_BROWSER)]
            if not others:
                node.shutdown()
                return
            self.workqueue.move_to_end(others[-1], last=False)
        super()._assign_work_unit(node)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Sharing:
    return Sharing(config, log)
