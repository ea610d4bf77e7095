"""Plans of compactions: their messages by example and on random conversations."""

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
    dialogue,
    indexed,
    live_tokens,
    newest_user_message,
    pieces,
    result,
    sized,
    text_message,
    window_of,
)

LEVELS = st.sampled_from(Level)


def bound_together(live: list[Message]) -> list[set[int]]:
    """Group the indexes of messages that share calls and results, one pair at a time."""
    groups = [{message.index} for message in live]
    call_index: dict[str, int] = {}
    for message in live:
        for part in message.parts:
            if part.kind is PartKind.TOOL_CALL and part.call_id:
                call_index[part.call_id] = message.index
            if part.kind is PartKind.TOOL_RESULT and part.call_id in call_index:
                pair = {call_index[part.call_id], message.index}
                touched = [group for group in groups if group & pair]
                groups = [group for group in groups if not group & pair] + [set().union(*touched)]
    return groups


def preserved(live: list[Message], count: int) -> set[int]:
    user = newest_user_message(live)
    return {message.index for message in live[-count:]} | ({user.index} if user else set())


def without(live: list[Message], plan: CompactionPlan) -> list[Message]:
    removed = set(plan.ids)
    return [message for message in live if message.id not in removed]


def after(live: list[Message], level: Level) -> int:
    plan = plan_automatic(window_of(live), level, POLICY)
    assert plan.complete
    return live_tokens(without(live, plan))


# Due compactions.


def test_a_live_message_counts_at_most_two_thousand_tokens() -> None:
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
def test_a_compaction_is_due_from_ten_messages_and_eight_thousand_tokens(
    count: int, tokens: int, shortage: Shortage | None
) -> None:
    window = window_of(dialogue(count, tokens))
    assert shortage_of(why_not_due(window, POLICY)) == shortage
    assert is_due(window, POLICY) is (shortage is None)


def test_a_compaction_is_not_due_if_the_newest_messages_have_nearly_all_tokens() -> None:
    live = dialogue(8, 299) + [sized(Role.USER, 2_000, 8 + index) for index in range(4)]
    assert shortage_of(why_not_due(window_of(live), POLICY)) == ("little_to_compact", 2_392, 2_400)
    assert is_due(window_of([sized(Role.USER, 8, 0), *live[1:]]), replace(POLICY, min_compaction_tokens=2_101))


@pytest.mark.parametrize("flag", ["engine_enabled", "auto_compact"])
def test_a_compaction_is_never_due_when_it_is_turned_off(flag: str) -> None:
    off: dict[str, bool] = {flag: False}
    assert why_not_due(window_of(dialogue(80, 400)), replace(POLICY, **off)) == NotDue(NotDueCode.OFF)


def test_the_newest_four_and_the_last_user_message_cannot_be_compacted() -> None:
    assert compactable_tokens(window_of(dialogue(20, 100)), POLICY) == 1_600
    one_user_message = [sized(Role.USER, 100, 0), *(sized(Role.ASSISTANT, 100, index) for index in range(1, 20))]
    assert compactable_tokens(window_of(one_user_message), POLICY) == 1_500


# The three levels, with the numbers of the design.


def test_light_stops_at_6800_and_keeps_the_newest_twenty() -> None:
    live = dialogue(110, 100)
    plan = plan_automatic(window_of(live), Level.LIGHT, POLICY)
    assert plan.ids == tuple(message.id for message in live[:42])
    assert live_tokens(without(live, plan)) == 6_800


def test_light_keeps_fewer_than_twenty_if_they_exceed_the_target() -> None:
    live = dialogue(24, 500)
    assert after(live, Level.LIGHT) == 6_500
    assert len(without(live, plan_automatic(window_of(live), Level.LIGHT, POLICY))) == 13


def test_a_compaction_takes_at_least_2400_tokens() -> None:
    assert after(dialogue(80, 100), Level.LIGHT) == 5_600


def test_deep_stops_at_5600() -> None:
    assert after(dialogue(20, 800), Level.DEEP) == 5_600


def test_aggressive_stops_at_4800() -> None:
    assert after(dialogue(40, 600), Level.AGGRESSIVE) == 4_800


@pytest.mark.parametrize("level", [Level.DEEP, Level.AGGRESSIVE])
def test_deep_and_aggressive_compact_everything_older_than_twenty_messages(level: Level) -> None:
    live = dialogue(160, 100)
    plan = plan_automatic(window_of(live), level, POLICY)
    assert without(live, plan) == live[-20:]


