"""The servers of a test run: one PostgreSQL and one Redis, started when the first test needs them.

Loaded by pytest as a plugin, because the settings read the environment before any conftest is imported.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

from apps.llm.routing.providers import KEY_VARIABLES
from config.stack.postgres import APPLICATION, OWNER, Postgres
from config.stack.process import launch, stop_all, wait_until
from config.stack.redis import Redis
from tests.prepared import FORGETFUL, UNDISTURBED, place_data

PREFIX = f"continuity-tests-{os.getuid()}-"


class TestServers:
    """The servers in a short-lived folder; their addresses are known before they are started."""

    __test__ = False

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
        self.postgres = Postgres(self.home, self.home, settings=FORGETFUL | UNDISTURBED, death_signal=signal.SIGQUIT)
        self.redis = Redis(self.home, self.home, death_signal=signal.SIGKILL)
        self.children: list[tuple[subprocess.Popen[bytes], signal.Signals]] = []

    def environment(self) -> dict[str, str]:
        """The environment of the settings and of every process that a test starts."""
        return {
            "DATABASE_URL": self.postgres.url(OWNER),
            "DATABASE_APP_URL": self.postgres.url(APPLICATION),
            "REDIS_URL": self.redis.url,
            "CONTINUITY_HOME": str(self.home),
            "CONTINUITY_TEST_FAULTS": "1",
            "CONTINUITY_SAMPLE": "false",
            # The fast embedding model: most tests make vectors and do not compare models.
            "EMBEDDINGS": "wordllama",
            "SECRET_KEY": "only-for-tests-" + "0123456789abcdef" * 3,
            # No settings, keys and programs of the machine's user.
            **dict.fromkeys(("CONTINUITY_CONFIG", "CONTINUITY_MODEL_PROVIDER", "CLAUDE_COMMAND"), ""),
            **dict.fromkeys(KEY_VARIABLES, ""),
        }

    def start(self) -> None:
        """Start both servers, with all migrations applied."""
        (self.home / "logs").mkdir()
        place_data(self.postgres)
        self.postgres.prepare()
        for program in (self.postgres.program(), self.redis.program()):
            self.children.append((launch(program), signal.SIGQUIT))
        assert wait_until(lambda: self.postgres.ready() and self.redis.ready(), 30), self.postgres.log.read_text()

    def stop(self) -> None:
        """End the servers at once and remove everything they wrote."""
        stop_all(self.children, 10)
        shutil.rmtree(self.home, ignore_errors=True)


def remove_leftovers() -> None:
    """Remove the folders of runs that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        pid = folder.name.removeprefix(PREFIX).split("-")[0]
        if not Path("/proc", pid).exists():
            shutil.rmtree(folder, ignore_errors=True)


remove_leftovers()
SERVERS = TestServers()
os.environ.update(SERVERS.environment())


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures last, so that they replace the database fixtures of pytest-django."""
    config.pluginmanager.import_plugin("tests.stack_fixtures")


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Stop the servers and remove their files, whatever else fails at the end."""
    SERVERS.stop()
