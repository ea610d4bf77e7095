"""Random things that a pack may hold, and the packs made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import assume
from hypothesis import strategies as st

from apps.engine.compaction.segments import GROUP, LEVELS, Segment, SegmentText
from apps.engine.compaction.segments import NOTHING as NOTHING_TO_TELL
from apps.engine.messages.display import display_text
from apps.engine.messages.importance import importance
from apps.engine.messages.message import Message, Role
from apps.engine.pack.builder import build_pack
from apps.engine.pack.context_pack import ContextPack, ConversationCounts, PackPreferences, PackSources
from apps.engine.pack.key_messages import WeightedMessage
from apps.engine.pack.layers import Depth
from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.pack.retrieved import RetrievedItem
from apps.engine.pack.strategies import HistorySummaries
from apps.engine.policy import Policy
from apps.engine.summary.rolling_summary import RollingSummary
from tests.engine.conversations import (
    POLICY,
    SMALL,
    conversations,
    live_tokens,
    memories,
    pins,
    placed,
    says,
    short_texts,
    summaries,
)

NOTHING = PackSources("", (), (), RollingSummary(), ())
_SENTENCES = ("We decided to use Redis.", "Why does it fail?", "```\nx = 1\ny = 2\n```", "The error is a bug.", "owls ")

budgets = st.integers(0, 400) | st.integers(0, 6_000) | st.integers(0, 6_000)
policies = st.sampled_from([SMALL, SMALL, POLICY])
preferences = st.builds(PackPreferences, st.sampled_from(Depth), st.booleans())


def plain_talk(dice: Random, count: int, words: int) -> list[Message]:
    """User and assistant in turn, of any length up to so many words."""
    roles = (Role.USER, Role.ASSISTANT)
    return [
        says(roles[place % 2], " ".join(dice.choices(_SENTENCES, k=dice.randint(1, words)))) for place in range(count)
    ]


def segments_of(dice: Random, count: int) -> dict[Segment, SegmentText]:
    """Closed segments of so many messages: short ones, so that few messages make all levels. Some have no text."""
    found: dict[Segment, SegmentText] = {}
    first = ordinal = 0
    while (last := first + dice.randint(0, 5)) < count:
        found[Segment(1, ordinal)] = SegmentText(Segment(1, ordinal), first, last, _text(dice))
        first, ordinal = last + 1, ordinal + 1
    for level in range(2, LEVELS + 1):
        for place in range(ordinal // GROUP ** (level - 1)):
            parts = [found[child] for child in Segment(level, place).children]
            found[Segment(level, place)] = SegmentText(
                Segment(level, place), parts[0].first, parts[-1].last, _text(dice)
            )
    return found


def _text(dice: Random) -> str:
    chance = dice.random()
    if chance < 0.2:
        return "" if chance < 0.1 else NOTHING_TO_TELL
    return "s" * dice.randint(1, 400)


def weighted(dice: Random, live: Sequence[Message]) -> tuple[WeightedMessage, ...]:
    """The newest of them, some not read."""
    first = dice.choice([0, 0, len(live) // 2])
    return tuple(
        WeightedMessage(one.index, importance(display_text(one), one.role), one if dice.random() < 0.8 else None)
        for one in live[first:]
    )


def retrieved_items(dice: Random, count: int) -> tuple[RetrievedItem, ...]:
    """Memories and messages, some of which the pack shows already."""
    numbers = range(dice.randint(0, 3))
    memories = [RetrievedItem(f"n{place}", f"mem://user/events/{place}", _text(dice)) for place in numbers]
    places = dice.sample(range(count), k=dice.randint(0, count))
    messages = [RetrievedItem(f"m{place}", f"{place} Alice 2026-01-02", _text(dice), place) for place in places]
    return tuple(dice.sample([*memories, *messages], k=len(memories) + len(messages)))


@st.composite
def states(draw: st.DrawFn) -> PackSources:
    """A conversation at any time: a part of it folded, excluded or not read, told by segments or not."""
    dice = Random(draw(st.integers(0, 100_000)))
    plain = plain_talk(dice, draw(st.integers(0, 70)), dice.choice([3, 20]))
    return state_of(draw, dice, placed([*plain, *draw(conversations)]))


def state_of(draw: st.DrawFn, dice: Random, said: Sequence[Message]) -> PackSources:
    folded = draw(st.none() | st.integers(0, len(said)))
    excluded = draw(st.sampled_from([0.0, 0.0, 0.2]))
    live = [
        one
        for one in said
        if dice.random() >= (excluded if folded is None or one.index >= folded else 0.97)  # rarely taken in again
    ]
    unread = draw(st.just(0) | st.integers(0, max(0, len(live) - 1)))
    has_summaries = draw(st.integers(0, 4))
    history = (
        HistorySummaries(segments_of(dice, len(said)), weighted(dice, live)) if has_summaries else HistorySummaries()
    )
    return PackSources(
        system_prompt=draw(short_texts),
        user_memory=draw(memories),
        pins=draw(pins),
        summary=draw(summaries),
        newest=live[unread:],
        known_counts=ConversationCounts(len(said), live_tokens(live), folded - 1 if folded else None, unread),
        summaries=history,
        retrieved=retrieved_items(dice, len(said)),
        preferences=draw(preferences),
    )


# With nothing said of the conversation, all of it is at hand; the others are at any time of a longer one.
sources_of_any_kind = (
    st.builds(
        PackSources,
        system_prompt=short_texts,
        user_memory=memories,
        pins=pins,
        summary=summaries,
        newest=conversations,
        preferences=preferences,
    )
    | states()
    | states()
)


def packed(sources: PackSources, budget: int, policy: Policy = SMALL) -> ContextPack:
    """The pack, where the budget allows one at all."""
    try:
        return build_pack(sources, budget, policy)
    except BudgetExceeded:
        assume(False)
        raise


def of(messages: Sequence[Message], budget: int, policy: Policy = POLICY) -> ContextPack:
    return build_pack(replace(NOTHING, newest=messages), budget, policy)
