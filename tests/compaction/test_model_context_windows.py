"""Slices sized to a model's context window, and the fallback to the engine when the window is too small."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.core.cache import cache
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.services.summarizer import NO_ROOM, Summarizer
from apps.engine.compaction.plan import live_tokens
from apps.engine.policy import Policy
from apps.llm.models import ModelSettings
from apps.llm.routing.local_discovery import LOCAL_MODELS
from tests.compaction.runs import check_invariants, compact, runs_of
from tests.compaction.segments import run_segment_job, segments
from tests.conversations.long_conversations import conversation, history, long_talk, say
from tests.llm.conftest import account_of
from tests.llm.conftest import said as user_message
from tests.providers import anthropic_server, openai_server
from tests.providers.environment import set_provider_variables
from tests.providers.openai_server import OLLAMA
from tests.providers.server import ProviderServer

pytestmark = pytest.mark.django_db(transaction=True)

WINDOW = 32_000
"""The context window assumed for an unknown model."""


@pytest.fixture
def unknown_model(settings: Settings) -> Iterator[ProviderServer]:
    """A model with a name of the maximum length."""
    with anthropic_server.running_server() as server:
        set_provider_variables(settings, ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=server.url)
        settings.MODELS = {"compaction": "own-model-" + "x" * 110}
        yield server


@pytest.fixture
def ollama(settings: Settings, alice: Actor) -> Iterator[ProviderServer]:
    """A model with a window of 4,096 tokens that truncates longer input silently."""
    cache.clear()
    LOCAL_MODELS.forget()
    names = {"compaction": openai_server.MODELS[0]}
    with workspace(alice.workspace_id):
        ModelSettings.objects.create(backend="ollama", local_allowed=True, by_purpose=names)
    with openai_server.running_server(OLLAMA) as server:
        set_provider_variables(settings, OLLAMA_BASE_URL=server.url)
        server.scripts_stretches = True
        yield server


def posted(server: ProviderServer) -> list[dict[str, object]]:
    return [request.body for request in server.requests if request.method == "POST"]


@pytest.mark.slow("it compacts a long conversation")
def test_a_slice_is_at_most_half_of_the_model_s_window(alice: Actor, unknown_model: ProviderServer) -> None:
    conversation_id = long_talk(alice, messages=100, tokens=290)
    compact(alice, conversation_id)
    runs = runs_of(alice, conversation_id)
    name = "own-model-" + "x" * 110
    assert [(run.state, run.model, run.fallback_reason) for run in runs] == [("succeeded", name, "")] * 2
    compacted_tokens = [
        sum(row.live_cost for row in history(alice, conversation_id) if row.compacted_in == version)
        for version in (1, 2)
    ]
    assert WINDOW // 2 - 290 < compacted_tokens[0] <= WINDOW // 2
    assert compacted_tokens[1] > 0, "the next run follows immediately"
    check_invariants(alice, conversation_id)


def test_a_model_with_a_tiny_context_window_is_not_called_and_the_run_reports_it(
    alice: Actor, ollama: ProviderServer
) -> None:
    conversation_id = long_talk(alice, messages=40, tokens=200)
    compact(alice, conversation_id)
    (run,) = runs_of(alice, conversation_id)
    assert (run.state, run.model, run.fallback_reason) == ("succeeded", "offline", "no_room")
    assert not posted(ollama)
    check_invariants(alice, conversation_id)


def test_the_engine_summarizes_an_indivisible_exchange_too_long_for_the_model(
    alice: Actor, unknown_model: ProviderServer
) -> None:
    summarizer = Summarizer(account_of(alice).chosen)
    call_and_results = [user_message(number, "word " * 1_600) for number in range(9)]
    assert live_tokens(call_and_results[:8], Policy()) == WINDOW // 2
    assert summarizer.reading(call_and_results[:8], Policy()) is summarizer
    assert summarizer.reading(call_and_results, Policy()) == Summarizer(None, NO_ROOM)
    assert summarizer.slices(replace(Policy(), max_compaction_tokens=9_000)).max_compaction_tokens == 9_000


def test_a_segment_too_long_for_the_model_keeps_the_engine_s_text(alice: Actor, ollama: ProviderServer) -> None:
    conversation_id = conversation(alice)
    say(alice, conversation_id, *["We agreed on Redis."] * 20, *["We agreed on Redis. " * 40] * 20)
    run_segment_job(alice, conversation_id)
    short, long = segments(alice, conversation_id)
    assert (short.model, long.model, long.tries_left) == (openai_server.MODELS[0], "offline", 0)
    (body,) = posted(ollama)
    assert body["max_tokens"] == 1_024
