"""Which model makes a workspace's vectors, over HTTP."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from tests.api.callers import Caller
from tests.memory.recall import make_vectors, remember

pytestmark = pytest.mark.django_db


def test_it_tells_which_model_serves_and_what_waits_for_a_vector(alice: Actor, bob: Actor) -> None:
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
    assert Caller(alice).call("put", "/embeddings", {"model": model}, 409, {})["code"] == "same_model"
    assert Caller(alice).call("put", "/embeddings", {"model": "no-such"}, 422, {})["code"] == "unknown_model"
    assert Caller(bob).call("put", "/embeddings", {"model": model}, 403, {})["code"] == "forbidden"
