"""Idempotent replay under concurrency and over time; `tests/api` covers the client's view."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import IdempotencyKey
from apps.accounts.services.idempotency import (
    StoredAnswer,
    idempotency_claim,
    idempotency_prune,
    idempotency_store,
)
from apps.common.errors import Unprocessable
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from tests.accounts.crowd import at_once
from tests.people import client_of

ANSWER = StoredAnswer(201, {"id": 1}, {"Location": "/api/things/1"})


@pytest.mark.django_db(transaction=True)
def test_concurrent_repeats_have_one_effect(alice: Actor) -> None:
    answers: list[tuple[int, str]] = []

    def post() -> None:
        answer = client_of(alice).post("/api/conversations", {"title": "A talk"}, headers={"Idempotency-Key": "same"})
        answers.append((answer.status_code, answer.json().get("id", "")))

    at_once(*[post] * 6)
    assert len(answers) == 6
    assert len(set(answers)) == 1
    with workspace(alice.workspace_id):
        assert Conversation.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_failed_request_does_not_claim_its_key(alice: Actor) -> None:
    with pytest.raises(RuntimeError), workspace(alice.workspace_id):
        idempotency_claim(alice, key="k", digest="d")
        raise RuntimeError
    with workspace(alice.workspace_id):
        assert idempotency_claim(alice, key="k", digest="d").answer is None


@pytest.mark.django_db
def test_a_response_is_replayed_for_a_day(alice: Actor) -> None:
    with workspace(alice.workspace_id):
        idempotency_store(idempotency_claim(alice, key="k", digest="d"), ANSWER)
        assert idempotency_claim(alice, key="k", digest="d").answer == ANSWER
        with pytest.raises(Unprocessable):
            idempotency_claim(alice, key="k", digest="other")
        IdempotencyKey.objects.update(created_at=timezone.now() - timedelta(hours=25))
        assert idempotency_claim(alice, key="k", digest="other").answer is None


@pytest.mark.django_db
def test_pruning_deletes_expired_keys_of_one_workspace(alice: Actor, charlie: Actor) -> None:
    for actor in (alice, charlie):
        with workspace(actor.workspace_id):
            idempotency_claim(actor, key="old", digest="d")
            IdempotencyKey.objects.update(created_at=timezone.now() - timedelta(hours=25))
            idempotency_claim(actor, key="new", digest="d")
    with workspace(alice.workspace_id):
        assert [idempotency_prune(), idempotency_prune()] == [1, 0]
        assert IdempotencyKey.objects.get().key == "new"
    with workspace(charlie.workspace_id):
        assert IdempotencyKey.objects.count() == 2
