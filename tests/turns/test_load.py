"""A hundred concurrent turns on one web server: each is answered, stored and counted, and no streams are mixed up."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from uuid import UUID

import httpx2 as http_client
import pytest

from apps.accounts.actors import Actor
from apps.accounts.services.keys import ApiKeyDraft, api_key_create
from apps.common.tenancy import workspace
from apps.engine.tokens.counting import count_message
from apps.jobs.models import DueJob
from apps.llm.models import ModelUsage
from tests.compaction.runs import check_invariants
from tests.conversations.long_conversations import conversation, history, row_of
from tests.processes import Web, start_web
from tests.providers.anthropic_server import ProviderServer, running_server
from tests.providers.behaviours import Behaviour
from tests.turns.streams import Event, parsed, told

pytestmark = pytest.mark.django_db(transaction=True)

TURNS = 100
MOST_S = 120
PIECES, PIECE_S = 30, 0.02


@pytest.fixture
def provider() -> Iterator[ProviderServer]:
    with running_server() as server:
        yield server


@pytest.fixture
def web(django_db_setup: None, provider: ProviderServer) -> Iterator[Web]:
    """A web server with production timeouts: a hundred concurrent turns need time on a small machine."""
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings.web"}
    running = start_web(**settings, ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=provider.url)
    yield running
    running.stop()


async def all_at_once(web: Web, actor: Actor, key: str, talks: list[UUID]) -> list[list[Event]]:
    """Return the stream of one turn in each conversation."""
    limits = http_client.Limits(max_connections=None)
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        asyncio.timeout(MOST_S),
        http_client.AsyncClient(base_url=web.url, headers=headers, limits=limits, timeout=MOST_S) as client,
    ):

        async def turn(talk: UUID) -> list[Event]:
            path, body = f"/api/conversations/{talk}/turns", {"content": f"Hello from {talk}"}
            async with client.stream("POST", path, json=body) as answer:
                lines = [line.encode() async for line in answer.aiter_lines()]
                assert answer.status_code == 200, lines
                return list(parsed(lines))

        return await asyncio.gather(*(turn(talk) for talk in talks))


def test_a_hundred_turns_at_once_are_all_answered(alice: Actor, web: Web, provider: ProviderServer) -> None:
    texts = [" ".join([f"{number:03}"] * 3 * PIECES) for number in range(TURNS)]
    provider.gate = lambda: provider.most_open_streams == TURNS
    provider.script(*(Behaviour(text=text, piece_s=PIECE_S, held=True) for text in texts))
    talks = [conversation(alice) for _ in range(TURNS)]
    key = api_key_create(alice, draft=ApiKeyDraft("load", frozenset({"read", "write"}))).secret
    streams = asyncio.run(all_at_once(web, alice, key, talks))
    assert provider.most_open_streams == TURNS
    assert sorted(told(stream) for stream in streams) == texts
    for talk, stream in zip(talks, streams, strict=True):
        check_turn(alice, talk, stream)
    with workspace(alice.workspace_id):
        assert ModelUsage.objects.filter(purpose="chat", outcome="ok", source="reported").count() == TURNS
    # One orphan job per turn, which finds nothing to do.
    assert DueJob.objects.filter(kind="turn_watch").count() == TURNS


def check_turn(actor: Actor, talk: UUID, stream: list[Event]) -> None:
    """Check that the streamed text is stored and counted."""
    said, reply = history(actor, talk)
    row = row_of(actor, talk)
    assert stream[0][1]["message"]["id"] == str(said.id)
    assert stream[-1] == (
        "finished",
        {"reply": {"id": str(reply.id), "index": 1, "status": "complete", "error_code": "", "detail": ""}},
    )
    assert (said.content, reply.content) == (f"Hello from {talk}", told(stream))
    assert row.token_total == reply.tokens_through == count_message(said.content) + count_message(reply.content)
    assert (row.turn_token, row.turn_reply, row.turn_until) == (None, None, None)
    check_invariants(actor, talk)
