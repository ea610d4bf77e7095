"""Stopping a reply at any time: once, twice, too late, and all replies when the server shuts down."""

from __future__ import annotations

import pytest

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.llm.models import ModelUsage
from tests.api.callers import at_once
from tests.compaction.runs import check_invariants
from tests.conversations.long_conversations import conversation, row_of
from tests.processes import eventually, start_web
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import DEFAULT_TEXT, Behaviour
from tests.turns.streams import Talker, ended, events, reply_of, told

pytestmark = pytest.mark.django_db(transaction=True)


def test_stopping_keeps_what_there_is(alice: Actor, talker: Talker, provider: ProviderServer) -> None:
    provider.script(Behaviour(piece_s=0.2))
    talk = conversation(alice)
    stream = events(talker.turn(talk, "Hello"))
    next(name for name, _ in stream if name == "delta")
    status, _ = talker.ask("POST", f"/conversations/{talk}/turns/stop")
    assert status == 202
    assert list(stream)[-1][1]["reply"] == {
        "id": str(reply_of(alice, talk).id),
        "index": 1,
        "status": "partial",
        "error_code": "stopped",
        "detail": "",
    }
    assert DEFAULT_TEXT.startswith(reply_of(alice, talk).content)
    assert eventually(lambda: provider.open_streams == 0)
    assert talker.ask("POST", f"/conversations/{talk}/turns/stop")[0] == 409


@pytest.mark.parametrize("number", range(5))
def test_a_second_stop_changes_nothing(alice: Actor, talker: Talker, provider: ProviderServer, number: int) -> None:
    provider.script(Behaviour(piece_s=0.1))
    talk = conversation(alice)
    stream = events(talker.turn(talk, "Hello"))
    next(name for name, _ in stream if name == "delta")
    stops = at_once(lambda: talker.ask("POST", f"/conversations/{talk}/turns/stop")[0], times=3)
    assert {202} <= set(stops) <= {202, 409}
    assert list(stream)[-1][1]["reply"]["error_code"] == "stopped"
    assert ended(alice, talk) == ("partial", "stopped")
    assert talker.ask("GET", f"/conversations/{talk}/turns/current")[0] == 404
    check_invariants(alice, talk)


def test_a_server_that_shuts_down_ends_its_replies_first(alice: Actor, provider: ProviderServer) -> None:
    """Replies with and without readers are stored with their whole text."""
    provider.reset()
    provider.usual = Behaviour(piece_s=0.4)
    web = start_web(ANTHROPIC_API_KEY="sk-test", ANTHROPIC_BASE_URL=provider.url)
    talks = [conversation(alice) for _ in range(3)]
    talker = Talker(web, alice)
    try:
        streams = [events(talker.turn(talk, "Hello")) for talk in talks]
        heard = [[next(stream) for _ in range(3)] for stream in streams]
        streams[-1].close()  # type: ignore[attr-defined]  # a generator
        web.process.terminate()
        ends = [first + list(stream) for first, stream in zip(heard[:2], streams[:2], strict=True)]
        web.process.wait()
        assert "graceful shutdown exceeded" not in web.log()
    finally:
        web.stop()
    for stream in ends:
        assert stream[-1][1]["reply"]["error_code"] == "interrupted"
    assert [told(stream) for stream in ends] == [reply_of(alice, talk).content for talk in talks[:2]]
    for talk in talks:
        assert ended(alice, talk) == ("partial", "interrupted")
        assert row_of(alice, talk).turn_token is None
        check_invariants(alice, talk)
    with workspace(alice.workspace_id):
        assert [usage.outcome for usage in ModelUsage.objects.all()] == ["cancelled"] * 3
