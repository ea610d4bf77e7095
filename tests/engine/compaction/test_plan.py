"""Which messages a compaction folds, by the numbers and on random conversations."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.compaction.plan import (
    CompactionPlan,
    LiveWindow,
    NotDue,
    NotDueCode,
    compactable_tokens,
    is_due,
    live_cost,
    plan_automatic,
    plan_manual,
    why_not_due,
)
from apps.engine.messages.message import Message, PartKind, Role
from apps.engine.policy import Level, Policy
from tests.engine.conversations import (
    POLICY,
    SMALL,
    call,
    conversations,
    live_tokens,
    newest_user_message,
    pieces,
    placed,
    result,
    says,
    sized,
    talk,
    window_of,
)

LEVELS = st.sampled_from(Level)


def bound_together(live: list[Message]) -> list[set[int]]:
    """Places of messages that share calls and results; told from the whole conversation, one pair after the other."""
    groups = [{message.index} for message in live]
    asked: dict[str, int] = {}
    for message in live:
        for part in message.parts:
            if part.kind is PartKind.TOOL_CALL and part.call_id:
                asked[part.call_id] = message.index
            if part.kind is PartKind.TOOL_RESULT and part.call_id in asked:
                pair = {asked[part.call_id], message.index}
                touched = [group for group in groups if group & pair]
                groups = [group for group in groups if not group & pair] + [set().union(*touched)]
    return groups


def staying(live: list[Message], count: int) -> set[int]:
    user = newest_user_message(live)
    return {message.index for message in live[-count:]} | ({user.index} if user else set())


def without(live: list[Message], plan: CompactionPlan) -> list[Message]:
    gone = set(plan.ids)
    return [message for message in live if message.id not in gone]


def after(live: list[Message], level: Level) -> int:
    plan = plan_automatic(window_of(live), level, POLICY)
    assert plan.complete
    return live_tokens(without(live, plan))


# When a compaction is due.


def test_a_long_message_counts_two_thousand_tokens_while_it_is_live() -> None:
    assert [live_cost(tokens, POLICY) for tokens in (4, 2_000, 2_001, 90_000)] == [4, 2_000, 2_000, 2_000]


Shortage = tuple[str, int, int]


def shortage_of(reason: NotDue | None) -> Shortage | None:
    return (reason.code, reason.params["count"], reason.params["needed"]) if reason else None


@pytest.mark.parametrize(
    ("count", "tokens", "shortage"),
    [
        (9, 900, ("few_messages", 9, 10)),
        (10, 799, ("few_tokens", 7_990, 8_000)),
        (10, 800, None),
        (80, 100, None),
    ],
)
def test_it_is_due_from_ten_messages_and_eight_thousand_tokens(
    count: int, tokens: int, shortage: Shortage | None
) -> None:
    window = window_of(talk(count, tokens))
    assert shortage_of(why_not_due(window, POLICY)) == shortage
    assert is_due(window, POLICY) is (shortage is None)


def test_it_is_not_due_when_the_newest_messages_hold_nearly_everything() -> None:
    live = talk(8, 299) + [sized(Role.USER, 2_000, 8 + place) for place in range(4)]
    assert shortage_of(why_not_due(window_of(live), POLICY)) == ("little_to_compact", 2_392, 2_400)
    assert is_due(window_of([sized(Role.USER, 8, 0), *live[1:]]), replace(POLICY, min_compaction_tokens=2_101))


@pytest.mark.parametrize("flag", ["engine_enabled", "auto_compact"])
def test_it_is_never_due_when_switched_off(flag: str) -> None:
    off: dict[str, bool] = {flag: False}
    assert why_not_due(window_of(talk(80, 400)), replace(POLICY, **off)) == NotDue(NotDueCode.OFF)


def test_the_newest_four_and_the_newest_of_the_user_cannot_be_folded() -> None:
    assert compactable_tokens(window_of(talk(20, 100)), POLICY) == 1_600
    asked_once = [sized(Role.USER, 100, 0), *(sized(Role.ASSISTANT, 100, place) for place in range(1, 20))]
    assert compactable_tokens(window_of(asked_once), POLICY) == 1_500


# What the three levels fold, by the numbers of the design.


def test_light_stops_at_6800_and_keeps_the_newest_twenty() -> None:
    live = talk(110, 100)
    plan = plan_automatic(window_of(live), Level.LIGHT, POLICY)
    assert plan.ids == tuple(message.id for message in live[:42])
    assert live_tokens(without(live, plan)) == 6_800


def test_light_keeps_fewer_than_twenty_when_they_do_not_fit_the_target() -> None:
    live = talk(24, 500)
    assert after(live, Level.LIGHT) == 6_500
    assert len(without(live, plan_automatic(window_of(live), Level.LIGHT, POLICY))) == 13


def test_a_fold_takes_at_least_2400_tokens() -> None:
    assert after(talk(80, 100), Level.LIGHT) == 5_600


def test_deep_stops_at_5600() -> None:
    assert after(talk(20, 800), Level.DEEP) == 5_600


def test_aggressive_stops_at_4800() -> None:
    assert after(talk(40, 600), Level.AGGRESSIVE) == 4_800


@pytest.mark.parametrize("level", [Level.DEEP, Level.AGGRESSIVE])
def test_deep_and_aggressive_fold_all_that_is_older_than_twenty(level: Level) -> None:
    live = talk(160, 100)
    plan = plan_automatic(window_of(live), level, POLICY)
    assert without(live, plan) == live[-20:]


def test_the_newest_four_stay_even_above_the_target() -> None:
    live = talk(12, 2_000)
    assert without(live, plan_automatic(window_of(live), Level.AGGRESSIVE, POLICY)) == live[-4:]


def test_the_newest_message_of_the_user_stays_however_old_it_is() -> None:
    live = [sized(Role.USER, 500, 0), *(sized(Role.ASSISTANT, 500, place) for place in range(1, 40))]
    left = without(live, plan_automatic(window_of(live), Level.AGGRESSIVE, POLICY))
    assert left[0] == live[0]
    assert live_tokens(left) <= 4_800


def test_one_run_folds_at_most_24000_tokens_and_says_that_more_is_due() -> None:
    live = talk(400, 100)
    plan = plan_automatic(window_of(live), Level.AGGRESSIVE, POLICY)
    assert (live_tokens(plan.messages), plan.complete) == (24_000, False)


def test_messages_out_of_sight_are_more_to_come() -> None:
    live = talk(1_000, 100)
    window = LiveWindow(1_000, 100_000, tuple(live[:310]), tuple(live[-20:]), live[-2])
    for plan in (plan_automatic(window, Level.DEEP, POLICY), plan_manual(window, POLICY)):
        assert (plan.ids, plan.complete) == (tuple(message.id for message in live[:240]), False)


def test_nothing_behind_messages_out_of_sight_folds() -> None:
    live = talk(1_000, 100)
    window = LiveWindow(1_000, 100_000, tuple(live[:30]), tuple(live[-20:]), live[-2])
    assert plan_automatic(window, Level.DEEP, POLICY) == CompactionPlan(tuple(live[:30]), complete=False)


# By hand.


def test_a_manual_fold_takes_what_is_older_than_twenty() -> None:
    live = talk(30, 10)
    assert plan_manual(window_of(live), POLICY) == CompactionPlan(tuple(live[:10]), complete=True)


def test_a_manual_fold_of_a_short_conversation_keeps_the_newest_four() -> None:
    live = talk(9, 10)
    assert plan_manual(window_of(live), POLICY) == CompactionPlan(tuple(live[:5]), complete=True)


@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_manual_fold_finds_nothing_in_a_conversation_of_four(count: int) -> None:
    assert plan_manual(window_of(talk(count, 9_000)), POLICY) == CompactionPlan((), complete=True)


def test_an_empty_conversation_folds_nothing() -> None:
    assert plan_automatic(window_of([]), Level.AGGRESSIVE, POLICY) == CompactionPlan((), complete=True)


# Tool calls and their results.


def padded(*middle: Message) -> list[Message]:
    """Between messages that make up what a fold needs: 12 before and 24 after."""
    text = "x" * (4 * 596)
    before = [says(Role.ASSISTANT if place % 2 else Role.USER, text) for place in range(12)]
    behind = [says(Role.USER if place % 2 else Role.ASSISTANT, text) for place in range(24)]
    return placed([*before, *middle, *behind])


def test_a_call_whose_result_stays_is_not_folded_and_holds_up_nothing_else() -> None:
    late = placed([call("a"), *talk(40, 600), result("a")])
    plan = plan_automatic(window_of(late), Level.AGGRESSIVE, POLICY)
    left = without(late, plan)
    assert (left[0], left[-1]) == (late[0], late[-1])
    assert live_tokens(left) <= 4_800


def test_calls_made_side_by_side_fold_with_all_their_results() -> None:
    both = replace(call("a"), parts=call("a").parts + call("b").parts)
    live = padded(both, result("b"), says(Role.USER, "and?"), result("a"))
    for level in Level:
        folded = set(plan_automatic(window_of(live), level, POLICY).ids)
        assert len(folded & {"m12", "m13", "m15"}) in (0, 3)


def test_a_call_that_was_never_answered_folds_like_any_message() -> None:
    live = padded(call("a"))
    assert "m12" in plan_automatic(window_of(live), Level.AGGRESSIVE, POLICY).ids


def test_calls_counted_anew_in_every_reply_are_not_mistaken_for_one_another() -> None:
    loop = [message for _ in range(200) for message in (call("call_0", "x" * 400), result("call_0"))]
    live = placed([says(Role.USER, "go"), *loop])
    plan = plan_automatic(window_of(live), Level.LIGHT, POLICY)
    assert plan.messages
    assert live_tokens(without(live, plan)) <= 6_800


def test_an_exchange_larger_than_a_run_goes_alone_and_whole() -> None:
    many = tuple(replace(call("a").parts[0], call_id=f"c{place}") for place in range(30))
    live = padded(replace(call("a"), parts=many), *(result(f"c{place}", "x" * 8_000) for place in range(30)))
    left, plans = live, []
    while (plan := plan_automatic(window_of(left), Level.AGGRESSIVE, POLICY)).messages:
        left = without(left, plan)
        plans.append(plan)
    assert [message.index for message in plans[1].messages] == list(range(12, 43))


# On random conversations.


@given(conversations, LEVELS, st.booleans())
def test_a_plan_keeps_every_promise(live: list[Message], level: Level, manual: bool) -> None:
    window = window_of(live, SMALL)
    plan = plan_manual(window, SMALL) if manual else plan_automatic(window, level, SMALL)
    folded = {message.index for message in plan.messages}
    assert [message.index for message in plan.messages] == sorted(folded)
    assert not folded & staying(live, SMALL.newest_message_count)
    groups = bound_together(live)
    assert all(group <= folded or not group & folded for group in groups)
    assert live_tokens(plan.messages, SMALL) <= SMALL.max_compaction_tokens or folded in groups


@given(conversations, st.integers(0, 30))
def test_a_plan_that_does_not_see_everything_keeps_them_too(live: list[Message], seen: int) -> None:
    window = replace(window_of(live, SMALL), oldest=tuple(live[:seen]), newest=tuple(live[-4:]))
    plan = plan_automatic(window, Level.AGGRESSIVE, SMALL)
    folded = {message.index for message in plan.messages}
    assert not folded & staying(live, SMALL.newest_message_count)
    in_sight = live[:seen] + live[max(seen, len(live) - 4) :]
    assert all(group <= folded or not group & folded for group in bound_together(in_sight))
    assert not (window.hides_some and plan.complete)


@given(st.lists(st.tuples(pieces, st.booleans()), max_size=8))
def test_a_conversation_that_grows_and_folds_loses_nothing_and_always_comes_to_rest(
    steps: list[tuple[list[list[Message]], bool]],
) -> None:
    """Messages arrive, folds run as they become due or are asked for: each message is live or folded exactly once."""
    everything: list[Message] = []
    live: list[Message] = []
    folded: list[str] = []
    for found, asked in steps:
        new = placed((message for piece in found for message in piece), len(everything))
        everything, live = everything + new, live + new
        if not (asked or is_due(window_of(live, SMALL, len(everything)), SMALL)):
            continue
        live, gone = _folded_to_rest(live, manual=asked)
        folded += gone
        assert len(folded) == len(set(folded))
        assert {message.id for message in live}.isdisjoint(folded)
        assert len(live) + len(folded) == len(everything)
        assert [message.index for message in live] == sorted(message.index for message in live)


def _folded_to_rest(live: list[Message], *, manual: bool) -> tuple[list[Message], list[str]]:
    level = SMALL.level_for(live_tokens(live, SMALL))
    kept, groups, gone = staying(live, SMALL.newest_message_count), bound_together(live), list[str]()
    for _ in range(len(live) + 1):
        window = window_of(live, SMALL)
        plan = plan_manual(window, SMALL) if manual else plan_automatic(window, level, SMALL)
        gone += plan.ids
        live = without(live, plan)
        if plan.complete:
            break
        assert plan.messages, "there is always progress"
    assert plan.complete
    left = {message.index for message in live}
    assert kept <= left
    assert all(group <= left or not group & left for group in groups)
    if not manual:
        _assert_at_target(live, level, SMALL)
    return live, gone


def _assert_at_target(live: list[Message], level: Level, policy: Policy) -> None:
    target = policy.light_compaction_threshold * policy.target_percent(level) // 100
    kept = staying(live, policy.newest_message_count)
    nothing_left = all(group & kept for group in bound_together(live))
    assert live_tokens(live, policy) <= target or nothing_left
    if level is not Level.LIGHT and live:
        recent = {message.index for message in live[-policy.recent_message_count :]} | kept
        assert all(group & recent for group in bound_together(live))
