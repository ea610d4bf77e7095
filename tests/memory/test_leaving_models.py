"""Changing the model where something is in the way: nothing there yet, a provider that is gone, one that refuses."""

from __future__ import annotations

import pytest
from pydantic import SecretStr
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.jobs.models import DueJob, Operation
from apps.memory.selectors.spaces import serving_space
from apps.memory.services.vectors import KIND, space_change
from tests.memory.recall import make_vectors, remember
from tests.memory.test_vectors import REMOTE, remote
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
        space_change(alice, LOCAL)
    make_vectors(alice)
    assert serving(alice) == LOCAL


def test_a_workspace_gets_away_from_a_provider_that_is_gone(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    settings.EMBEDDINGS = REMOTE
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    make_vectors(alice)
    assert serving(alice) == REMOTE
    settings.OPENAI_API_KEY = SecretStr("")
    remember(alice, "mem://user/events/f", "The garden needs water.")
    with workspace(alice.workspace_id):
        space_change(alice, LOCAL)
    for _ in range(6):
        DueJob.objects.filter(kind=KIND).update(state="due", attempts=0)
        make_vectors(alice)
    assert serving(alice) == LOCAL


def test_who_waits_for_a_model_that_never_answers_is_told(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    remember(alice, "mem://user/events/e", "We flew to Lisbon.")
    make_vectors(alice)
    settings.OPENAI_API_KEY = SecretStr("wrong")
    with workspace(alice.workspace_id):
        operation = space_change(alice, REMOTE)
    for _ in range(8):
        make_vectors(alice)
    with workspace(alice.workspace_id):
        told = Operation.objects.get(pk=operation.id)
    assert (told.state, told.error["code"], serving(alice)) == ("failed", "unauthorized", LOCAL)
