"""Choosing the present or the next embedding model: it is kept, and a switch in progress is canceled."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.errors import Conflict
from apps.common.tenancy import workspace
from apps.jobs.models import Operation
from apps.jobs.services import RescheduleJob
from apps.memory.models import Embedding, EmbeddingSpace
from apps.memory.services.index.embedding_spaces import GRACE_S
from apps.memory.services.index.space_changes import space_change
from tests.memory.recall import found_uris, make_vectors, remember
from tests.memory.test_embedding_job import REMOTE, lease_of, remote, run_apart
from tests.memory.test_model_switch_away import LOCAL
from tests.processes import eventually
from tests.providers.server import ProviderServer

__all__ = ["remote"]
pytestmark = pytest.mark.django_db
OTHER = "openai/text-embedding-other@8"


def spaces(actor: Actor) -> dict[str, tuple[str, bool]]:
    """Return each model's state, and whether the workspace chose it."""
    with workspace(actor.workspace_id):
        return {row.model: (row.state, row.chosen) for row in EmbeddingSpace.objects.all()}


def begun(actor: Actor) -> None:
    """Create a memory with its vector."""
    remember(actor, "mem://user/events/e", "We flew to Lisbon.")
    make_vectors(actor)


def test_the_present_model_stays_when_the_installation_goes_by_another(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    begun(alice)
    with workspace(alice.workspace_id):
        assert [space_change(alice, LOCAL) for _ in range(2)] == [None, None]
        assert not Operation.objects.exists()
    settings.EMBEDDINGS = REMOTE
    remember(alice, "mem://user/events/f", "The garden needs water.")
    make_vectors(alice)
    assert spaces(alice) == {LOCAL: ("serving", True)}
    assert not remote.requests


def test_the_present_model_chosen_again_gives_a_change_up(alice: Actor, remote: ProviderServer) -> None:
    begun(alice)
    with workspace(alice.workspace_id):
        change = space_change(alice, REMOTE)
        assert change
        assert [space_change(alice, LOCAL) for _ in range(2)] == [None, None]
        told = Operation.objects.get()
        assert (told.id, told.state, (told.error or {})["code"]) == (change.id, "failed", "cancelled")
    assert spaces(alice) == {LOCAL: ("serving", True), REMOTE: ("retired", True)}
    assert found_uris(alice, "Lisbon") == ["mem://user/events/e"]
    with workspace(alice.workspace_id):
        EmbeddingSpace.objects.filter(state="retired").update(since=timezone.now() - timedelta(seconds=GRACE_S + 1))
    make_vectors(alice)
    assert spaces(alice) == {LOCAL: ("serving", True)}
    with workspace(alice.workspace_id):
        assert Embedding.objects.count() == 1


def test_the_change_of_the_installation_is_given_up_too(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    begun(alice)
    begin_with_installation(alice, settings)
    with workspace(alice.workspace_id):
        assert space_change(alice, LOCAL) is None
    assert spaces(alice) == {LOCAL: ("serving", True), REMOTE: ("retired", False)}


def test_a_model_that_is_to_come_is_changed_to_once(alice: Actor, remote: ProviderServer) -> None:
    begun(alice)
    with workspace(alice.workspace_id):
        first, again = space_change(alice, REMOTE), space_change(alice, REMOTE)
        assert first == again and first
    make_vectors(alice)
    with workspace(alice.workspace_id):
        assert Operation.objects.get().state == "succeeded"
        assert space_change(alice, REMOTE) is None
        with pytest.raises(Conflict, match="still being deleted"):
            space_change(alice, LOCAL)


def test_what_the_installation_changes_to_can_be_chosen_and_watched(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    begun(alice)
    begin_with_installation(alice, settings)
    with workspace(alice.workspace_id):
        change = space_change(alice, REMOTE)
        assert change and (change.state, change.subject) == ("queued", REMOTE)
    settings.EMBEDDINGS = LOCAL
    make_vectors(alice)
    assert spaces(alice)[REMOTE] == ("serving", True)
    with workspace(alice.workspace_id):
        assert Operation.objects.get(pk=change.id).state == "succeeded"


def begin_with_installation(actor: Actor, settings: Settings) -> None:
    """Begin a switch to the installation's new default model."""
    settings.EMBEDDINGS = REMOTE
    with workspace(actor.workspace_id):
        EmbeddingSpace.objects.create(model=REMOTE, dimension=8, state="building", since=timezone.now())


@pytest.mark.django_db(transaction=True)
def test_the_job_waits_for_who_chooses_the_present_model(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    begun(alice)
    settings.EMBEDDINGS = REMOTE
    remember(alice, "mem://user/events/f", "The garden needs water.")
    lease = lease_of(alice)
    with ThreadPoolExecutor(1) as threads:
        with workspace(alice.workspace_id):
            space_change(alice, LOCAL)
            running = threads.submit(run_apart, lease)
            assert eventually(somebody_waits)
        running.result(20)
    assert spaces(alice) == {LOCAL: ("serving", True)}


@pytest.mark.django_db(transaction=True)
def test_of_two_changes_at_once_one_is_given_up(alice: Actor, remote: ProviderServer) -> None:
    begun(alice)
    with ThreadPoolExecutor(1) as threads:
        with workspace(alice.workspace_id):
            space_change(alice, REMOTE)
            changing = threads.submit(change_apart, alice, OTHER)
            assert eventually(somebody_waits)
        changing.result(20)
    assert spaces(alice) == {LOCAL: ("serving", False), REMOTE: ("retired", True), OTHER: ("building", True)}
    with workspace(alice.workspace_id):
        assert (Operation.objects.get(subject=REMOTE).error or {})["code"] == "replaced"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("model", [REMOTE, OTHER])
def test_two_who_choose_before_there_is_a_space_do_so_one_after_the_other(
    model: str, alice: Actor, remote: ProviderServer
) -> None:
    with ThreadPoolExecutor(1) as threads:
        with workspace(alice.workspace_id):
            space_change(alice, REMOTE)
            changing = threads.submit(change_apart, alice, model)
            assert eventually(somebody_waits)
        changing.result(20)
    given_up = {REMOTE: ("retired", True)} if model != REMOTE else {}
    assert spaces(alice) == {LOCAL: ("serving", False), **given_up, model: ("building", True)}


@pytest.mark.django_db(transaction=True)
def test_who_chooses_while_the_job_makes_the_first_space_waits_for_it(alice: Actor) -> None:
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    lease = lease_of(alice)
    with ThreadPoolExecutor(2) as threads:
        halfway = Halfway('INSERT INTO "mem_spaces"', after=True)
        running = threads.submit(halfway.run, lambda: run_apart(lease))
        assert halfway.is_there.wait(20)
        changing = threads.submit(change_apart, alice, REMOTE)
        assert eventually(lambda: somebody_waits() or changing.done())
        halfway.goes_on.set()
        changing.result(20)
        running.result(20)
    told = spaces(alice)
    assert (told[LOCAL], told[REMOTE][1]) == (("serving", False), True)


@pytest.mark.django_db(transaction=True)
def test_who_chooses_while_the_job_writes_does_not_wait_for_who_waits_for_them(
    alice: Actor, remote: ProviderServer
) -> None:
    begun(alice)
    remember(alice, "mem://user/events/f", "The garden needs water.")
    lease = lease_of(alice)
    with ThreadPoolExecutor(2) as threads:
        halfway = Halfway("INSERT INTO jobs_duejob", after=False)
        changing = threads.submit(halfway.run, lambda: change_apart(alice, REMOTE))
        assert halfway.is_there.wait(20)
        running = threads.submit(run_apart, lease)
        assert eventually(lambda: somebody_waits() or running.done())
        halfway.goes_on.set()
        changing.result(20)
        with suppress(RescheduleJob):
            running.result(20)
    assert spaces(alice)[REMOTE][1]


class Halfway:
    """A thread that pauses before or after a statement, until it is resumed."""

    def __init__(self, words: str, *, after: bool) -> None:
        self._words, self._after = words, after
        self.is_there, self.goes_on = Event(), Event()

    def run(self, act: Callable[[], None]) -> None:
        with connection.execute_wrapper(self._pause):
            act()

    def _pause(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        told = execute(sql, params, many, context) if self._after else None
        if self._words in sql and not self.is_there.is_set():
            self.is_there.set()
            assert self.goes_on.wait(20)
        return told if self._after else execute(sql, params, many, context)


def change_apart(actor: Actor, model: str) -> None:
    try:
        with workspace(actor.workspace_id):
            space_change(actor, model)
    finally:
        connection.close()


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])
