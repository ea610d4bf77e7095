"""The embedding model of a workspace, over HTTP."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from tests.api.callers import Caller
from tests.memory.recall import make_vectors, remember
from tests.memory.test_embedding_job import REMOTE, remote
from tests.memory.test_model_switch_away import LOCAL
from tests.providers.environment import set_provider_variables
from tests.providers.server import ProviderServer

__all__ = ["remote"]
pytestmark = pytest.mark.django_db


def test_it_reports_the_serving_model_and_the_embedding_backlog(alice: Actor, bob: Actor) -> None:
    caller = Caller(alice)
    empty = caller.get("/embeddings")
    assert (empty["serving"], empty["building"], empty["passages"]) == (None, None, 0)
    remember(alice, "mem://user/events/one", "It rained.")
    assert caller.get("/embeddings")["waiting"] == 1
    make_vectors(alice)
    told = Caller(bob).get("/embeddings")
    assert (told["serving"]["model"], told["serving"]["state"]) == (told["default"], "serving")
    assert (told["passages"], told["waiting"], told["serving"]["chosen"]) == (1, 0, False)


def test_only_who_administers_changes_the_model(alice: Actor, bob: Actor) -> None:
    remember(alice, "mem://user/events/one", "It rained.")
    make_vectors(alice)
    model = Caller(alice).get("/embeddings")["serving"]["model"]
    assert Caller(alice).call("put", "/embeddings", {"model": "no-such"}, 422, {})["code"] == "unknown_model"
    assert Caller(bob).call("put", "/embeddings", {"model": model}, 403, {})["code"] == "forbidden"


def test_an_abandoned_model_is_reported_with_the_reason(
    alice: Actor, remote: ProviderServer, settings: Settings
) -> None:
    caller = Caller(alice)
    assert caller.get("/embeddings")["given_up"] is None
    set_provider_variables(settings, OPENAI_API_KEY="wrong")
    change = caller.call("put", "/embeddings", {"model": REMOTE}, 202, {})
    assert caller.get(f"/operations/{change['id']}")["state"] == "queued"
    remember(alice, "mem://user/events/one", "It rained.")
    make_vectors(alice)
    state = caller.get("/embeddings")
    assert (state["serving"]["model"], state["serving"]["chosen"], state["waiting"]) == (LOCAL, False, 0)
    told = state["given_up"]
    error = caller.get(f"/operations/{change['id']}")["error"]
    assert (told["model"], told["code"], told["chosen"]) == (REMOTE, "unauthorized", True)
    assert error == {"code": told["code"], "detail": told["detail"]}
    assert told["since"] < told["retry_at"]
    assert caller.call("put", "/embeddings", {"model": REMOTE}, 202, {})["id"] != change["id"]
    assert caller.get("/embeddings")["given_up"] is None


def test_the_installations_model_is_chosen_at_once_before_the_first_vector(alice: Actor) -> None:
    told = Caller(alice).call("put", "/embeddings", {"model": LOCAL}, 200, {})
    assert (told["serving"]["model"], told["serving"]["chosen"], told["building"]) == (LOCAL, True, None)


def test_the_present_model_is_chosen_at_once_and_gives_a_change_up(alice: Actor, remote: ProviderServer) -> None:
    remember(alice, "mem://user/events/one", "It rained.")
    make_vectors(alice)
    caller = Caller(alice)
    for _ in range(2):
        told = caller.call("put", "/embeddings", {"model": LOCAL}, 200, {})
        assert (told["serving"]["model"], told["serving"]["chosen"], told["building"]) == (LOCAL, True, None)
    changes = [caller.call("put", "/embeddings", {"model": REMOTE}, 202, {}) for _ in range(2)]
    assert changes[0]["id"] == changes[1]["id"]
    assert caller.get("/embeddings")["building"]["model"] == REMOTE
    told = caller.call("put", "/embeddings", {"model": LOCAL}, 200, {})
    assert (told["serving"]["model"], told["building"]) == (LOCAL, None)
    ended = caller.get(f"/operations/{changes[0]['id']}")
    assert (ended["state"], ended["error"]["code"]) == ("failed", "cancelled")
    assert caller.call("put", "/embeddings", {"model": REMOTE}, 409, {})["code"] == "busy"
