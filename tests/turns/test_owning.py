"""The owner of a reply on an event loop of the test's own: what it does when the database fails it."""

from __future__ import annotations

import asyncio

import pytest
from django.db import OperationalError
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.records import MessageDraft
from apps.conversations.services.replies import Ending
from apps.turns.services import owning
from apps.turns.services.beginning import Turn, turn_begin
from tests.compaction.work import check_invariants
from tests.conversations.talk import conversation, history

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def turn(alice: Actor, settings: Settings) -> Turn:
    settings.WRITES_REPLIES = True
    talk = conversation(alice)
    with workspace(alice.workspace_id):
        return turn_begin(alice, conversation_id=talk, draft=MessageDraft("user", "Hello"))


async def owned(turn: Turn) -> tuple[str, Ending]:
    owner = await owning.owner_start(turn)
    text = "".join([piece async for piece in owner.follow()])
    return text, owner.result()


@pytest.mark.parametrize(("failures", "status"), [(2, "complete"), (9, "partial")])
def test_an_end_that_finds_no_database_is_stored_when_it_is_back(
    alice: Actor, turn: Turn, monkeypatch: pytest.MonkeyPatch, failures: int, status: str
) -> None:
    real, left = owning.turn_end, iter(range(failures))

    def failing(*args: object, **kwargs: object) -> None:
        if next(left, None) is not None:
            raise OperationalError("the server closed the connection")
        real(*args, **kwargs)  # type: ignore[arg-type]  # handed through

    monkeypatch.setattr(owning, "turn_end", failing)
    monkeypatch.setattr(owning, "END_PAUSES_S", (0.01, 0.01))
    text, ending = asyncio.run(owned(turn))
    reply = history(alice, turn.hold.conversation_id)[-1]
    assert text
    assert ending.status == status
    assert (reply.status, reply.content) == (("complete", text) if status == "complete" else ("streaming", ""))
    check_invariants(alice, turn.hold.conversation_id)
