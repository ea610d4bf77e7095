"""Switching the model without vectors, from an unavailable provider, and to a refusing one."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.jobs.models import DueJob, Operation
from apps.memory.models import EmbeddingSpace, Passage
from apps.memory.selectors.search.embedding_spaces import serving_space
from apps.memory.services.index.embedding_job import KIND
from apps.memory.services.index.space_changes import space_change
from tests.memory.recall import look, make_vectors, remember
from tests.memory.test_embedding_job import REMOTE, remote
from tests.providers.environment import set_provider_variables
from tests.providers.server import ProviderServer

__all__ = ["remote"]
pytestmark = pytest.mark.django_db
LOCAL = "wordllama-256"


def serving(actor: Actor) -> str:
    with workspace(actor.workspace_id):
        space = serving_space()
        assert space is not None
        return space.model


def test_the_default_model_can_be_chosen_before_there_is_a_vector(alice: Actor) -> None:
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    with workspace(alice.workspace_id):
        assert space_change(alice, LOCAL) is None
        assert EmbeddingSpace.objects.get().chosen
    make_vectors(alice)
    assert serving(alice) == LOCAL


def test_a_model_chosen_before_the_first_vector_is_built_next_to_the_installations(
    alice: Actor, remote: ProviderServer
) -> None:
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    with workspace(alice.workspace_id):
        operation = space_change(alice, REMOTE)
        assert operation and operation.state == "queued"
    assert serving(alice) == LOCAL
    make_vectors(alice)
    with workspace(alice.workspace_id):
        assert Operation.objects.get(pk=operation.id).state == "succeeded"
    assert serving(alice) == REMOTE


def test_the_installations_model_stays_where_the_first_choice_makes_no_vectors(alice: Actor) -> None:
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    with workspace(alice.workspace_id):
        operation = space_change(alice, REMOTE)
        assert operation
    make_vectors(alice)
    with workspace(alice.workspace_id):
        told = Operation.objects.get(pk=operation.id)
        assert not Passage.objects.filter(wanted_at__isnull=False).exists()
    assert (told.state, (told.error or {})["code"], serving(alice)) == ("failed", "not_configured", LOCAL)
    assert not DueJob.objects.filter(kind=KIND).exists()
    assert look(alice, "a holiday in Portugal").by_meaning


def test_a_workspace_can_leave_a_provider_that_is_unavailable(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    settings.EMBEDDINGS = REMOTE
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    make_vectors(alice)
    assert serving(alice) == REMOTE
    set_provider_variables(settings, OPENAI_API_KEY="")
    remember(alice, "mem://user/events/f", "The garden needs water.")
    with workspace(alice.workspace_id):
        space_change(alice, LOCAL)
    for _ in range(6):
        DueJob.objects.filter(kind=KIND).update(state="due", attempts=0)
        make_vectors(alice)
    assert serving(alice) == LOCAL


def test_a_workspace_that_waits_for_a_refusing_model_sees_the_reason(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    make_vectors(alice)
    set_provider_variables(settings, OPENAI_API_KEY="wrong")
    with workspace(alice.workspace_id):
        operation = space_change(alice, REMOTE)
        assert operation
    make_vectors(alice)
    with workspace(alice.workspace_id):
        told = Operation.objects.get(pk=operation.id)
    assert (told.state, (told.error or {})["code"], serving(alice)) == ("failed", "unauthorized", LOCAL)
