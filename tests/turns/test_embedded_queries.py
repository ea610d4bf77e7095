"""Turns in a workspace whose embeddings a provider computes: each retrieves by meaning, a retry too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from tests.context.test_embedded_queries import ASKED, embedded
from tests.conversations.long_conversations import conversation
from tests.memory.recall import make_vectors, remember
from tests.memory.test_embedding_job import REMOTE
from tests.processes import Web, start_web
from tests.providers.behaviours import Behaviour
from tests.providers.environment import set_provider_variables
from tests.providers.openai_server import ProviderServer, running_server
from tests.turns.streams import Talker, events

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def openai() -> Iterator[ProviderServer]:
    with running_server() as server:
        yield server


@pytest.fixture(scope="module")
def openai_web(django_db_setup: None, openai: ProviderServer) -> Iterator[Web]:
    running = start_web(OPENAI_API_KEY="sk-test", OPENAI_BASE_URL=f"{openai.url}/v1", EMBEDDINGS=REMOTE)
    yield running
    running.stop()


def prompts(server: ProviderServer) -> list[str]:
    return [str((sent.body or {})["messages"]) for sent in server.requests if sent.path == "/v1/chat/completions"]


def test_a_turn_and_its_retry_retrieve_by_the_embedding_of_a_provider(
    alice: Actor, openai_web: Web, openai: ProviderServer, settings: Settings
) -> None:
    set_provider_variables(settings, OPENAI_API_KEY="sk-test", OPENAI_BASE_URL=f"{openai.url}/v1")
    settings.EMBEDDINGS = REMOTE
    remember(alice, "mem://user/events/him", ASKED)
    make_vectors(alice)
    openai.reset()
    talker, talk = Talker(openai_web, alice), conversation(alice)
    openai.script(Behaviour(), Behaviour("cut"))
    list(events(talker.turn(talk, ASKED)))
    list(events(talker.open("POST", f"/conversations/{talk}/turns/retry", {})))
    # The retry takes it from the cache.
    assert embedded(openai) == [ASKED]
    assert ["mem://user/events/him" in prompt for prompt in prompts(openai)] == [True, True]
