"""The embedding job: one vector per text, and a switch of the model during searches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from threading import Event, Thread

import pytest
from django.db import connections
from django.utils import timezone
from pytest_django import Settings
from structlog.testing import capture_logs

from apps.accounts.actors import Actor
from apps.common.errors import Conflict, Forbidden
from apps.common.tenancy import workspace
from apps.jobs.models import Operation
from apps.jobs.services import LeaseLost, RescheduleJob, claim_named, lease_take
from apps.jobs.services.leases import Lease
from apps.llm.embedding.registry import embedder_named
from apps.llm.errors import ModelError
from apps.llm.models import ModelUsage
from apps.memory.models import Embedding, EmbeddingSpace, Passage
from apps.memory.records.search import SearchQuery
from apps.memory.selectors.search.embedding_spaces import serving_space, space_progress
from apps.memory.selectors.search.find import find
from apps.memory.services.index.embedding_job import KEY, KIND, vectors_run
from apps.memory.services.index.embedding_spaces import GRACE_S
from apps.memory.services.index.space_changes import space_change
from apps.memory.services.search.find import memories_find
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.share import node_share
from config.stack.process import wait_until
from tests.memory.recall import found_uris, look, make_vectors, remember
from tests.providers.behaviours import Behaviour, Recorded
from tests.providers.environment import set_provider_variables
from tests.providers.openai_server import OpenAIWire, ProviderServer, running_server
from tests.providers.server import running

pytestmark = pytest.mark.django_db

REMOTE = "openai/text-embedding-test@8"
UNSPEAKABLE = "The unspeakable."


@pytest.fixture
def remote(settings: Settings) -> Iterator[ProviderServer]:
    """An embedding provider that the installation has a key for."""
    with running_server() as server:
        set_provider_variables(settings, OPENAI_API_KEY="sk-test", OPENAI_BASE_URL=f"{server.url}/v1")
        yield server


def lease_of(actor: Actor, key: str = KEY, kind: str = KIND) -> Lease:
    claim = claim_named(workspace_id=actor.workspace_id, kind=kind, key=key)
    assert claim is not None
    lease = lease_take(job_id=claim.job_id, sent_token=claim.token)
    assert lease is not None
    return lease


def run_apart(lease: Lease) -> None:
    """Run it in a thread that closes its connection."""
    try:
        vectors_run(lease)
    finally:
        connections.close_all()


def run_apart_later(lease: Lease) -> None:
    """The same, if the replaced vectors are still to be deleted."""
    with pytest.raises(RescheduleJob):
        run_apart(lease)


class Squeamish(OpenAIWire):
    """A provider that refuses every batch with a certain text, without details."""

    def refusal(self, request: Recorded) -> tuple[int, str] | None:
        if UNSPEAKABLE in (request.body or {}).get("input", ()):
            return 400, "invalid_request_error"
        return super().refusal(request)


def counted(actor: Actor) -> tuple[int, int, int]:
    """Return the numbers of passages, passages without a vector, and vectors."""
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


def test_only_changed_passages_are_reembedded(alice: Actor) -> None:
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
        # Every text is refused, including the one that the job tries alone.
        remote.script(*[Behaviour("status", status=400, error_type="invalid_request_error")] * 2)
        with pytest.raises(ModelError):
            vectors_run(lease)
        assert counted(alice) == (12, 12, 0)
    vectors_run(lease)
    assert counted(alice) == (12, 0, 12)
    asked = [request for request in remote.requests if request.path == "/v1/embeddings"]
    assert len(asked) == 21
    vectors_run(lease)
    assert len([request for request in remote.requests if request.path == "/v1/embeddings"]) == 21
    with workspace(alice.workspace_id):
        assert set(ModelUsage.objects.values_list("outcome", flat=True)) == {"ok", "rejected"}


def test_a_text_that_the_model_refuses_keeps_no_other_from_its_vector(alice: Actor, settings: Settings) -> None:
    for number in range(12):
        remember(alice, f"mem://user/events/day-{number}", f"What happened on day {number}.")
    node = remember(alice, "mem://user/events/odd", "Something else.")
    with running(Squeamish()) as server:
        settings.EMBEDDINGS = REMOTE
        set_provider_variables(settings, OPENAI_API_KEY="sk-test", OPENAI_BASE_URL=f"{server.url}/v1")
        make_vectors(alice)
        assert counted(alice) == (13, 0, 13)
        with workspace(alice.workspace_id):
            node_edit(alice, node_id=node.id, changes={"content": UNSPEAKABLE}, version=node.version)
            Passage.objects.update(wanted_at=timezone.now())
        with capture_logs() as logged:
            make_vectors(alice)
    assert counted(alice) == (13, 0, 12)
    told = [line for line in logged if line["event"] == "vectors_refused"]
    with workspace(alice.workspace_id):
        assert [line["passages"] for line in told] == [[str(Passage.objects.get(node_id=node.id).id)]]
    assert UNSPEAKABLE not in repr(logged)
    assert found_uris(alice, "unspeakable")[0] == "mem://user/events/odd"


@pytest.mark.django_db(transaction=True)
def test_what_is_shared_while_its_vector_is_made_gets_it(alice: Actor, remote: ProviderServer) -> None:
    node = remember(alice, "mem://agent/patterns/deploys", "Deploy on Mondays.")
    make_vectors(alice)
    with workspace(alice.workspace_id):
        space_change(alice, REMOTE)
    remote.script(Behaviour(first_byte_s=1))
    work = Thread(target=run_apart_later, args=[lease_of(alice)])
    work.start()
    wait_until(lambda: bool(remote.requests), 10)
    with workspace(alice.workspace_id):
        node_share(alice, node_id=node.id)
    work.join(20)
    with workspace(alice.workspace_id):
        space = serving_space()
        assert space is not None and space.model == REMOTE
        assert [row.bank for row in Embedding.objects.filter(space_id=space.id)] == [alice.workspace_id]


def test_who_lost_the_job_writes_nothing(alice: Actor) -> None:
    remember(alice, "mem://user/profile/tea", "Green tea.")
    lease = lease_of(alice)
    stale = Lease(
        lease.job_id, lease.workspace_id, lease.kind, lease.key, lease.priority, alice.user_id, lease.generation, 1
    )
    with pytest.raises(LeaseLost):
        vectors_run(stale)
    assert counted(alice) == (1, 1, 0)


def test_search_goes_on_while_the_model_changes(alice: Actor, remote: ProviderServer) -> None:
    for number, text in enumerate(("We flew to Lisbon.", "The garden needs water.", "Tax is due in May.")):
        remember(alice, f"mem://user/events/e-{number}", text)
    make_vectors(alice)
    with workspace(alice.workspace_id):
        operation = space_change(alice, REMOTE)
        assert operation
        progress = space_progress()
        assert progress.serving and progress.building
        assert (progress.serving.model, progress.building.model, progress.built) == ("wordllama-256", REMOTE, 0)
    assert found_uris(alice, "holiday in Portugal")[0] == "mem://user/events/e-0"
    remember(alice, "mem://user/events/e-3", "A new boat.")
    with pytest.raises(RescheduleJob):
        vectors_run(lease_of(alice))
    with workspace(alice.workspace_id):
        space = serving_space()
        assert space is not None
        assert (space.model, space.chosen) == (REMOTE, True)
        assert Embedding.objects.filter(space_id=space.id).count() == 4
        assert Operation.objects.get(pk=operation.id).state == "succeeded"
    assert memories_find(alice, query=SearchQuery("boat")).by_meaning
    # A search that was embedded by the previous model, or by none.
    with workspace(alice.workspace_id):
        found = find(alice, SearchQuery("boat"))
    assert (found.by_meaning, found.reason, found.hits[0].uri) == (False, "vector_not_made", "mem://user/events/e-3")
    assert len(found.hits) == 4


def test_the_former_vectors_are_emptied_a_while_later(alice: Actor, remote: ProviderServer) -> None:
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    make_vectors(alice)
    with workspace(alice.workspace_id):
        space_change(alice, REMOTE)
    lease = lease_of(alice)
    with pytest.raises(RescheduleJob):
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
    with pytest.raises(RescheduleJob):
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


def test_a_provider_without_a_key_is_reported(alice: Actor) -> None:
    with pytest.raises(ModelError) as refused:
        embedder_named(REMOTE, workspace_id=alice.workspace_id).embed(["Hello"])
    assert refused.value.code == "not_configured"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("changing", [False, True])
def test_the_embedding_job_never_waits_for_writers(alice: Actor, changing: bool, remote: ProviderServer) -> None:
    """A writer locks its passage and then requests the job; a job that waited for the passage would deadlock."""
    remember(alice, "mem://user/profile/tea", "Green tea in the morning.")
    if changing:
        make_vectors(alice)
        with workspace(alice.workspace_id):
            space_change(alice, REMOTE)
    begun, ended = Event(), Event()
    writer = Thread(target=hold_passages, args=(alice, begun, ended))
    writer.start()
    try:
        assert begun.wait(10)
        lease = lease_of(alice)
        with pytest.raises(RescheduleJob):
            vectors_run(lease)
    finally:
        ended.set()
        writer.join()
    # The replaced vectors are still to be deleted.
    with suppress(RescheduleJob):
        vectors_run(lease)
    with workspace(alice.workspace_id):
        space = serving_space()
        assert space is not None and space.model == (REMOTE if changing else "wordllama-256")
        assert Embedding.objects.filter(space_id=space.id).count() == 1


def hold_passages(actor: Actor, begun: Event, ended: Event) -> None:
    """Lock the passages, like an edit of a memory, until the event is set."""
    try:
        with workspace(actor.workspace_id):
            list(Passage.objects.select_for_update())
            begun.set()
            ended.wait(20)
    finally:
        connections.close_all()
