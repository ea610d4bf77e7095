"""The reply writer on the test's event loop, with failures of the database and the provider."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime

import pytest
from django.db import OperationalError, connection
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Conversation
from apps.conversations.records import MessageDraft
from apps.conversations.services.replies import Ending, reply_write
from apps.engine.tokens.counting import count_message, count_text
from apps.llm.middleware.metering import MeteredProvider, TransactionOpen
from apps.llm.models import ModelUsage
from apps.llm.providers.base import Events, Finished, ModelRequest, Reasoning, StreamingProvider, TextDelta
from apps.turns.records import Turn
from apps.turns.services import reply_writer
from apps.turns.services.finish import turn_end
from apps.turns.services.orphaned_replies import turn_release
from apps.turns.services.start import turn_begin
from apps.turns.timeouts import TURN_TIMES
from tests.compaction.runs import check_invariants
from tests.conversations.long_conversations import conversation, history, row_of

pytestmark = pytest.mark.django_db(transaction=True)


class Slow(StreamingProvider):
    """Streams two words, then the scripted ones, with pauses before and after the last one."""

    name = "slow"

    def __init__(self, *, before_s: float = 0, after_s: float = 0) -> None:
        self.before_s, self.after_s = before_s, after_s

    async def stream(self, request: ModelRequest) -> Events:
        yield TextDelta("Two words")
        await asyncio.sleep(self.before_s)
        yield Finished("end_turn")
        await asyncio.sleep(self.after_s)

    async def aclose(self) -> None:
        """Nothing to release."""


@pytest.fixture
def turn(alice: Actor, settings: Settings) -> Turn:
    settings.WRITES_REPLIES = True
    settings.TURN_TIMES = replace(TURN_TIMES, save_every_s=0.1, retry_every_s=0.05)
    talk = conversation(alice)
    with workspace(alice.workspace_id):
        begun = turn_begin(alice, conversation_id=talk, draft=MessageDraft("user", "Hello"))
    assert isinstance(begun, Turn)
    return begun


def by(provider: StreamingProvider, turn: Turn) -> Turn:
    metered = MeteredProvider(provider)
    return replace(turn, chosen=replace(turn.chosen, provider=metered, reports=metered.reports))


async def owned(turn: Turn, *stops_s: float) -> tuple[str, Ending]:
    """Return the reply and its ending, with requests to stop after these seconds."""
    owner = await reply_writer.reply_writer_start(turn)
    loop = asyncio.get_running_loop()
    for stop_s in stops_s:
        loop.call_later(stop_s, owner.stop)
    async with asyncio.timeout(20):
        text = "".join([piece async for piece in owner.follow()])
    assert reply_writer.reply_writer_of(turn.lease.reply_id) is None
    return text, owner.result()


def end_that(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> list[datetime | None]:
    """Run an action before every attempt to store the ending; return the expiry of the turn's lease at these times."""
    held = list[datetime | None]()

    def ends(turn: Turn, *, text: str, ending: Ending, reasoning: str = "") -> Ending:
        held.append(Conversation.objects.get(pk=turn.lease.conversation_id).turn_until)
        act()
        return turn_end(turn, text=text, ending=ending, reasoning=reasoning)

    monkeypatch.setattr(reply_writer, "turn_end", ends)
    return held


def stored(actor: Actor, turn: Turn) -> tuple[str, str, str]:
    check_invariants(actor, turn.lease.conversation_id)
    reply = history(actor, turn.lease.conversation_id)[-1]
    return reply.status, reply.error_code, reply.content


def outcomes(actor: Actor) -> list[str]:
    with workspace(actor.workspace_id):
        return list(ModelUsage.objects.values_list("outcome", flat=True))


