"""Building a pack: mandatory parts, budgets, and the report of omitted content."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.messages.display import shown_tokens
from apps.engine.messages.message import Message, Part, PartKind, Role
from apps.engine.pack.builder import build_pack, window_pack
from apps.engine.pack.cache_epochs import fill_tokens
from apps.engine.pack.context_pack import ConversationCounts, PackSources, conversation_text
from apps.engine.pack.layer_sizes import fixed_tokens, newest_tokens
from apps.engine.pack.layers import Layer, max_just_in_time_tokens
from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.pack.profile import entities_text, identity_text, preferences_text, topics_text
from apps.engine.pack.recent_window import from_whole_exchange, newest_fitting, recent_tokens
from apps.engine.pack.retrieved import retrieved_tokens
from apps.engine.pack.strategies import INITIAL_FILL, Strategy
from apps.engine.policy import Policy
from apps.engine.summary.rendering import MemoryItem, Pin, pins_text, section_tokens, summary_text, user_memory_text
from apps.engine.summary.rolling_summary import Line, RollingSummary
from apps.engine.tokens.counting import ROLE_TOKENS
from apps.engine.tokens.estimate import estimate_text
from tests.engine.conversations import POLICY, SMALL, call, dialogue, indexed, result, sized, text_message
from tests.engine.packs import EMPTY_SOURCES, budgets, pack_for, packed, policies, sources_of_any_kind

SUMMARY = RollingSummary(goals=tuple(Line(f"goal number {place} of many", (f"s{place}",)) for place in range(40)))


# Invariants on random sources.


@given(sources_of_any_kind, budgets, policies)
def test_a_pack_never_exceeds_its_budget(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    assert pack.total_tokens <= budget == pack.budget


@given(sources_of_any_kind, budgets, policies)
def test_tokens_by_part_match_the_content(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    assert pack.tokens == {
        "system": section_tokens(pack.system_prompt) + (ROLE_TOKENS if any(pack.sections.values()) else 0),
        "identity": section_tokens(identity_text(pack.identity)),
        "user_memory": section_tokens(user_memory_text(pack.user_memory)),
        "preferences": section_tokens(preferences_text(pack.preference_memories)),
        "pinned_memory": section_tokens(pins_text(pack.pins)),
        "topics": section_tokens(topics_text(pack.topics)),
        "entities": section_tokens(entities_text(pack.entities)),
        "rolling_summary": section_tokens(conversation_text(pack.arc, pack.summary, pack.segments)),
        "earlier": section_tokens(pack.earlier.text),
        "recent_messages": recent_tokens(pack.recent),
        "just_in_time": retrieved_tokens(pack.retrieved),
        "current_message": shown_tokens(pack.current) if pack.current else 0,
    }
    assert list(pack.tokens) == list(pack.parts)
    for part, texts in pack.parts.items():
        assert sum(map(estimate_text, texts)) + ROLE_TOKENS * pack.roles.get(part, 0) <= pack.tokens[part]


@given(sources_of_any_kind, budgets, policies)
def test_no_layer_takes_more_than_it_was_granted(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    used = pack.layer_tokens()
    for grant in pack.epoch.negotiation.grants:
        assert grant.granted == 0 or grant.minimum <= grant.granted <= grant.maximum
        if grant.layer in (Layer.IDENTITY, Layer.PREFERENCES, Layer.TOPICS, Layer.ENTITIES, Layer.CONVERSATION):
            assert used[grant.layer] <= grant.granted
        if grant.layer is Layer.HISTORY:
            # The newest messages may be longer if tokens are left.
            since = sources.window(pack.epoch.start, pack.epoch.compacted_start)
            assert len(newest_fitting(since, pack.epoch.history_tokens - pack.earlier.tokens, policy)) == len(since)
            assert used[grant.layer] <= pack.epoch.history_tokens
        if grant.layer is Layer.JUST_IN_TIME:
            rest = pack.total_tokens - used[grant.layer]
            assert used[grant.layer] <= max(grant.granted, fill_tokens(budget, policy) - rest)


@given(sources_of_any_kind, budgets, policies)
def test_a_pack_has_no_less_of_the_newest_messages_than_a_plain_window_of_what_is_left(
    sources: PackSources, budget: int, policy: Policy
) -> None:
    """Left is what the other layers leave of the budget to fill, without the room to grow and that for gap markers."""
    pack = packed(sources, budget, policy)
    used = pack.layer_tokens()
    others = pack.total_tokens - used[Layer.HISTORY] - used[Layer.JUST_IN_TIME]
    retrieved = max(pack.epoch.negotiation.granted(Layer.JUST_IN_TIME), max_just_in_time_tokens(budget))
    granted = pack.epoch.negotiation.used - pack.epoch.negotiation.granted(Layer.HISTORY)
    left = min(pack.epoch.history_tokens, fill_tokens(budget, policy) - max(granted, others) - retrieved)
    plain = newest_fitting(sources.earlier, int(left * INITIAL_FILL * 0.9) - pack.earlier.tokens - 40, policy)
    assert len(pack.recent) >= len(from_whole_exchange(plain, policy))


@given(sources_of_any_kind, st.integers(200, 6_000), st.integers(1, 100), st.integers(1, 100))
def test_a_higher_fill_removes_no_message(sources: PackSources, budget: int, one: int, other: int) -> None:
    low, high = sorted((one, other))
    less, more = (packed(sources, budget, replace(SMALL, pack_fill_percent=percent)) for percent in (low, high))
    assert {message.id for message in less.recent} <= {message.id for message in more.recent}


@given(sources_of_any_kind, budgets, policies)
def test_the_newest_message_comes_before_any_layer(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    newest = newest_tokens(sources, budget - sum(fixed_tokens(sources).values()))
    assert not newest or pack.recent


@given(sources_of_any_kind, budgets, policies)
def test_a_budget_error_names_the_parts_and_the_smallest_budget_that_works(
    sources: PackSources, budget: int, policy: Policy
) -> None:
    with pytest.raises(BudgetExceeded) as refused:
        build_pack(sources, -1, policy)
    smallest = refused.value.smallest
    assert set(refused.value.parts) == {"system", "pinned_memory", "current_message"}
    assert smallest == sum(refused.value.parts.values())
    assert build_pack(sources, max(smallest, budget), policy).total_tokens <= max(smallest, budget)
    with pytest.raises(BudgetExceeded):
        build_pack(sources, smallest - 1, policy)


@given(sources_of_any_kind, budgets, policies)
def test_mandatory_parts_are_included_whole(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    assert (pack.system_prompt, pack.pins) == (sources.system_prompt, tuple(sources.pins))
    newest = sources.newest[-1] if sources.newest else None
    assert pack.current is (newest if newest and newest.role is Role.USER else None)


@given(sources_of_any_kind, budgets, policies)
def test_the_recent_messages_are_the_newest_without_a_gap(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    shown = {message.id for message in pack.recent}
    for messages in (sources.compacted, sources.earlier):
        newest = [message.id for message in messages if message.id in shown]
        assert newest == [message.id for message in messages[len(messages) - len(newest) :]]
    assert not shown & {message.id for message in sources.compacted} or pack.epoch.strategy is Strategy.FULL


@given(sources_of_any_kind, budgets, policies)
def test_omitted_content_is_reported_exactly(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    omitted = pack.omitted
    included_items = [item.id for item in pack.user_memory]
    assert Counter([*included_items, *omitted.user_memory]) == Counter(item.id for item in sources.user_memory)
    for offered_memories, included, left_out in (
        (sources.identity, pack.identity, omitted.identity),
        (sources.preference_memories, pack.preference_memories, omitted.preferences),
        (sources.topics, pack.topics, omitted.topics),
        (sources.entities, pack.entities, omitted.entities),
    ):
        whole = [memory.id for memory in included if memory in offered_memories]
        assert Counter([*whole, *left_out]) == Counter(memory.id for memory in offered_memories)
    assert Counter([*pack.summary.entries(), *omitted.summary_lines]) == Counter(sources.summary.entries())
    originals = {message.id: message for message in (*sources.compacted, *sources.newest)}
    assert omitted.excerpts == tuple(shown.id for shown in pack.recent if shown != originals[shown.id])
    offered = {item.id for item in sources.usable_items if item.index is None or item.index < pack.epoch.start}
    named = {
        *omitted.retrieved,
        *(item.id for item in pack.retrieved),
        *sources.pinned_ids,
        *pack.epoch.earlier.keys.ids,
        *(memory.id for memory in pack.identity),
        *(message.id for message in (*pack.recent, *([pack.current] if pack.current else []))),
    }
    assert offered <= named
    shown = [message.index for message in (*pack.recent, *([pack.current] if pack.current else []))]
    missing = [message.index for message in sources.newest if message.index not in shown]
    if omitted.messages_before is None:
        assert not missing and not sources.counts.unread
    else:
        assert missing or sources.counts.unread
        assert all(index < omitted.messages_before for index in missing)
        assert all(index >= omitted.messages_before for index in shown)


def test_the_current_message_is_not_before_those_that_are_shown_where_later_ones_are_folded() -> None:
    current = Message("m48", 48, Role.USER, "Well?", 6)
    counts = ConversationCounts(message_count=53, live_tokens=100, compacted_through=52, unread=1)
    pack = build_pack(replace(EMPTY_SOURCES, newest=[current], known_counts=counts), 18, SMALL)
    assert (pack.current, pack.omitted.messages_before) == (current, 48)


@given(sources_of_any_kind, budgets, policies)
def test_coverage_counts_every_live_message_once(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    counts = pack.coverage
    assert counts.live == sources.counts.unread + len(sources.earlier)
    assert min(counts.shown, counts.key, counts.summarized, counts.dropped) >= 0
    assert (counts.shown, counts.key) == (len(pack.recent), len(pack.earlier.keys.ids))
    assert pack.earlier.segments or not counts.summarized


@given(sources_of_any_kind, budgets, policies)
def test_the_same_sources_give_the_same_pack(sources: PackSources, budget: int, policy: Policy) -> None:
    pack = packed(sources, budget, policy)
    again = build_pack(deepcopy(sources), budget, policy)
    assert again == pack
    assert repr(again) == repr(pack)


@given(sources_of_any_kind, budgets, policies)
def test_a_plain_window_includes_as_many_newest_messages_as_fit(
    sources: PackSources, budget: int, policy: Policy
) -> None:
    plain = replace(sources, known_counts=replace(sources.counts, unread=0), summary=RollingSummary(), user_memory=())
    plain = replace(plain, identity=(), preference_memories=(), topics=(), entities=())
    try:
        pack = window_pack(plain, budget, policy)
    except BudgetExceeded:
        return
    assert pack.total_tokens <= budget
    assert (pack.arc, pack.segments, pack.earlier.text, pack.user_memory) == ("", (), "", ())
    assert pack.coverage.live == len(plain.earlier)


@given(st.integers(0, 60), st.integers(5, 300), st.integers(0, 9_000), st.integers(0, 4_000))
def test_a_larger_budget_never_shows_fewer_messages_of_a_plain_window(
    count: int, tokens: int, budget: int, more: int
) -> None:
    sources = replace(EMPTY_SOURCES, newest=dialogue(2 * count, tokens))
    smaller, larger = (window_pack(sources, size, POLICY) for size in (budget + 4, budget + more + 4))
    assert len(smaller.recent) <= len(larger.recent)


# By example.


def test_a_pack_of_nothing_costs_nothing() -> None:
    pack = build_pack(EMPTY_SOURCES, 0, POLICY)
    assert (pack.total_tokens, pack.current, pack.recent) == (0, None, ())


def test_a_message_without_a_reply_is_the_current_one() -> None:
    assert pack_for(dialogue(3, 10), 1_000).current == dialogue(3, 10)[2]
    assert pack_for(dialogue(4, 10), 1_000).current is None


def test_pins_that_do_not_fit_fail_with_their_size() -> None:
    sources = replace(
        EMPTY_SOURCES, system_prompt="Be brief.", pins=(Pin("p", "decision", "x" * 4_000),), newest=dialogue(1, 50)
    )
    with pytest.raises(BudgetExceeded) as refused:
        build_pack(sources, 1_000, POLICY)
    assert refused.value.parts == {"system": 7, "pinned_memory": 1_007, "current_message": 50}
    assert refused.value.smallest == 1_064
    assert str(refused.value) == "1064 tokens are needed at least, the budget is 1000"


def test_a_conversation_that_fits_is_included_in_full() -> None:
    pack = pack_for(dialogue(41, 100), 12_000)
    assert pack.epoch.strategy is Strategy.FULL
    assert (len(pack.recent), pack.omitted.messages_before, pack.arc, pack.earlier.text) == (40, None, "", "")
    assert pack.tokens["recent_messages"] == 4_005


def test_messages_get_what_the_other_layers_leave_of_the_budget() -> None:
    pack = pack_for(dialogue(400, 100), 12_000)
    others = pack.tokens["system"] + pack.tokens["rolling_summary"]
    assert pack.epoch.history_tokens == 11_400 - max_just_in_time_tokens(12_000) - others == 9_208
    assert pack.epoch.negotiation.granted(Layer.HISTORY) == 7_200


def test_a_new_window_leaves_a_quarter_of_its_tokens_free() -> None:
    pack = pack_for(dialogue(101, 100), 12_000)
    assert pack.epoch.strategy is Strategy.WINDOWED
    free = 1 - pack.tokens["recent_messages"] / (pack.epoch.history_tokens - pack.tokens["earlier"])
    assert 0.25 <= free < 0.28


def test_the_model_learns_that_messages_are_hidden() -> None:
    pack = pack_for(dialogue(101, 100), 2_000)
    assert pack.sections["rolling_summary"] == (
        "## Where the conversation stands\nIt began earlier: what was said before the messages below is told in short."
    )
    assert pack.tokens["system"] == ROLE_TOKENS
    assert pack_for(dialogue(9, 100), 2_000).tokens["system"] == 0


def test_the_arc_is_included_only_if_its_role_fits_too() -> None:
    """The arc takes 28 tokens, the current message 100."""
    assert not pack_for(dialogue(41, 100), 128).arc
    assert pack_for(dialogue(41, 100), 132).arc


def test_a_current_message_of_any_length_is_included_whole() -> None:
    pack = pack_for([sized(Role.ASSISTANT, 500, 0), sized(Role.USER, 9_000, 1)], 9_300)
    assert pack.current == sized(Role.USER, 9_000, 1)
    assert ([message.id for message in pack.recent], pack.omitted.excerpts) == (["m0"], ("m0",))


def test_a_long_message_older_than_the_newest_four_is_an_excerpt() -> None:
    live = [sized(Role.USER, 5_000, 0), *dialogue(7, 100)[1:]]
    pack = pack_for(live, 12_000)
    assert pack.omitted.excerpts == ("m0",)
    assert shown_tokens(pack.recent[0]) <= 2_000
    assert "left out of message m0" in pack.recent[0].content


def test_a_long_message_among_the_newest_four_is_whole_if_it_fits() -> None:
    live = [*dialogue(2, 100), sized(Role.USER, 5_000, 2), sized(Role.ASSISTANT, 100, 3)]
    assert pack_for(live, 12_000).omitted.excerpts == ()
    assert pack_for(live, 4_000).omitted.excerpts == ("m2",)


def test_a_message_of_a_thousand_parts_becomes_one_excerpt() -> None:
    parts = tuple(Part(PartKind.TOOL_CALL, '{"q": 1}', f"c{place}", "find") for place in range(1_000))
    live = indexed([text_message(Role.USER, "go"), Message("", 0, Role.ASSISTANT, "", 0, "", parts), *dialogue(5, 10)])
    pack = pack_for(live, 8_000)
    assert len(pack.recent) == 6
    assert pack.omitted.excerpts == ("m1",)


def test_reasoning_costs_no_tokens_because_it_is_never_sent() -> None:
    reasoning = Part(PartKind.REASONING, "hm", tokens=5_000)
    assert shown_tokens(Message("m", 0, Role.ASSISTANT, "x" * 40, 5_014, parts=(reasoning,))) == 14


def test_a_call_and_its_results_begin_the_window_together_or_not_at_all() -> None:
    answers = [result(f"c{place}", "x" * 400) for place in range(3)]
    reply = replace(call("c0"), parts=tuple(replace(call("").parts[0], call_id=f"c{place}") for place in range(3)))
    live = indexed([*dialogue(20, 50), reply, *answers, *dialogue(6, 20)[1:], text_message(Role.ASSISTANT, "done")])
    begins = {pack_for(live, budget).epoch.start for budget in range(830, 1_400, 10)}
    assert 24 in begins
    assert begins.isdisjoint({21, 22, 23})


def test_user_memory_stays_within_its_grant_and_skips_long_items() -> None:
    items = (
        MemoryItem("a", "fact", "pet", "an owl"),
        MemoryItem("b", "fact", "life", "x" * 4_000),
        MemoryItem("c", "constraint", "tone", "calm"),
    )
    pack = build_pack(replace(EMPTY_SOURCES, user_memory=items, newest=dialogue(5, 10)), 12_000, POLICY)
    assert [item.id for item in pack.user_memory] == ["a", "c"]
    assert pack.omitted.user_memory == ("b",)
    assert pack.tokens["user_memory"] <= 800


def test_a_long_summary_leaves_the_newest_messages_their_minimum() -> None:
    pack = build_pack(replace(EMPTY_SOURCES, summary=SUMMARY, newest=dialogue(40, 50)), 1_000, POLICY)
    assert pack.epoch.negotiation.granted(Layer.HISTORY) >= 500
    assert len(pack.recent) == 6
    assert pack.summary.goals == SUMMARY.goals[-len(pack.summary.goals) :]
    assert len(pack.omitted.summary_lines) == 40 - len(pack.summary.goals) > 0


def test_a_summary_that_fits_to_the_token_stays_whole() -> None:
    """The summary may use a fifth of the budget."""
    tokens = section_tokens(summary_text(SUMMARY))
    assert build_pack(replace(EMPTY_SOURCES, summary=SUMMARY), 5 * tokens, POLICY).summary == SUMMARY
    assert build_pack(replace(EMPTY_SOURCES, summary=SUMMARY), 5 * tokens - 5, POLICY).summary != SUMMARY


def test_a_huge_message_reports_even_unloaded_messages_as_omitted() -> None:
    current = sized(Role.USER, 3_000, 90)
    counts = ConversationCounts(91, 9_000, compacted_through=None, unread=60)
    pack = build_pack(replace(EMPTY_SOURCES, newest=(current,), known_counts=counts), 3_200, POLICY)
    assert (pack.recent, pack.omitted.messages_before) == ((), 90)
    assert pack.coverage.dropped == 60


def test_compacted_messages_included_again_are_shown_as_messages() -> None:
    messages = dialogue(31, 100)
    live = [messages[3], *messages[20:]]
    pack = build_pack(
        replace(EMPTY_SOURCES, newest=live, known_counts=ConversationCounts(31, 1_200, compacted_through=19)),
        12_000,
        POLICY,
    )
    assert [message.index for message in pack.recent] == [3, *range(20, 30)]


def test_policies_do_not_change_a_small_pack() -> None:
    assert pack_for(dialogue(3, 40), 2_000, SMALL).recent == pack_for(dialogue(3, 40), 2_000, POLICY).recent
