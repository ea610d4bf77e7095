"""Message importance is stored, and choosing key messages reads only what it needs."""

from __future__ import annotations

import time
from collections.abc import Callable
from uuid import UUID

import pytest
from django.db.models import QuerySet

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.conversations.models import Message, MessageStatus
from apps.conversations.records import MessageDraft
from apps.conversations.selectors.access import conversation_lock
from apps.conversations.selectors.messages import (
    Newest,
    Weight,
    high_importance_live,
    messages_at,
    newest_included_within,
    newest_live_within,
)
from apps.conversations.services.conversations import conversation_copy
from apps.conversations.services.replies import Ending, reply_abandoned, reply_close, reply_open, reply_write
from apps.engine.messages.importance import importance
from apps.engine.messages.message import Part, PartKind, Role
from apps.engine.policy import Policy
from apps.turns.services.messages import messages_set_excluded, messages_store
from tests.context.reads import recorded_queries, rows_read
from tests.conversations.long_conversations import conversation, history, huge_talk, say

pytestmark = pytest.mark.django_db

DECISION = "We decided: fix the error. " * 3


def rows_of(talk: UUID) -> QuerySet[Message]:
    return Message.objects.filter(conversation_id=talk).order_by("index")


def test_a_message_is_stored_with_what_its_words_weigh(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, DECISION, "Done?")
    weights = [row.importance for row in history(alice, talk)]
    assert weights == [importance(DECISION, Role.USER), importance("Done?", Role.ASSISTANT)]


def test_the_importance_includes_parts_but_not_reasoning(alice: Actor) -> None:
    talk = conversation(alice)
    parts = (Part(PartKind.REASONING, "We decided."), Part(PartKind.TOOL_RESULT, "error", call_id="1", name="run"))
    with workspace(alice.workspace_id):
        messages_store(alice, conversation_id=talk, drafts=[MessageDraft("tool", "Ran.", parts=parts)])
    assert history(alice, talk)[0].importance == importance("Ran.\n[result run] error", Role.TOOL)


@pytest.mark.parametrize("abandoned", [False, True])
def test_a_reply_is_weighed_at_its_end(alice: Actor, *, abandoned: bool) -> None:
    talk, policy = conversation(alice), Policy()
    with workspace(alice.workspace_id):
        hold = reply_open(conversation=conversation_lock(talk), policy=policy).lease
        reply_write(hold, text=DECISION, policy=policy)
        assert rows_of(talk).get().importance is None
        if abandoned:
            reply_abandoned(conversation=conversation_lock(talk), reply_id=hold.reply_id, policy=policy)
        else:
            reply_close(hold, text=DECISION, ending=Ending(MessageStatus.COMPLETE), policy=policy)
        assert rows_of(talk).get().importance == importance(DECISION, Role.ASSISTANT)


def test_a_fork_takes_the_weights_with_it(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, DECISION, "Done?")
    with workspace(alice.workspace_id):
        fork = conversation_copy(alice, conversation_id=talk, through_index=1, title=None)
    assert [row.importance for row in history(alice, fork.id)] == [row.importance for row in history(alice, talk)]


def test_the_newest_live_messages_of_a_span_are_weighed(alice: Actor) -> None:
    talk = conversation(alice)
    ids = [record.id for record in say(alice, talk, *(f"Point {n}: {DECISION * n}" for n in range(8)))]
    with workspace(alice.workspace_id):
        messages_set_excluded(alice, conversation_id=talk, message_ids=ids[3:5], excluded=True)
        rows_of(talk).filter(index=6).update(status=MessageStatus.FAILED)
        stretch = high_importance_live(talk, begin=2, end=7, most=10)
        assert [weight.index for weight in stretch] == [2, 5]
        assert high_importance_live(talk, begin=0, end=6, most=2) == [
            Weight(row.index, row.id, row.importance or 0.0, row.live_cost)
            for row in rows_of(talk).filter(index__in=(2, 5))
        ]
        assert high_importance_live(talk, begin=3, end=3, most=10) == []


def test_a_row_from_before_is_weighed_when_it_is_asked_for(alice: Actor) -> None:
    talk = conversation(alice)
    say(alice, talk, DECISION, "Done?")
    with workspace(alice.workspace_id):
        known = high_importance_live(talk, begin=0, end=2, most=10)
        rows_of(talk).filter(index=0).update(importance=None)
        assert high_importance_live(talk, begin=0, end=2, most=10) == known


# An old row is read again by id, and the plan counts it in the list of ids and in the loop over it.
@pytest.mark.parametrize(("old", "each"), [(False, 1), (True, 4)])
@pytest.mark.parametrize(("begin", "end", "found"), [(10_000, 50_000, 200), (89_900, 100_000, 100)])
def test_weighing_among_a_hundred_thousand_messages_reads_what_it_gives(
    alice: Actor, begin: int, end: int, *, found: int, old: bool, each: int
) -> None:
    talk = huge_talk(alice, 100_000, excluded_at_end=10_000)
    with workspace(alice.workspace_id):
        if not old:
            rows_of(talk).filter(index__range=(end - 10_100, end)).update(importance=1.0)
        with recorded_queries() as queries:
            assert len(high_importance_live(talk, begin=begin, end=end, most=200)) == found
        assert rows_read(queries) <= each * found + 8


@pytest.mark.parametrize("walk", [newest_live_within, newest_included_within])
def test_a_long_walk_passes_each_message_once(alice: Actor, walk: Callable[..., Newest]) -> None:
    talk = huge_talk(alice, 10_000)
    with workspace(alice.workspace_id), recorded_queries() as queries:
        found = walk(talk, 400_000, longest=2_000).messages
    with workspace(alice.workspace_id):
        assert len(found) <= rows_read(queries) <= len(found) + 64 + 8


def test_messages_are_read_whole_by_their_ids_in_their_order(alice: Actor) -> None:
    talk, other = conversation(alice), conversation(alice)
    ids = [record.id for record in say(alice, talk, "one", "two", "three")]
    foreign = say(alice, other, "elsewhere")[0].id
    with workspace(alice.workspace_id):
        found = messages_at(talk, [ids[2], foreign, ids[0]])
    assert [row.content for row in found] == ["one", "three"]


@pytest.mark.parametrize("unit", ["```", "?", " ", "\n", "a ", "error ", "let's go wit ", "f-", "decided"])
def test_weighing_takes_time_that_grows_with_the_length_alone(unit: str) -> None:
    def seconds(length: int) -> float:
        text = unit * (length // len(unit))
        begun = time.perf_counter()
        importance(text, Role.USER)
        return time.perf_counter() - begun

    least = min(seconds(100_000) for _ in range(5))
    # Ten times the length; a hundred times the time would be quadratic.
    assert min(seconds(1_000_000) for _ in range(3)) < 80 * least + 0.01
