"""Web server, worker and dispatcher of a test, on the servers of the run, and a client of the owner of a workspace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from apps.accounts.actors import Actor
from apps.accounts.services.keys import ApiKeyDraft, api_key_create
from config.stack.client import Client
from tests.people import own_scopes
from tests.processes import Running, Web, start_dispatcher, start_web, start_worker

OFFLINE = {"CONTINUITY_MODEL_PROVIDER": "offline"}
"""No model is called."""


@dataclass(frozen=True)
class WholeStack:
    web: Web
    worker: Running
    client: Client

    def worker_pids(self) -> list[int]:
        return [self.worker.pid, *self.worker.children()]


@pytest.fixture
def whole(transactional_db: None, alice: Actor) -> Iterator[WholeStack]:
    """The running programs; Alice is who calls them."""
    secret = api_key_create(alice, draft=ApiKeyDraft("whole", own_scopes(alice.role))).secret
    with ExitStack() as stopped:
        web, worker = start_web(**OFFLINE), start_worker(**OFFLINE)
        for program in (web, worker, start_dispatcher(**OFFLINE)):
            stopped.callback(program.stop)
        yield WholeStack(web, worker, Client(web.url, secret))
