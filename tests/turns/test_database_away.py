"""A restart of the database during a reply, or a hanging model: no reply is lost, and no transaction waits."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore
from uuid import UUID

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.llm.models import ModelUsage
from config.stack.postgres import APPLICATION
from tests.compaction.runs import check_invariants
from tests.conversations.long_conversations import conversation
from tests.processes import eventually
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour
from tests.stack_fixtures import Connection
from tests.turns.streams import Event, Talker, ended, events, reply_of, told

pytestmark = pytest.mark.django_db(transaction=True)

TURNS = 12
_END_ALL = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = %s"
_OLDEST = """
SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)), 0) FROM pg_stat_activity WHERE usename = %s
"""


def test_replies_outlive_a_restart_of_the_database(
    alice: Actor, talker: Talker, provider: ProviderServer, superuser_connection: Connection
) -> None:
    provider.usual = Behaviour(piece_s=0.4)
    talks = [conversation(alice) for _ in range(TURNS)]
    begun = Semaphore(0)

    def turn(talk: UUID) -> list[Event]:
        stream = events(talker.turn(talk, "Hello"))
        heard = [next(stream), next(stream)]
        begun.release()
        return heard + list(stream)

    # Otherwise this connection would be terminated, too.
    connection.close()
    with ThreadPoolExecutor(TURNS) as readers:
        streams = [readers.submit(turn, talk) for talk in talks]
        assert all(begun.acquire(timeout=20) for _ in talks)
        superuser_connection.execute(_END_ALL, [APPLICATION])
        # Every pooled connection is broken now.
        assert [talker.ask("GET", f"/conversations/{talk}")[0] for talk in talks] == [200] * TURNS
    for talk, stream in zip(talks, (stream.result() for stream in streams), strict=True):
        assert stream[-1][1]["reply"]["status"] == "complete"
        assert told(stream) == reply_of(alice, talk).content == DEFAULT_TEXT
        check_invariants(alice, talk)
    with workspace(alice.workspace_id):
        assert [usage.outcome for usage in ModelUsage.objects.all()] == ["ok"] * TURNS


def test_no_transaction_waits_for_the_model(
    alice: Actor, talker: Talker, provider: ProviderServer, superuser_connection: Connection
) -> None:
    provider.script(Behaviour("hang"))
    talk = conversation(alice)
    stream = events(talker.turn(talk, "Hello"))
    next(stream)
    assert eventually(lambda: provider.open_streams == 1)
    oldest, until = 0.0, time.monotonic() + 1.5
    while time.monotonic() < until:
        row = superuser_connection.execute(_OLDEST, [APPLICATION]).fetchone()
        oldest = max(oldest, float(row[0]) if row else 0.0)
        time.sleep(0.02)
    assert oldest < 0.5
    list(stream)
    assert ended(alice, talk) == ("failed", "timeout")
