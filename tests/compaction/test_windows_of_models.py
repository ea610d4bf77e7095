"""A model is given no more than its window holds: smaller slices, and where that is too little the engine writes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.core.cache import cache
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.compaction.services.summarizer import NO_ROOM, Summariser
from apps.engine.compaction.plan import live_tokens
from apps.engine.policy import Policy
from apps.llm.models import ModelSettings
from apps.llm.routing.local_discovery import LOCAL_MODELS
from tests.compaction.segments import run_the_job, segments
from tests.compaction.work import check_invariants, compact, runs_of
from tests.conversations.talk import conversation, history, long_talk, say
from tests.llm.conftest import account_of
from tests.llm.conftest import said as message
from tests.providers import anthropic_server, openai_server
from tests.providers.environment import set_provider_variables
from tests.providers.openai_server import OLLAMA
from tests.providers.server import ProviderServer

pytestmark = pytest.mark.django_db(transaction=True)

WINDOW = 32_000
"""Of a model whose name nobody knows."""


@pytest.fixture
def unknown(settings: Settings) -> Iterator[ProviderServer]:
    """A model whose name is as long as names may be."""
    with anthropic_server.running_server() as server:
        set_provider_variables(settings, ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=server.url)
        settings.MODELS = {"compaction": "own-model-" + "x" * 110}
        yield server


@pytest.fixture
def ollama(settings: Settings, alice: Actor) -> Iterator[ProviderServer]:
    """A window of 4,096 tokens; what goes beyond is dropped without a word."""
    cache.clear()
    LOCAL_MODELS.forget()
    names = {"compaction": openai_server.MODELS[0]}
    with workspace(alice.workspace_id):
        ModelSettings.objects.create(backend="ollama", local_allowed=True, by_purpose=names)
    with openai_server.running_server(OLLAMA) as server:
        set_provider_variables(settings, OLLAMA_BASE_URL=server.url)
        server.scripts_stretches = True
        yield server


def asked(server: ProviderServer) -> list[dict[str, object]]:
    return [request.body for request in server.requests if request.method == "POST"]


def test_one_slice_is_no_more_than_half_of_the_model_s_window(alice: Actor, unknown: ProviderServer) -> None:
    talk = long_talk(alice, messages=100, tokens=290)
    compact(alice, talk)
    runs = runs_of(alice, talk)
    name = "own-model-" + "x" * 110
    assert [(run.state, run.model, run.fell_back) for run in runs] == [("succeeded", name, "")] * 2
    folded = [sum(row.live_cost for row in history(alice, talk) if row.compacted_in == version) for version in (1, 2)]
    assert WINDOW // 2 - 290 < folded[0] <= WINDOW // 2
    assert folded[1] > 0, "the next run follows at once"
    check_invariants(alice, talk)


def test_a_model_that_can_read_hardly_anything_is_not_asked_and_the_run_says_so(
    alice: Actor, ollama: ProviderServer
) -> None:
    talk = long_talk(alice, messages=40, tokens=200)
    compact(alice, talk)
    (run,) = runs_of(alice, talk)
    assert (run.state, run.model, run.fell_back) == ("succeeded", "offline", "no_room")
    assert not asked(ollama)
    check_invariants(alice, talk)


def test_what_nothing_may_part_and_the_model_cannot_read_the_engine_reads(
    alice: Actor, unknown: ProviderServer
) -> None:
    writer = Summariser(account_of(alice).chosen)
    call_and_results = [message(number, "word " * 1_600) for number in range(9)]
    assert live_tokens(call_and_results[:8], Policy()) == WINDOW // 2
    assert writer.reading(call_and_results[:8], Policy()) is writer
    assert writer.reading(call_and_results, Policy()) == Summariser(None, NO_ROOM)
    assert writer.slices(replace(Policy(), max_compaction_tokens=9_000)).max_compaction_tokens == 9_000


def test_a_stretch_that_is_too_long_for_the_model_keeps_the_engine_s_text(alice: Actor, ollama: ProviderServer) -> None:
    talk = conversation(alice)
    say(alice, talk, *["We agreed on Redis."] * 20, *["We agreed on Redis. " * 40] * 20)
    run_the_job(alice, talk)
    short, long = segments(alice, talk)
    assert (short.model, long.model, long.tries_left) == (openai_server.MODELS[0], "offline", 0)
    (body,) = asked(ollama)
    assert body["max_tokens"] == 1_024
