"""The examples of turns are what a real server answers."""

from __future__ import annotations

from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.api.openapi.examples import documented_examples
from tests.api.callers import shape
from tests.conversations.long_conversations import conversation
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour
from tests.turns.streams import Event, Talker, events, parsed

pytestmark = pytest.mark.django_db(transaction=True)
TURNS = documented_examples()


def shapes(stream: list[Event]) -> dict[str, Any]:
    return {name: shape(data) for name, data in stream}


def example_of(operation_id: str) -> list[Event]:
    return list(parsed(line.encode() for line in TURNS[operation_id]["response"].splitlines()))


def test_a_turn_and_its_followers_stream_the_events_of_the_examples(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    provider.script(Behaviour(piece_s=0.1))
    turns = f"/conversations/{conversation(alice)}/turns"
    stream = events(talker.open("POST", turns, TURNS["turns_create"]["request"]))
    first = next(stream)
    followed = list(events(talker.open("GET", f"{turns}/current")))
    assert shapes([first, *stream]) == shapes(example_of("turns_create"))
    assert shapes(followed) == shapes(example_of("turn_current_get"))


def test_a_stop_and_a_retry_answer_as_their_examples_say(
    alice: Actor, talker: Talker, provider: ProviderServer
) -> None:
    provider.script(Behaviour(piece_s=0.2))
    turns = f"/conversations/{conversation(alice)}/turns"
    stream = events(talker.open("POST", turns, TURNS["turns_create"]["request"]))
    next(name for name, _ in stream if name == "delta")
    status, body = talker.ask("POST", f"{turns}/stop")
    stop = TURNS["turn_stop_create"]
    assert (status, shape(body)) == (stop["status"], shape(stop["response"]))
    assert [name for name, _ in stream][-1] == "finished"
    retried = list(events(talker.open("POST", f"{turns}/retry", TURNS["turn_retry_create"]["request"])))
    assert shapes(retried) == shapes(example_of("turn_retry_create"))
