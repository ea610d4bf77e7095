"""Failures of the embedding model: occasional, repeated, or permanent."""

from __future__ import annotations

from datetime import timedelta
from importlib.util import find_spec

import pytest
from django.utils import timezone
from pytest_django import Settings
from structlog.testing import capture_logs

from apps.accounts.actors import Actor
from apps.accounts.services.policies import policy_update
from apps.common.tenancy import workspace
from apps.jobs.models import DueJob, Operation
from apps.jobs.services import job_request
from apps.jobs.timeouts import JOB_TIMES
from apps.llm.embedding import registry, weights
from apps.memory.models import Embedding, EmbeddingSpace, Passage
from apps.memory.selectors.search.embedding_spaces import space_progress
from apps.memory.services.index import embedding_batches
from apps.memory.services.index.embedding_job import KIND
from apps.memory.services.index.embedding_spaces import AGAIN_S
from apps.memory.services.index.space_changes import space_change
from apps.memory.services.tree.edit import node_edit
from tests.memory.recall import found_uris, make_vectors, remember, run_named
from tests.memory.test_embedding_job import REMOTE, remote
from tests.memory.test_model_choice import OTHER, begun, spaces
from tests.memory.test_model_switch_away import LOCAL, serving
from tests.providers.behaviours import Behaviour
from tests.providers.environment import set_provider_variables
from tests.providers.server import ProviderServer

__all__ = ["remote"]
pytestmark = pytest.mark.django_db
DOWN = Behaviour("status", status=503)