def test_the_newest_four_stay_even_above_the_target() -> None:
    live = dialogue(12, 2_000)
    assert without(live, plan_automatic(window_of(live), Level.AGGRESSIVE, POLICY)) == live[-4:]


def test_the_last_user_message_stays_live_at_any_age() -> None:
    live = [sized(Role.USER, 500, 0), *(sized(Role.ASSISTANT, 500, index) for index in range(1, 40))]
    remaining = without(live, plan_automatic(window_of(live), Level.AGGRESSIVE, POLICY))
    assert remaining[0] == live[0]
    assert live_tokens(remaining) <= 4_800


def test_one_run_compacts_at_most_24000_tokens_and_reports_that_more_is_due() -> None:
    live = dialogue(400, 100)
    plan = plan_automatic(window_of(live), Level.AGGRESSIVE, POLICY)
    assert (live_tokens(plan.messages), plan.complete) == (24_000, False)


def test_a_plan_with_unloaded_messages_is_incomplete() -> None:
    live = dialogue(1_000, 100)
    window = LiveWindow(1_000, 100_000, tuple(live[:310]), tuple(live[-20:]), live[-2])
    for plan in (plan_automatic(window, Level.DEEP, POLICY), plan_manual(window, POLICY)):
        assert (plan.ids, plan.complete) == (tuple(message.id for message in live[:240]), False)


def test_no_message_after_unloaded_ones_is_compacted() -> None:
    live = dialogue(1_000, 100)
    window = LiveWindow(1_000, 100_000, tuple(live[:30]), tuple(live[-20:]), live[-2])
    assert plan_automatic(window, Level.DEEP, POLICY) == CompactionPlan(tuple(live[:30]), complete=False)


# Manual compactions.


def test_a_manual_compaction_takes_messages_older_than_the_newest_twenty() -> None:
    live = dialogue(30, 10)
    assert plan_manual(window_of(live), POLICY) == CompactionPlan(tuple(live[:10]), complete=True)


def test_a_manual_compaction_of_a_short_conversation_keeps_the_newest_four() -> None:
    live = dialogue(9, 10)
    assert plan_manual(window_of(live), POLICY) == CompactionPlan(tuple(live[:5]), complete=True)


@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_manual_compaction_of_four_messages_compacts_nothing(count: int) -> None:
    assert plan_manual(window_of(dialogue(count, 9_000)), POLICY) == CompactionPlan((), complete=True)


def test_an_empty_conversation_compacts_nothing() -> None:
    assert plan_automatic(window_of([]), Level.AGGRESSIVE, POLICY) == CompactionPlan((), complete=True)


# Tool calls and their results.


def padded(*middle: Message) -> list[Message]:
    """Surround the messages with enough others for a compaction: 12 before and 24 after."""
    text = "x" * (4 * 596)
    before = [text_message(Role.ASSISTANT if index % 2 else Role.USER, text) for index in range(12)]
    after_middle = [text_message(Role.USER if index % 2 else Role.ASSISTANT, text) for index in range(24)]
    return indexed([*before, *middle, *after_middle])


def test_a_call_whose_result_stays_live_is_not_compacted_and_blocks_nothing_else() -> None:
    live = indexed([call("a"), *dialogue(40, 600), result("a")])
    plan = plan_automatic(window_of(live), Level.AGGRESSIVE, POLICY)
    remaining = without(live, plan)
    assert (remaining[0], remaining[-1]) == (live[0], live[-1])
    assert live_tokens(remaining) <= 4_800


def test_parallel_calls_are_compacted_with_all_their_results() -> None:
    both = replace(call("a"), parts=call("a").parts + call("b").parts)
    live = padded(both, result("b"), text_message(Role.USER, "and?"), result("a"))
    for level in Level:
        compacted = set(plan_automatic(window_of(live), level, POLICY).ids)
        assert len(compacted & {"m12", "m13", "m15"}) in (0, 3)


def test_a_call_without_a_result_is_compacted_like_any_message() -> None:
    live = padded(call("a"))
    assert "m12" in plan_automatic(window_of(live), Level.AGGRESSIVE, POLICY).ids


def test_repeated_call_ids_are_not_confused() -> None:
    loop = [message for _ in range(200) for message in (call("call_0", "x" * 400), result("call_0"))]
    live = indexed([text_message(Role.USER, "go"), *loop])
    plan = plan_automatic(window_of(live), Level.LIGHT, POLICY)
    assert plan.messages
    assert live_tokens(without(live, plan)) <= 6_800


