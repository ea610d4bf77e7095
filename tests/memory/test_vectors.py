"""Vectors come by a job, once for each text, and the model that makes them changes while everybody searches on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from threading import Thread

import pytest
from django.db import connections
from django.utils import timezone
from pydantic import SecretStr
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, Forbidden
from apps.common.tenancy import workspace
from apps.jobs.models import Operation
from apps.jobs.services import Later, LeaseLost, claim_named, lease_take
from apps.jobs.services.leases import Lease
from apps.llm.embedding.choosing import embedder_named
from apps.llm.errors import ModelError
from apps.llm.models import ModelUsage
from apps.memory.models import Embedding, EmbeddingSpace, Passage
from apps.memory.selectors.spaces import serving_space, space_progress
from apps.memory.services.nodes import node_edit
from apps.memory.services.spaces import GRACE_S
from apps.memory.services.vectors import KEY, KIND, space_change, vectors_run
from config.stack.process import wait_until
from tests.memory.recall import found_uris, look, make_vectors, remember
from tests.providers.behaviours import Behaviour
from tests.providers.openai_server import ProviderServer, running_server

pytestmark = pytest.mark.django_db

REMOTE = "openai/text-embedding-test@8"


@pytest.fixture
def remote(settings: Settings) -> Iterator[ProviderServer]:
    """A provider of vectors that the installation has a key for."""
    with running_server() as server:
        settings.OPENAI_API_KEY = SecretStr("sk-test")
        settings.OPENAI_BASE_URL = f"{server.url}/v1"
        yield server


def lease_of(actor: Actor) -> Lease:
    claim = claim_named(workspace_id=actor.workspace_id, kind=KIND, key=KEY)
    assert claim is not None
    lease = lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert lease is not None
    return lease


def run_apart(lease: Lease) -> None:
    """In a thread, which leaves no connection behind."""
    try:
        vectors_run(lease)
    finally:
        connections.close_all()


def counted(actor: Actor) -> tuple[int, int, int]:
    """Passages, those that wait for vectors, and vectors."""
    with workspace(actor.workspace_id):
        waiting = Passage.objects.filter(wanted_at__isnull=False).count()
        return Passage.objects.count(), waiting, Embedding.objects.count()


def test_the_first_vectors_are_the_installations(alice: Actor) -> None:
    remember(alice, "mem://user/profile/tea", "Green tea.")
    assert counted(alice) == (1, 1, 0)
    make_vectors(alice)
    assert counted(alice) == (1, 0, 1)
    with workspace(alice.workspace_id):
        space = serving_space()
        assert space is not None
        assert (space.model, space.dimension, space.chosen) == ("wordllama-256", 256, False)


def test_only_what_says_something_else_gets_another_vector(alice: Actor) -> None:
    node = remember(alice, "mem://user/profile/tea", "Green tea.")
    make_vectors(alice)
    with workspace(alice.workspace_id):
        node = node_edit(alice, node_id=node.id, changes={"tags": ["drink"]}, version=node.version)
    assert counted(alice) == (1, 0, 1)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=node.id, changes={"content": "Black coffee."}, version=node.version)
    assert counted(alice) == (1, 1, 1)
    before = look(alice, "espresso").hits[0].similarity
    make_vectors(alice)
    assert counted(alice) == (1, 0, 1)
    assert look(alice, "espresso").hits[0].similarity > before


@pytest.mark.django_db(transaction=True)
def test_what_changes_while_its_vector_is_made_keeps_waiting(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    settings.EMBEDDINGS = REMOTE
    node = remember(alice, "mem://user/profile/tea", "Green tea.")
    remote.script(Behaviour(first_byte_s=1))
    work = Thread(target=run_apart, args=[lease_of(alice)])
    work.start()
    wait_until(lambda: bool(remote.requests), 10)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=node.id, changes={"content": "Black coffee."}, version=node.version)
    work.join(20)
    asked = [request.body["input"] for request in remote.requests]
    assert asked == [["Green tea."], ["Black coffee."]]
    assert counted(alice) == (1, 0, 1)


def test_ten_interruptions_do_the_work_once(alice: Actor, remote: ProviderServer, settings: Settings) -> None:
    settings.EMBEDDINGS = REMOTE
    settings.MODEL_TIMES = settings.MODEL_TIMES.__class__(attempts=1)
    for number in range(12):
        remember(alice, f"mem://user/events/day-{number}", f"What happened on day {number}.")
    lease = lease_of(alice)
    for _ in range(10):
        remote.script(Behaviour("status", status=400, error_type="invalid_request_error"))
        with pytest.raises(ModelError):
            vectors_run(lease)
        assert counted(alice) == (12, 12, 0)
    vectors_run(lease)
    assert counted(alice) == (12, 0, 12)
    asked = [request for request in remote.requests if request.path == "/v1/embeddings"]
    assert len(asked) == 11
    vectors_run(lease)
    assert len([request for request in remote.requests if request.path == "/v1/embeddings"]) == 11
    with workspace(alice.workspace_id):
        assert set(ModelUsage.objects.values_list("outcome", flat=True)) == {"ok", "rejected"}


def test_who_lost_the_job_writes_nothing(alice: Actor) -> None:
    remember(alice, "mem://user/profile/tea", "Green tea.")
    lease = lease_of(alice)
    stale = Lease(lease.job_id, lease.workspace_id, lease.kind, lease.key, alice.user_id, lease.generation, 1)
    with pytest.raises(LeaseLost):
        vectors_run(stale)
    assert counted(alice) == (1, 1, 0)


def test_search_goes_on_while_the_model_changes(alice: Actor, remote: ProviderServer) -> None:
    for number, text in enumerate(("We flew to Lisbon.", "The garden needs water.", "Tax is due in May.")):
        remember(alice, f"mem://user/events/e-{number}", text)
    make_vectors(alice)
    with workspace(alice.workspace_id):
        operation = space_change(alice, REMOTE)
        progress = space_progress()
        assert progress.serving and progress.building
        assert (progress.serving.model, progress.building.model, progress.built) == ("wordllama-256", REMOTE, 0)
    assert found_uris(alice, "holiday in Portugal")[0] == "mem://user/events/e-0"
    remember(alice, "mem://user/events/e-3", "A new boat.")
    with pytest.raises(Later):
        vectors_run(lease_of(alice))
    with workspace(alice.workspace_id):
        space = serving_space()
        assert space is not None
        assert (space.model, space.chosen) == (REMOTE, True)
        assert Embedding.objects.filter(space_id=space.id).count() == 4
        assert Operation.objects.get(pk=operation.id).state == "succeeded"
    found = look(alice, "boat")
    assert (found.by_meaning, found.because, found.hits[0].uri) == (False, "vector_not_made", "mem://user/events/e-3")
    assert len(found.hits) == 4


def test_the_former_vectors_are_emptied_a_while_later(alice: Actor, remote: ProviderServer) -> None:
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    make_vectors(alice)
    with workspace(alice.workspace_id):
        space_change(alice, REMOTE)
    lease = lease_of(alice)
    with pytest.raises(Later):
        vectors_run(lease)
    assert counted(alice) == (1, 0, 2)
    with workspace(alice.workspace_id):
        with pytest.raises(Conflict):
            space_change(alice, "wordllama-256")
        EmbeddingSpace.objects.filter(state="retired").update(since=timezone.now() - timedelta(seconds=GRACE_S + 1))
    vectors_run(lease)
    assert counted(alice) == (1, 0, 1)
    with workspace(alice.workspace_id):
        assert list(EmbeddingSpace.objects.values_list("model", flat=True)) == [REMOTE]


def test_a_workspace_that_chose_nothing_follows_the_installation(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    make_vectors(alice)
    settings.EMBEDDINGS = REMOTE
    remember(alice, "mem://user/events/f", "The garden.")
    with pytest.raises(Later):
        vectors_run(lease_of(alice))
    with workspace(alice.workspace_id):
        space = serving_space()
        assert space is not None
        assert (space.model, space.chosen) == (REMOTE, False)


def test_who_may_change_the_model_and_to_what(alice: Actor, bob: Actor) -> None:
    with workspace(alice.workspace_id), pytest.raises(Forbidden):
        space_change(bob, REMOTE)
    with workspace(alice.workspace_id), pytest.raises(ModelError) as refused:
        space_change(alice, "word2vec")
    assert refused.value.code == "not_supported"
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    make_vectors(alice)
    with workspace(alice.workspace_id), pytest.raises(Conflict):
        space_change(alice, "wordllama-256")


def test_a_provider_without_a_key_says_so(alice: Actor) -> None:
    with pytest.raises(ModelError) as refused:
        embedder_named(REMOTE, workspace_id=alice.workspace_id).embed(["Hello"])
    assert refused.value.code == "not_configured"
