"""Batches from a client's spool: each event has its own result, and a bad one harms no other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import DataError, IntegrityError, InterfaceError, OperationalError, connection
from django.utils.dateparse import parse_datetime

from apps.accounts.actors import Actor
from apps.agents.services import event_kinds, events
from apps.common.errors import Conflict, Forbidden, TooLarge, Unavailable, Unprocessable
from tests.agents.agents import Agent, claude, messages_of, observations_of, session_of, sessions_of
from tests.agents.scripts import script_of
from tests.compaction.runs import check_invariants

pytestmark = pytest.mark.django_db(transaction=True)


def spooled(payload: Any, **fields: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "recorded_at": "2026-11-20T10:00:00+00:00", "payload": payload, **fields}


def test_a_bad_event_harms_no_other(alice: Actor) -> None:
    good = [spooled(claude("UserPromptSubmit", prompt=f"Prompt {n}", prompt_id=f"p{n}")) for n in range(2)]
    bad: list[Any] = [
        "no object",
        {"payload": {}},
        spooled([1]),
        spooled({}),
        spooled(claude("Stop", session="")),
        spooled(claude("Stop"), recorded_at="yesterday"),
        spooled(claude("Stop"), recorded_at=17),
        spooled(claude("Stop"), recorded_at="0001-01-01T00:00:00+14:00"),
        spooled(claude("Stop"), id="no-uuid"),
    ]
    results = Agent(alice).batch(good[0], *bad, spooled({"hook_event_name": "New"}), good[1])
    assert [one["status"] for one in results] == ["stored", *["refused"] * len(bad), "ignored", "stored"]
    assert all(one["problem"]["pointer"] for one in results[1:-2])
    assert [one.content for one in messages_of(alice)] == ["Prompt 0", "Prompt 1"]


def test_an_event_that_fails_halfway_leaves_nothing_and_the_others_are_stored(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = event_kinds.observation_store

    def failing(session: Any, draft: Any, at: Any) -> None:
        stored(session, draft, at)
        if draft.key == "tool:t1":
            raise RuntimeError("the disk is on fire")

    monkeypatch.setattr(event_kinds, "observation_store", failing)
    tools = [
        spooled(claude("PostToolUse", tool_name="Bash", tool_input={}, tool_response="x", tool_use_id=f"t{n}"))
        for n in range(3)
    ]
    results = Agent(alice).batch(*tools)
    assert [one["status"] for one in results] == ["stored", "refused", "stored"]
    assert results[1]["problem"]["code"] == "event_failed"
    assert "fire" not in repr(results)
    assert (len(messages_of(alice)), len(observations_of(alice)), session_of(alice).tool_count) == (4, 2, 2)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (IntegrityError("taken"), 503),
        (InterfaceError("connection is closed"), 503),
        (OperationalError("deadlock"), 503),
        (Unavailable("Busy."), 503),
        (Conflict("Busy."), 503),
        (Forbidden("No longer allowed."), 403),
    ],
)
def test_a_failure_that_is_not_the_events_fails_the_batch_and_repeating_it_stores_the_rest(
    alice: Actor, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int
) -> None:
    stored, failures = events.arrival_store, [error]

    def failing(arrival: Any) -> bool:
        if arrival.event.text == "Prompt 1" and failures:
            raise failures.pop()
        return stored(arrival)

    monkeypatch.setattr(events, "arrival_store", failing)
    prompts = [spooled(claude("UserPromptSubmit", prompt=f"Prompt {n}", prompt_id=f"p{n}")) for n in range(3)]
    agent = Agent(alice)
    agent.batch(*prompts, status=status)
    assert [one["status"] for one in agent.batch(*prompts)] == ["repeated", "stored", "stored"]
    assert [one.content for one in messages_of(alice)] == ["Prompt 0", "Prompt 1", "Prompt 2"]


@pytest.mark.parametrize("error", [TooLarge("Too long."), Unprocessable("Not possible."), DataError("out of range")])
def test_an_event_that_can_never_be_stored_is_refused(
    alice: Actor, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def failing(arrival: Any) -> bool:
        raise error

    monkeypatch.setattr(events, "arrival_store", failing)
    (result,) = Agent(alice).batch(spooled(claude("UserPromptSubmit", prompt="Hello", prompt_id="p1")))
    assert (result["status"], bool(result["problem"]["code"])) == ("refused", True)


@pytest.mark.parametrize(
    "body", [{}, {"events": []}, {"events": {}}, {"events": [1] * 101}, {"events": [{}], "more": 1}, {"event": []}]
)
def test_a_malformed_batch_is_refused(alice: Actor, body: dict[str, Any]) -> None:
    answer = Agent(alice).http.post("/api/hooks/codex/batch", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


def test_a_batch_beyond_five_megabytes_is_too_large(alice: Actor) -> None:
    event = spooled(claude("PostToolUse", tool_name="Bash", tool_response="x" * 5_300_000, tool_use_id="t1"))
    assert Agent(alice).batch(event, status=413)["code"] == "too_large"


def test_the_time_in_the_spool_is_that_of_the_message(alice: Actor) -> None:
    event = spooled(claude("UserPromptSubmit", prompt="Hello", prompt_id="p1"))
    Agent(alice).batch(event)
    (message,) = messages_of(alice)
    assert message.created_at == parse_datetime("2026-11-20T10:00:00+00:00")


@pytest.mark.parametrize(
    ("recorded_at", "offset"),
    [("2026-11-21T01:00:00+09:00", 540), ("2026-11-20T10:00:00+00:00", None)],
)
def test_the_days_of_a_message_are_those_of_the_machine(alice: Actor, recorded_at: str, offset: int | None) -> None:
    event = spooled(claude("UserPromptSubmit", prompt="Hello", prompt_id="p1"), recorded_at=recorded_at)
    Agent(alice).batch(event)
    (message,) = messages_of(alice)
    assert message.utc_offset == offset


def test_a_clock_that_is_ahead_counts_as_now(alice: Actor) -> None:
    Agent(alice).batch(spooled(claude("SessionStart", source="startup"), recorded_at="2126-01-01T00:00:00+00:00"))
    session = session_of(alice)
    assert session.started_at <= session.received_at


def test_events_without_ids_of_their_own_are_known_by_the_spools(alice: Actor) -> None:
    first = spooled(claude("UserPromptSubmit", prompt="yes"))
    agent = Agent(alice)
    agent.batch(first, spooled(claude("UserPromptSubmit", prompt="yes")), first)
    agent.send(claude("UserPromptSubmit", prompt="yes"), **{"X-Continuity-Event-Id": first["id"]})
    assert len(messages_of(alice)) == 2
    agent.send(claude("UserPromptSubmit", prompt="yes"))
    agent.send(claude("UserPromptSubmit", prompt="yes"))
    assert len(messages_of(alice)) == 4


@pytest.mark.parametrize("header", ["X-Continuity-Event-Id", "X-Continuity-Recorded-At"])
def test_a_header_that_is_not_valid_is_refused(alice: Actor, header: str) -> None:
    problem = Agent(alice).send(claude("SessionStart"), status=400, **{header: "soon"})
    assert problem["code"].startswith("invalid_")
    assert sessions_of(alice) == []


def test_two_batches_at_once_give_the_rows_of_one(alice: Actor) -> None:
    script = script_of("claude-code").batch()
    halves = [script, list(reversed(script))]
    start = Barrier(len(halves))

    def send(batch: list[dict[str, Any]]) -> list[dict[str, Any]]:
        agent = Agent(alice)
        start.wait()
        try:
            results: list[dict[str, Any]] = agent.batch(*batch)
            return results
        finally:
            connection.close()

    with ThreadPoolExecutor(len(halves)) as pool:
        results = [one for batch in pool.map(send, halves) for one in batch]
    assert {one["status"] for one in results} <= {"stored", "repeated"}
    session = session_of(alice)
    assert (session.prompt_count, session.tool_count, len(messages_of(alice))) == (5, 30, 70)
    assert session.end_reason == "prompt_input_exit"
    check_invariants(alice, session.conversation_id)


def test_two_agents_that_begin_the_same_session_at_once_share_it(alice: Actor) -> None:
    start = Barrier(4)

    def begin(number: int) -> None:
        agent = Agent(alice)
        start.wait()
        try:
            agent.send(claude("PostToolUse", tool_name="Bash", tool_response="x", tool_use_id=f"t{number}"))
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(begin, range(4)))
    assert session_of(alice).tool_count == 4


class Clock:
    """A thread that computes for a second between two looks at its clock."""

    def __init__(self) -> None:
        self.now, self.slept = 0.0, list[float]()

    def thread_time(self) -> float:
        self.now += 1.0
        return self.now

    def sleep(self, seconds: float) -> None:
        assert not connection.in_atomic_block
        self.slept.append(seconds)


def test_a_batch_rests_between_events_as_long_as_it_has_computed_up_to_a_limit(
    alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(events, "time", clock)
    prompts = [spooled(claude("UserPromptSubmit", prompt=f"Prompt {n}", prompt_id=f"p{n}")) for n in range(8)]
    assert {one["status"] for one in Agent(alice).batch(*prompts)} == {"stored"}
    assert clock.slept == [1.0] * 5 + [0.0] * 3
