"""One stack for all browser tests, started like `make up`, with a fake provider."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

from config.stack import frontend
from config.stack.client import Client
from config.stack.data_dir import read_json
from config.stack.postgres import Postgres
from config.stack.process import launch, poll, run_once, stop_all
from config.stack.redis import Redis
from config.stack.services import Services, free_port
from config.stack.throwaway_stack import TemporaryStack, temporary_stack
from tests.browser.people import PASSWORD, Person, Talk
from tests.own_servers import OWN_SERVERS
from tests.prepared import place_data

RESTART_SECONDS = 20
NEW_INSTALLATION = {"CONTINUITY_SAMPLE": "true", "CONTINUITY_MODEL_PROVIDER": "", "ANTHROPIC_API_KEY": ""}


@dataclass(frozen=True)
class Whole:
    """The running stack."""

    stack: TemporaryStack

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.stack.port}"

    @cached_property
    def demo(self) -> Person:
        """The person of the demo workspace, whose sample conversation is complete."""
        known = self._credentials
        return Person(self.url, "Demo", known["email"], known["password"])

    @property
    def sample(self) -> Talk:
        """That conversation."""
        return Talk(self._credentials["conversation_id"])

    @cached_property
    def operator(self) -> Person:
        """A person with every permission in the admin console."""
        person = Person(self.url, "Olga", "olga@example.org", PASSWORD)
        program = self._services().one_shot("createsuperuser", "--noinput", "--email", person.email)
        run_once(replace(program, environment={**program.environment, "DJANGO_SUPERUSER_PASSWORD": person.password}))
        return person

    @cached_property
    def _credentials(self) -> dict[str, str]:
        return read_json(self.stack.home.credentials_file)

    @contextmanager
    def first_run_server(self) -> Iterator[str]:
        """Another web server of the stack, as a new installation has it: with samples and without a model. Its URL."""
        services = self._services()
        ours = {name: value for name, value in self.stack.settings.items() if name not in OWN_SERVERS}
        program = services.web()
        log = program.log.with_name("first-run.log")
        program = replace(program, log=log, environment={**program.environment, **ours, **NEW_INSTALLATION})
        child = launch(program)
        try:
            assert poll(lambda: Client(services.url).status("/readyz") == 200, RESTART_SECONDS), log.read_text()
            yield services.url
        finally:
            stop_all([(child, signal.SIGTERM)], RESTART_SECONDS)

    def _services(self) -> Services:
        """The stack's services, with another port for a web server."""
        folders = self.stack.home.path, self.stack.home.run
        return Services(self.stack.home, free_port(), Postgres(*folders), Redis(*folders))

    def pid(self, program: str) -> int:
        """The process id of models, web, worker, dispatcher, postgres or redis; 0 while it is down."""
        found: list[int] = self.stack.home.read_status().get("services", {}).get(program, [0])
        return found[0]

    def kill(self, program: str) -> None:
        """Kill -9; the supervisor restarts it within a second or two."""
        os.kill(self.pid(program), signal.SIGKILL)

    def restart(self, program: str) -> None:
        """Kill it, and wait until it runs again and the stack is ready."""
        killed = self.pid(program)
        self.kill(program)
        assert poll(lambda: self.pid(program) not in {0, killed}, RESTART_SECONDS), f"{program} stays away"
        assert poll(lambda: self.stack.client.status("/readyz") == 200, RESTART_SECONDS), "not ready again"


@contextmanager
def whole_stack(provider_url: str) -> Iterator[Whole]:
    """Start a stack with the model at `provider_url`, on a migrated database.

    The page is a copy, so that a build does not replace it.
    """
    model = {"ANTHROPIC_API_KEY": "sk-tests", "ANTHROPIC_BASE_URL": provider_url, "ANTHROPIC_API_KEY_FILE": ""}
    model["CONTINUITY_MODEL_PROVIDER"] = "anthropic"
    with temporary_stack({**OWN_SERVERS, **model}) as stack:
        page = stack.home.path / "page"
        shutil.copytree(os.environ.get("CONTINUITY_PAGE_ROOT", frontend.DIST), page)
        stack.settings["CONTINUITY_PAGE_ROOT"] = str(page)
        place_data(Postgres(stack.home.path, stack.home.run))
        stack.start()
        yield Whole(stack)
