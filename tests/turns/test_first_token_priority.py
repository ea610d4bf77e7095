"""Beginning turns have priority, and delay other writes only briefly."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from apps.accounts.actors import Actor
from apps.api.turns import views
from apps.turns.services import first_token_priority, reply_writer
from apps.turns.services.first_token_priority import beginning, yield_to_beginning_turns
from config.stack.process import poll
from tests.api.callers import Caller
from tests.conversations.long_conversations import conversation

LONG_S = 20


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_token_priority, "GIVES_WAY_S", LONG_S)


async def gives_way(seconds: float) -> bool:
    """Return whether a write that yields continues within some seconds."""
    task = asyncio.create_task(yield_to_beginning_turns())
    done, _ = await asyncio.wait({task}, timeout=seconds)
    task.cancel()
    return bool(done)


@pytest.mark.usefixtures("patient")
def test_writes_do_not_wait_while_no_turn_begins() -> None:
    assert asyncio.run(gives_way(LONG_S / 2))


@pytest.mark.usefixtures("patient")
def test_what_is_stored_waits_until_the_last_turn_has_begun() -> None:
    with beginning():
        with beginning():
            pass
        assert not asyncio.run(gives_way(0.1)), "one is still on its way"
    assert asyncio.run(gives_way(LONG_S / 2))


@pytest.mark.usefixtures("patient")
def test_a_turn_that_fails_has_begun_too() -> None:
    with pytest.raises(RuntimeError), beginning():
        raise RuntimeError
    assert asyncio.run(gives_way(LONG_S / 2))


def test_who_gives_way_does_so_for_a_moment_only() -> None:
    with beginning():
        assert asyncio.run(gives_way(LONG_S))


@pytest.fixture
def turn(alice: Actor) -> Any:
    return SimpleNamespace(workspace_id=alice.workspace_id)


async def stored(turn: Any, seconds: float) -> bool:
    """Return whether a part of a reply is stored within some seconds."""
    task = asyncio.create_task(reply_writer._in_unit(turn, lambda: True))
    done, _ = await asyncio.wait({task}, timeout=seconds)
    task.cancel()
    return bool(done)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("patient")
def test_what_is_stored_of_a_reply_gives_way(turn: Any) -> None:
    with beginning():
        assert not asyncio.run(stored(turn, 0.1))
    assert asyncio.run(stored(turn, LONG_S / 2))


@pytest.fixture
def closing() -> Iterator[None]:
    reply_writer._closing.set()
    yield
    reply_writer._closing.clear()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("patient", "closing")
def test_a_server_that_shuts_down_does_not_wait_for_beginning_turns(turn: Any) -> None:
    with beginning():
        assert asyncio.run(stored(turn, LONG_S / 2))


@pytest.mark.django_db
def test_a_turn_that_is_asked_for_over_the_api_goes_first(alice: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def begin(*_: object, conversation_id: UUID, **__: object) -> None:
        seen.append(first_token_priority._beginnings.count)
        raise views.NotFound("Enough.")

    monkeypatch.setattr(views, "turn_begin", begin)
    monkeypatch.setattr(views, "turn_retry", begin)
    turns, api = f"/conversations/{conversation(alice)}/turns", Caller(alice)
    api.post(turns, {"content": "Hello"}, 404)
    api.post(f"{turns}/retry", status=404)
    assert seen == [1, 1]
    assert first_token_priority._beginnings.count == 0


def test_few_turns_begin_at_once_and_the_others_wait_their_turn() -> None:
    seen: list[int] = []
    let_go = threading.Event()

    def begin() -> None:
        with beginning():
            seen.append(first_token_priority._beginnings.count)
            let_go.wait(LONG_S)

    turns = [threading.Thread(target=begin) for _ in range(2 * first_token_priority.MOST_AT_ONCE)]
    for turn in turns:
        turn.start()
    assert poll(lambda: len(seen) == first_token_priority.MOST_AT_ONCE, LONG_S)
    time.sleep(0.05)
    assert len(seen) == first_token_priority.MOST_AT_ONCE
    let_go.set()
    for turn in turns:
        turn.join(LONG_S)

    assert len(seen) == len(turns) and max(seen) == first_token_priority.MOST_AT_ONCE
