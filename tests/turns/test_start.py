"""The beginning of a turn: the message that is answered, its budget, and concurrent turns."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from pytest_django import Settings

from apps.accounts.actors import Actor
from apps.common.errors import ContinuityError, Unprocessable
from apps.common.tenancy import workspace
from apps.context.services.embedded_queries import query_embed
from apps.conversations.records import MessageDraft
from apps.conversations.services.replies import Ending
from apps.engine.policy import Policy
from apps.llm.providers.base import DEFAULT_MAX_TOKENS
from apps.turns.records import Turn, TurnOptions
from apps.turns.services.finish import turn_end
from apps.turns.services.start import turn_begin, turn_retry
from tests.api.callers import at_once
from tests.compaction.runs import check_invariants
from tests.conversations.long_conversations import conversation, history, long_talk, row_of, say
from tests.memory.recall import make_vectors, remember
from tests.statements import recorded_statements, searches

pytestmark = pytest.mark.django_db(transaction=True)

ROOM = 200_000 - DEFAULT_MAX_TOKENS


@pytest.fixture(autouse=True)
def in_a_web_process(settings: Settings) -> None:
    settings.WRITES_REPLIES = True


def begun(actor: Actor, talk: UUID, role: str = "user", budget: int | None = None, content: str = "") -> Turn:
    with workspace(actor.workspace_id):
        draft = MessageDraft(role, content or f"From the {role}")
        turn = turn_begin(actor, conversation_id=talk, draft=draft, options=TurnOptions(budget))
    assert isinstance(turn, Turn)
    return turn


def failed(actor: Actor, turn: Turn) -> None:
    with workspace(actor.workspace_id):
        turn_end(turn, text="", ending=Ending("failed", "timeout"))  # type: ignore[arg-type]  # a status is a text


def retried(actor: Actor, talk: UUID) -> Turn:
    with workspace(actor.workspace_id):
        return turn_retry(actor, conversation_id=talk)


def test_a_retry_answers_the_tool_s_message_when_that_one_was_not_answered(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Look it up", "I will")
    failed(alice, first := begun(alice, talk, "tool"))
    again = retried(alice, talk)
    assert (again.message.id, again.message.role) == (first.message.id, "tool")
    assert again.pack.recent[-1].content == "From the tool"
    check_invariants(alice, talk)


def test_a_tool_s_message_that_has_no_reply_yet_can_be_answered(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, "Look it up", "I will")
    (message,) = say(alice, talk, "It says 42", role="tool")
    assert retried(alice, talk).message.id == message.id


def test_a_turn_without_a_model_searches_once_for_its_pack_and_its_reply(alice: Actor) -> None:
    remember(alice, "mem://user/events/trip", "We flew to Lisbon for a vacation.")
    make_vectors(alice)
    talk, asked = conversation(alice), "holiday travel abroad"
    options = TurnOptions(embedded_query=query_embed(alice, talk, MessageDraft("user", asked)))
    with workspace(alice.workspace_id), recorded_statements() as statements:
        turn = turn_begin(alice, conversation_id=talk, draft=MessageDraft("user", asked), options=options)
    assert isinstance(turn, Turn)
    assert searches(statements) == 1
    origins = [[one.origin for one in found] for found in (turn.pack.retrieved, turn.built.matches)]
    assert origins == [["mem://user/events/trip"]] * 2


def test_a_budget_beyond_the_model_s_window_is_refused_and_nothing_is_stored(alice: Actor) -> None:
    talk = conversation(alice)
    with pytest.raises(Unprocessable) as refused:
        begun(alice, talk, budget=ROOM + 1)
    assert (refused.value.code, refused.value.extra) == (
        "budget_beyond_window",
        {"budget": ROOM + 1, "largest_budget": ROOM},
    )
    assert not history(alice, talk)
    assert begun(alice, talk, budget=ROOM).pack.budget == ROOM


def test_the_policy_s_budget_never_goes_beyond_the_model_s_window(alice: Actor, settings: Settings) -> None:
    policy: Policy = settings.CONTINUITY_POLICY
    settings.CONTINUITY_POLICY = replace(policy, default_token_budget=ROOM + 50_000)
    assert begun(alice, conversation(alice)).pack.budget == ROOM


def budget_of(settings: Settings, tokens: int) -> None:
    policy: Policy = settings.CONTINUITY_POLICY
    settings.CONTINUITY_POLICY = replace(policy, default_token_budget=tokens)


def test_the_budget_grows_by_a_message_that_is_longer_so_that_the_rest_keeps_its_room(
    alice: Actor, settings: Settings
) -> None:
    budget_of(settings, 2_000)
    short, long = long_talk(alice, messages=30, tokens=100), long_talk(alice, messages=30, tokens=100)
    with_short = begun(alice, short, content="word " * 4).pack
    with_long = begun(alice, long, content="word " * 4_000).pack
    assert with_long.current is not None and with_long.current.content == "word " * 4_000
    assert with_long.budget == 2_000 + with_long.tokens["current_message"]
    assert with_long.total_tokens <= with_long.budget
    assert len(with_long.recent) >= len(with_short.recent) > 3
    beside = [pack.total_tokens - pack.tokens["current_message"] for pack in (with_long, with_short)]
    assert beside[0] >= beside[1]


def test_it_grows_no_further_than_the_model_s_window(alice: Actor, settings: Settings) -> None:
    budget_of(settings, 99_000)
    pack = begun(alice, conversation(alice), content="word " * 80_000).pack
    assert pack.tokens["current_message"] > 99_000
    assert pack.budget == ROOM


@pytest.mark.parametrize("budget", [1, 3, 4])
def test_a_budget_too_small_for_one_memory_is_refused(alice: Actor, budget: int) -> None:
    talk = conversation(alice)
    with pytest.raises(Unprocessable) as refused:
        begun(alice, talk, budget=budget)
    assert refused.value.code == "budget_exceeded"
    assert row_of(alice, talk).message_count == 0


def test_a_budget_of_the_turn_s_own_does_not_grow_and_nothing_is_stored(alice: Actor) -> None:
    talk = conversation(alice)
    with pytest.raises(Unprocessable) as refused:
        begun(alice, talk, budget=2_000, content="word " * 4_000)
    assert (refused.value.code, refused.value.extra["budget"]) == ("budget_exceeded", 2_000)
    assert refused.value.extra["smallest_budget"] == refused.value.extra["parts"]["current_message"] > 5_000
    assert not history(alice, talk)


def test_of_two_turns_at_the_same_moment_one_begins_and_the_other_stores_nothing(alice: Actor) -> None:
    talk = conversation(alice)

    def act() -> str:
        try:
            return str(begun(alice, talk).message.id)
        except ContinuityError as refusal:
            return refusal.code

    results = at_once(act, times=4)
    rows = history(alice, talk)
    assert sorted(results) == sorted([str(rows[0].id), *["turn_running"] * 3])
    assert [(row.role, row.status) for row in rows] == [("user", "complete"), ("assistant", "streaming")]
    assert row_of(alice, talk).turn_reply == rows[1].id
    check_invariants(alice, talk)