@pytest.fixture(autouse=True)
def little_at_a_time(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """One text per request, without retries."""
    monkeypatch.setattr(embedding_batches, "LARGEST", 1)
    settings.MODEL_TIMES = settings.MODEL_TIMES.__class__(attempts=1)


def change_begun(actor: Actor, model: str = REMOTE) -> Operation:
    with workspace(actor.workspace_id):
        operation = space_change(actor, model)
        assert operation
        return Operation.objects.get(pk=operation.id)


def told(actor: Actor, operation: Operation) -> tuple[str, str]:
    """Return the operation's state, and the reason of its failure."""
    with workspace(actor.workspace_id):
        operation.refresh_from_db()
        return operation.state, (operation.error or {}).get("code", "")


def rest(actor: Actor) -> None:
    """Wait until the back-off has ended."""
    with workspace(actor.workspace_id):
        EmbeddingSpace.objects.filter(retry_at__isnull=False).update(retry_at=timezone.now())


def failures(actor: Actor) -> tuple[int, str]:
    """Return the number of consecutive failures of the building space, and the last error."""
    with workspace(actor.workspace_id):
        space = EmbeddingSpace.objects.get(state="building")
        return space.failures, space.error_code


def begun_refused(actor: Actor, settings: Settings) -> None:
    """Begin with two memories and a refused switch of the installation."""
    begun(actor)
    settings.EMBEDDINGS = REMOTE
    set_provider_variables(settings, OPENAI_API_KEY="wrong")
    remember(actor, "mem://user/events/f", "The garden needs water.")
    make_vectors(actor)


def test_a_long_change_outlives_more_failures_than_a_job_may_have(alice: Actor, remote: ProviderServer) -> None:
    for number in range(16):
        remember(alice, f"mem://user/events/day-{number}", f"What happened on day {number}.")
    make_vectors(alice)
    operation = change_begun(alice)
    remote.script(*[Behaviour(), Behaviour(), DOWN] * 7)
    for _ in range(7):
        make_vectors(alice)
        assert told(alice, operation) == ("running", "")
        assert failures(alice) == (1, "unavailable")
        rest(alice)
    make_vectors(alice)
    assert told(alice, operation) == ("succeeded", "")
    assert serving(alice) == REMOTE


def test_a_workspace_that_waits_for_an_unresponsive_model_sees_the_reason(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    begun(alice)
    operation = change_begun(alice)
    remote.usual = Behaviour("hang")
    settings.MODEL_TIMES = settings.MODEL_TIMES.__class__(attempts=1, total_s=0.5)
    for number in range(1, JOB_TIMES.max_attempts):
        make_vectors(alice)
        assert (told(alice, operation), failures(alice)) == (("queued", ""), (number, "timeout"))
        rest(alice)
    make_vectors(alice)
    assert told(alice, operation) == ("failed", "timeout")
    assert serving(alice) == LOCAL


def test_what_failed_rests_while_the_present_model_goes_on(alice: Actor, remote: ProviderServer) -> None:
    begun(alice)
    change_begun(alice)
    remote.script(DOWN)
    make_vectors(alice)
    remember(alice, "mem://user/events/f", "The garden needs water.")
    make_vectors(alice)
    assert (len(remote.requests), failures(alice)) == (1, (1, "unavailable"))
    assert found_uris(alice, "watering plants")[0] == "mem://user/events/f"
    with workspace(alice.workspace_id):
        assert not Passage.objects.filter(wanted_at__isnull=False).exists()
    job = DueJob.objects.get(kind=KIND)
    assert timezone.now() < job.due_at < timezone.now() + timedelta(seconds=JOB_TIMES.retry_first_s)


def test_what_the_job_failed_with_before_does_not_count(alice: Actor, remote: ProviderServer) -> None:
    begun(alice)
    operation = change_begun(alice)
    DueJob.objects.filter(kind=KIND).update(attempts=JOB_TIMES.max_attempts - 1)
    remote.script(DOWN)
    make_vectors(alice)
    assert told(alice, operation) == ("queued", "")
    rest(alice)
    make_vectors(alice)
    assert told(alice, operation) == ("succeeded", "")


def test_the_failures_of_the_present_model_end_no_change(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    settings.EMBEDDINGS = REMOTE
    begun(alice)
    operation = change_begun(alice, OTHER)
    DueJob.objects.filter(kind=KIND).update(attempts=JOB_TIMES.max_attempts - 1)
    remember(alice, "mem://user/events/f", "The garden needs water.")
    remote.script(*[DOWN] * 3)
    make_vectors(alice)
    job = DueJob.objects.get(kind=KIND)
    assert (job.state, job.attempts) == ("due", JOB_TIMES.max_attempts - 1)
    rest(alice)
    make_vectors(alice)
    assert told(alice, operation) == ("succeeded", "")


def test_what_is_cancelled_after_a_failure_was_not_given_up_for_it(alice: Actor, remote: ProviderServer) -> None:
    begun(alice)
    operation = change_begun(alice)
    remote.script(DOWN)
    make_vectors(alice)
    with workspace(alice.workspace_id):
        space_change(alice, LOCAL)
        assert space_progress().given_up is None
    assert told(alice, operation) == ("failed", "cancelled")


def test_a_model_that_the_workspace_does_not_let_us_ask_is_not_given_up(alice: Actor, remote: ProviderServer) -> None:
    begun(alice)
    operation = change_begun(alice)
    with workspace(alice.workspace_id):
        policy_update(alice, overrides={"model_calls_enabled": False}, version=0)
    for _ in range(JOB_TIMES.max_attempts + 1):
        make_vectors(alice)
    assert (told(alice, operation), failures(alice)) == (("queued", ""), (0, ""))
    with workspace(alice.workspace_id):
        policy_update(alice, overrides={"model_calls_enabled": None}, version=1)
    make_vectors(alice)
    assert told(alice, operation) == ("succeeded", "")


def test_what_the_installation_changes_to_is_given_up_with_a_reason_and_left_alone(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    with capture_logs() as logged:
        begun_refused(alice, settings)
    (line,) = [line for line in logged if line["event"] == "vectors_given_up"]
    assert (line["log_level"], line["model"], line["error"]) == ("warning", REMOTE, "unauthorized")
    asked = len(remote.requests)
    set_provider_variables(settings, OPENAI_API_KEY="sk-test")
    remember(alice, "mem://user/events/g", "Tax is due in May.")
    make_vectors(alice)
    assert spaces(alice) == {LOCAL: ("serving", False), REMOTE: ("retired", False)}
    assert len(remote.requests) == asked
    with workspace(alice.workspace_id):
        space = EmbeddingSpace.objects.get(state="retired")
        assert space.retry_at
        assert AGAIN_S - 60 < (space.retry_at - timezone.now()).total_seconds() <= AGAIN_S
    assert not DueJob.objects.filter(kind=KIND).exists()


def test_some_hours_later_the_installations_change_begins_again_with_what_there_is(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    begun(alice)
    changed = remember(alice, "mem://user/events/f", "The garden needs water.")
    remember(alice, "mem://user/events/g", "Tax is due in May.")
    settings.EMBEDDINGS = REMOTE
    remote.script(Behaviour(), Behaviour(), Behaviour("status", status=401, error_type="authentication_error"))
    make_vectors(alice)
    assert spaces(alice)[REMOTE] == ("retired", False)
    with workspace(alice.workspace_id):
        node_edit(alice, node_id=changed.id, changes={"content": "The garden needs no water."}, version=changed.version)
    make_vectors(alice)
    rest(alice)
    remember(alice, "mem://user/events/h", "A new boat.")
    make_vectors(alice)
    assert spaces(alice)[REMOTE] == ("serving", False)
    with workspace(alice.workspace_id):
        assert Embedding.objects.filter(space__model=REMOTE).count() == 4
    assert len(remote.requests) == 6


def test_another_model_of_the_installation_is_begun_with_at_once(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    begun_refused(alice, settings)
    settings.EMBEDDINGS = OTHER
    set_provider_variables(settings, OPENAI_API_KEY="sk-test")
    remember(alice, "mem://user/events/g", "Tax is due in May.")
    make_vectors(alice)
    assert spaces(alice)[OTHER] == ("serving", False)


def test_a_model_that_was_given_up_can_be_chosen_at_once(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    begun_refused(alice, settings)
    set_provider_variables(settings, OPENAI_API_KEY="sk-test")
    operation = change_begun(alice)
    make_vectors(alice)
    assert told(alice, operation) == ("succeeded", "")
    assert spaces(alice)[REMOTE] == ("serving", True)


def test_an_abandoned_space_is_deleted_when_it_is_no_longer_chosen(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    begun_refused(alice, settings)
    settings.EMBEDDINGS = LOCAL
    sweep(alice)
    make_vectors(alice)
    assert spaces(alice)[REMOTE] == ("retired", False)
    rest(alice)
    sweep(alice)
    make_vectors(alice)
    assert spaces(alice) == {LOCAL: ("serving", False)}


def sweep(actor: Actor) -> None:
    now = timezone.now()
    job_request(workspace_id=actor.workspace_id, kind="memory_sweep", key="", due_at=now, deadline_at=now)
    assert run_named(actor, "memory_sweep", "")


def test_an_installations_model_that_is_not_installed_keeps_nothing_from_its_vector(
    alice: Actor, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(alice)
    monkeypatch.setattr(weights, "find_spec", lambda name: None if "minilm" in name else find_spec(name))
    registry._local.cache_clear()  # another test may have loaded the model
    settings.EMBEDDINGS = "minilm"
    remember(alice, "mem://user/events/f", "The garden needs water.")
    make_vectors(alice)
    assert spaces(alice) == {LOCAL: ("serving", False), "minilm-int8-384": ("retired", False)}
    with workspace(alice.workspace_id):
        assert not Passage.objects.filter(wanted_at__isnull=False).exists()
        assert "config.stack.packages minilm" in EmbeddingSpace.objects.get(state="retired").error