def test_an_exchange_larger_than_a_run_is_compacted_alone_and_whole() -> None:
    many = tuple(replace(call("a").parts[0], call_id=f"c{index}") for index in range(30))
    live = padded(replace(call("a"), parts=many), *(result(f"c{index}", "x" * 8_000) for index in range(30)))
    remaining, plans = live, []
    while (plan := plan_automatic(window_of(remaining), Level.AGGRESSIVE, POLICY)).messages:
        remaining = without(remaining, plan)
        plans.append(plan)
    assert [message.index for message in plans[1].messages] == list(range(12, 43))


# On random conversations.


@given(conversations, LEVELS, st.booleans())
def test_a_plan_preserves_all_invariants(live: list[Message], level: Level, manual: bool) -> None:
    window = window_of(live, SMALL)
    plan = plan_manual(window, SMALL) if manual else plan_automatic(window, level, SMALL)
    compacted = {message.index for message in plan.messages}
    assert [message.index for message in plan.messages] == sorted(compacted)
    assert not compacted & preserved(live, SMALL.newest_message_count)
    groups = bound_together(live)
    assert all(group <= compacted or not group & compacted for group in groups)
    assert live_tokens(plan.messages, SMALL) <= SMALL.max_compaction_tokens or compacted in groups


@given(conversations, st.integers(0, 30))
def test_a_plan_with_unloaded_messages_preserves_all_invariants(live: list[Message], loaded: int) -> None:
    window = replace(window_of(live, SMALL), oldest=tuple(live[:loaded]), newest=tuple(live[-4:]))
    plan = plan_automatic(window, Level.AGGRESSIVE, SMALL)
    compacted = {message.index for message in plan.messages}
    assert not compacted & preserved(live, SMALL.newest_message_count)
    visible = live[:loaded] + live[max(loaded, len(live) - 4) :]
    assert all(group <= compacted or not group & compacted for group in bound_together(visible))
    assert not (window.hides_some and plan.complete)


@given(st.lists(st.tuples(pieces, st.booleans()), max_size=8))
def test_repeated_compaction_loses_no_message_and_always_terminates(
    steps: list[tuple[list[list[Message]], bool]],
) -> None:
    """Add messages and run due or requested compactions; each message must be live or compacted exactly once."""
    everything: list[Message] = []
    live: list[Message] = []
    compacted: list[str] = []
    for drawn, requested in steps:
        new = indexed((message for piece in drawn for message in piece), len(everything))
        everything, live = everything + new, live + new
        if not (requested or is_due(window_of(live, SMALL, len(everything)), SMALL)):
            continue
        live, removed = _compact_fully(live, manual=requested)
        compacted += removed
        assert len(compacted) == len(set(compacted))
        assert {message.id for message in live}.isdisjoint(compacted)
        assert len(live) + len(compacted) == len(everything)
        assert [message.index for message in live] == sorted(message.index for message in live)


def _compact_fully(live: list[Message], *, manual: bool) -> tuple[list[Message], list[str]]:
    level = SMALL.level_for(live_tokens(live, SMALL))
    preserved_indexes, groups, removed = preserved(live, SMALL.newest_message_count), bound_together(live), list[str]()
    for _ in range(len(live) + 1):
        window = window_of(live, SMALL)
        plan = plan_manual(window, SMALL) if manual else plan_automatic(window, level, SMALL)
        removed += plan.ids
        live = without(live, plan)
        if plan.complete:
            break
        assert plan.messages, "every run must make progress"
    assert plan.complete
    remaining = {message.index for message in live}
    assert preserved_indexes <= remaining
    assert all(group <= remaining or not group & remaining for group in groups)
    if not manual:
        _assert_at_target(live, level, SMALL)
    return live, removed


def _assert_at_target(live: list[Message], level: Level, policy: Policy) -> None:
    target = policy.light_compaction_threshold * policy.target_percent(level) // 100
    preserved_indexes = preserved(live, policy.newest_message_count)
    nothing_left = all(group & preserved_indexes for group in bound_together(live))
    assert live_tokens(live, policy) <= target or nothing_left
    if level is not Level.LIGHT and live:
        recent = {message.index for message in live[-policy.recent_message_count :]} | preserved_indexes
        assert all(group & recent for group in bound_together(live))
