"""Packs of a workspace whose embeddings a provider computes: requested before the transaction, for one message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.context.selectors import pack_queries
from apps.context.services.embedded_queries import query_embed
from apps.conversations.records import MessageDraft
from apps.engine.pack.layers import Layer
from apps.memory.models import Passage
from tests.api.callers import Caller
from tests.conversations.long_conversations import conversation
from tests.memory.recall import make_vectors, remember
from tests.memory.test_embedding_job import REMOTE, remote
from tests.providers.behaviours import Behaviour
from tests.providers.server import ProviderServer

__all__ = ["remote"]
pytestmark = pytest.mark.django_db

ASKED = "Who is he, and what was it to you?"


@pytest.fixture
def conversation_id(alice: Actor, remote: ProviderServer, settings: Settings) -> UUID:
    settings.EMBEDDINGS = REMOTE
    remember(alice, "mem://user/events/him", ASKED)
    make_vectors(alice)
    with workspace(alice.workspace_id):
        # Only its vector finds the memory.
        Passage.objects.update(words="")
    remote.reset()
    return conversation(alice)


def embedded(server: ProviderServer) -> list[str]:
    """The texts that the provider was asked to embed."""
    return [text for sent in server.requests if sent.path == "/v1/embeddings" for text in (sent.body or {})["input"]]


def preview(caller: Caller, path: str) -> list[str]:
    return [one["origin"] for one in caller.post(path, {"message": ASKED}, status=200)["retrieved"]]


def waiting(caller: Caller, path: str) -> list[str]:
    caller.post(f"{path.removesuffix('/context')}/messages", {"role": "user", "content": ASKED})
    return [one["origin"] for one in caller.get(path)["retrieved"]]


@pytest.mark.parametrize("ask", [preview, waiting])
def test_a_pack_retrieves_by_the_embedding_of_a_provider(
    alice: Actor, remote: ProviderServer, conversation_id: UUID, ask: Callable[[Caller, str], list[str]]
) -> None:
    assert ask(Caller(alice), f"/conversations/{conversation_id}/context") == ["mem://user/events/him"]
    assert len(embedded(remote)) == 1


def test_the_topics_of_a_conversation_are_paid_for_once_and_not_with_every_message(
    alice: Actor, remote: ProviderServer, conversation_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pack_queries, "topic_text", lambda title, summary: "Move to Lisbon.")
    caller, path = Caller(alice), f"/conversations/{conversation_id}/context"
    for message in (ASKED, "And when?"):
        caller.post(path, {"message": message}, status=200)
    assert embedded(remote) == ["Move to Lisbon.", ASKED, "And when?"]


def test_a_trial_negotiation_measures_what_the_embedding_finds(
    alice: Actor, remote: ProviderServer, conversation_id: UUID
) -> None:
    path = f"/conversations/{conversation_id}/context/negotiate"
    layers = Caller(alice).post(path, {"message": ASKED}, status=200)["layers"]
    assert next(one["content"] for one in layers if one["layer"] == Layer.JUST_IN_TIME) > 0
    assert len(embedded(remote)) == 1


def test_a_pack_is_built_while_the_provider_fails(alice: Actor, remote: ProviderServer, conversation_id: UUID) -> None:
    remote.script(Behaviour("status", status=401, error_type="authentication_error"))
    assert preview(Caller(alice), f"/conversations/{conversation_id}/context") == []


def test_nothing_is_embedded_for_those_without_access(
    alice: Actor, charlie: Actor, remote: ProviderServer, conversation_id: UUID
) -> None:
    path = f"/conversations/{conversation_id}/context"
    Caller(charlie).post(path, {"message": ASKED}, status=404)
    assert embedded(remote) == []


def test_an_invalid_message_is_rejected_and_not_embedded(
    alice: Actor, remote: ProviderServer, conversation_id: UUID
) -> None:
    path = f"/conversations/{conversation_id}/context"
    for body in ({"message": 7}, {"message": ""}, {}, []):
        Caller(alice).post(path, body, status=400)
    assert embedded(remote) == []


def test_nothing_is_embedded_where_nothing_is_retrieved(
    alice: Actor, remote: ProviderServer, conversation_id: UUID, settings: Settings
) -> None:
    for off in ({"lookups_enabled": False}, {"engine_enabled": False}):
        settings.CONTINUITY_POLICY = replace(settings.CONTINUITY_POLICY, **off)
        assert query_embed(alice, conversation_id, MessageDraft("user", ASKED)) is None
    assert embedded(remote) == []


def test_a_tool_s_result_is_not_embedded(alice: Actor, remote: ProviderServer, conversation_id: UUID) -> None:
    assert query_embed(alice, conversation_id, MessageDraft("tool", ASKED)) is None
    assert embedded(remote) == []


def test_a_local_model_embeds_before_the_transaction_too(alice: Actor) -> None:
    remember(alice, "mem://user/events/him", ASKED)
    make_vectors(alice)
    assert query_embed(alice, conversation(alice), MessageDraft("user", ASKED)) is not None