def test_an_ending_without_a_database_is_stored_when_it_returns_and_the_turn_stays_leased(
    alice: Actor, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = iter(range(20))

    def away() -> None:
        if next(left, None) is not None:
            raise OperationalError("the server closed the connection")

    held = end_that(monkeypatch, away)
    text, ending = asyncio.run(owned(turn))
    assert text
    assert ending == Ending("complete")  # type: ignore[arg-type]  # a status is a text
    assert stored(alice, turn) == ("complete", "", text)
    assert outcomes(alice) == ["ok"]
    assert len(set(held)) > 3


class Thoughtful(Slow):
    """Tells its reasoning twice, as after a retry, then streams."""

    async def stream(self, request: ModelRequest) -> Events:
        for thought in ("Cut o", "The user greets me."):
            yield Reasoning(thought)
        async for event in super().stream(request):
            yield event


@pytest.mark.parametrize(("stops_s", "status"), [((), "complete"), ((0.3,), "partial")])
def test_reasoning_is_stored_beside_the_text_that_followers_get(
    stops_s: tuple[float, ...], status: str, alice: Actor, turn: Turn
) -> None:
    text, _ = asyncio.run(owned(by(Thoughtful(before_s=9 if stops_s else 0.2), turn), *stops_s))
    assert (text, stored(alice, turn)[0]) == ("Two words", status)
    reply = history(alice, turn.lease.conversation_id)[-1]
    assert (reply.content, reply.parts) == ("Two words", [{"kind": "reasoning", "text": "The user greets me."}])
    assert reply.token_count == count_message("Two words") + count_text("The user greets me.")


def test_the_reasoning_of_a_reply_whose_writer_died_stays(alice: Actor, turn: Turn) -> None:
    with workspace(alice.workspace_id):
        reply_write(turn.lease, text="Two", policy=turn.policy, reasoning="Hm.")
        row = Conversation.objects.select_for_update().get(pk=turn.lease.conversation_id)
        row.turn_until = None
        turn_release(row)
    assert stored(alice, turn) == ("partial", "interrupted", "Two")
    assert history(alice, turn.lease.conversation_id)[-1].parts == [{"kind": "reasoning", "text": "Hm."}]


def test_a_stop_while_the_end_is_stored_comes_too_late(
    alice: Actor, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    end_that(monkeypatch, lambda: time.sleep(0.3))
    text, ending = asyncio.run(owned(by(Slow(), turn), 0.1, 0.2))
    assert (ending.status, stored(alice, turn)) == ("complete", ("complete", "", text))


def test_a_second_stop_while_the_end_is_stored_changes_nothing(
    alice: Actor, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    end_that(monkeypatch, lambda: time.sleep(0.3))
    text, ending = asyncio.run(owned(by(Slow(before_s=9), turn), 0.1, 0.1, 0.2, 0.3))
    assert (ending.error_code, stored(alice, turn)) == ("stopped", ("partial", "stopped", text))
    assert outcomes(alice) == ["cancelled"]


def test_what_comes_after_the_provider_s_last_word_makes_no_answer_partial(alice: Actor, turn: Turn) -> None:
    text, ending = asyncio.run(owned(by(Slow(after_s=0.3), turn), 0.1))
    assert (ending.status, stored(alice, turn)) == ("complete", ("complete", "", "Two words"))
    assert text == "Two words"
    assert outcomes(alice) == ["ok"]


def test_an_end_whose_commit_was_not_heard_of_is_found_stored(
    alice: Actor, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = reply_writer._in_unit
    lost = iter([True])

    async def unheard(turn: Turn, write: Callable[[], object]) -> object:
        answer = await real(turn, write)
        if isinstance(answer, Ending) and next(lost, False):
            raise OperationalError("the server closed the connection")
        return answer

    monkeypatch.setattr(reply_writer, "_in_unit", unheard)
    text, ending = asyncio.run(owned(by(Slow(), turn)))
    assert (ending.status, stored(alice, turn)) == ("complete", ("complete", "", text))
    assert outcomes(alice) == ["ok"]


def test_a_writer_that_lost_its_lease_reports_it_and_accounts_for_its_call(alice: Actor, turn: Turn) -> None:
    def give_back() -> None:
        with closing(connection), workspace(alice.workspace_id):
            row = Conversation.objects.select_for_update().get(pk=turn.lease.conversation_id)
            row.turn_until = None
            turn_release(row)

    async def overtaken() -> tuple[str, Ending]:
        reply = asyncio.create_task(owned(by(Slow(before_s=9), turn)))
        await asyncio.sleep(0.3)
        await asyncio.to_thread(give_back)
        return await reply

    _, ending = asyncio.run(overtaken())
    assert (ending.status, ending.error_code) == ("partial", "turn_lost")
    assert stored(alice, turn) == ("partial", "interrupted", "Two words")
    assert outcomes(alice) == ["cancelled"]


def test_a_reply_that_cannot_be_stored_is_paid_for_all_the_same(
    alice: Actor, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ValueError("cannot be stored")

    end_that(monkeypatch, broken)
    _, ending = asyncio.run(owned(by(Slow(), turn)))
    assert (ending.status, ending.error_code) == ("partial", "not_stored")
    assert history(alice, turn.lease.conversation_id)[-1].status == "streaming"
    assert row_of(alice, turn.lease.conversation_id).turn_token == turn.lease.token
    assert outcomes(alice) == ["ok"]


def test_no_reply_is_begun_inside_a_unit_of_work(alice: Actor, turn: Turn) -> None:
    with workspace(alice.workspace_id), pytest.raises(TransactionOpen):
        asyncio.run(owned(turn))
    assert asyncio.run(owned(turn))[1].status == "complete"
