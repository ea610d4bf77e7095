"""Random sources of packs, and packs built from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import assume
from hypothesis import strategies as st

from apps.engine.compaction.segments import GROUP, LEVELS, Segment, SegmentText
from apps.engine.compaction.segments import NOTHING as NO_CONTENT
from apps.engine.messages.display import display_text
from apps.engine.messages.importance import importance
from apps.engine.messages.message import Message, Role
from apps.engine.pack.builder import build_pack
from apps.engine.pack.context_pack import ContextPack, ConversationCounts, PackPreferences, PackSources
from apps.engine.pack.key_messages import WeightedMessage
from apps.engine.pack.layers import Depth
from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.pack.profile import ProfileMemory
from apps.engine.pack.retrieved import RetrievedItem
from apps.engine.pack.strategies import HistorySummaries
from apps.engine.policy import Policy
from apps.engine.summary.rolling_summary import RollingSummary
from tests.engine.conversations import (
    POLICY,
    SMALL,
    conversations,
    indexed,
    live_tokens,
    memories,
    pins,
    short_texts,
    summaries,
    text_message,
)

EMPTY_SOURCES = PackSources("", (), (), RollingSummary(), ())
_SENTENCES = ("We decided to use Redis.", "Why does it fail?", "```\nx = 1\ny = 2\n```", "The error is a bug.", "owls ")

budgets = st.integers(0, 400) | st.integers(0, 6_000) | st.integers(0, 6_000)
policies = st.sampled_from([SMALL, SMALL, POLICY])
preferences = st.builds(PackPreferences, st.sampled_from(Depth), st.booleans())


def plain_dialogue(rng: Random, count: int, words: int) -> list[Message]:
    """Alternating messages of user and assistant, each of up to `words` sentences."""
    roles = (Role.USER, Role.ASSISTANT)
    return [
        text_message(roles[index % 2], " ".join(rng.choices(_SENTENCES, k=rng.randint(1, words))))
        for index in range(count)
    ]


def random_segments(rng: Random, count: int) -> dict[Segment, SegmentText]:
    """Closed segments over `count` messages, short enough to reach all levels; some have no text."""
    segments: dict[Segment, SegmentText] = {}
    first = ordinal = 0
    while (last := first + rng.randint(0, 5)) < count:
        segments[Segment(1, ordinal)] = SegmentText(Segment(1, ordinal), first, last, _text(rng))
        first, ordinal = last + 1, ordinal + 1
    for level in range(2, LEVELS + 1):
        for index in range(ordinal // GROUP ** (level - 1)):
            parts = [segments[child] for child in Segment(level, index).children]
            segments[Segment(level, index)] = SegmentText(
                Segment(level, index), parts[0].first, parts[-1].last, _text(rng)
            )
    return segments


def _text(rng: Random) -> str:
    chance = rng.random()
    if chance < 0.2:
        return "" if chance < 0.1 else NO_CONTENT
    return "s" * rng.randint(1, 400)


def random_weighted(rng: Random, live: Sequence[Message]) -> tuple[WeightedMessage, ...]:
    """Weigh all messages or the newer half; some are not loaded."""
    first = rng.choice([0, 0, len(live) // 2])
    return tuple(
        WeightedMessage(
            message.index, importance(display_text(message), message.role), message if rng.random() < 0.8 else None
        )
        for message in live[first:]
    )


def profile_memories(rng: Random, prefix: str) -> tuple[ProfileMemory, ...]:
    """Memories of one line or many, some of which are retrieved too."""
    texts = ("\n".join(_text(rng) for _ in range(rng.choice([1, 1, 4]))) for _ in range(rng.randint(0, 5)))
    return tuple(
        ProfileMemory(f"{prefix}{index}", f"mem://user/profile/{prefix}{index}", text, rng.choice(["", "short"]))
        for index, text in enumerate(texts)
    )


def retrieved_items(rng: Random, count: int) -> tuple[RetrievedItem, ...]:
    """Memories and messages, some of which are already in the pack, and messages of other conversations."""
    numbers = range(rng.randint(0, 3))
    memories = [RetrievedItem(f"n{index}", f"mem://user/events/{index}", _text(rng)) for index in numbers]
    indexes = rng.sample(range(count), k=rng.randint(0, count))
    messages = [RetrievedItem(f"m{index}", f"{index} Alice 2026-01-02", _text(rng), index) for index in indexes]
    others = [
        RetrievedItem(f"o{index}", "“Rome”, Alice 2026-01-02", _text(rng), index, conversation_id=f"c{index % 2}")
        for index in range(rng.randint(0, 4))
    ]
    items = [*memories, *messages, *others]
    return tuple(rng.sample(items, k=len(items)))


@st.composite
def pack_states(draw: st.DrawFn) -> PackSources:
    """A conversation in any state: partly compacted, excluded or not loaded, with or without segment summaries."""
    rng = Random(draw(st.integers(0, 100_000)))
    plain = plain_dialogue(rng, draw(st.integers(0, 70)), rng.choice([3, 20]))
    return draw_sources(draw, rng, indexed([*plain, *draw(conversations)]))


def draw_sources(draw: st.DrawFn, rng: Random, messages: Sequence[Message]) -> PackSources:
    compacted = draw(st.none() | st.integers(0, len(messages)))
    excluded = draw(st.sampled_from([0.0, 0.0, 0.2]))
    live = [
        message
        for message in messages
        if rng.random()
        >= (excluded if compacted is None or message.index >= compacted else 0.97)  # rarely included again
    ]
    unread = draw(st.just(0) | st.integers(0, max(0, len(live) - 1)))
    first_read = draw(st.integers(0, 20))
    has_summaries = draw(st.integers(0, 4))
    history = (
        HistorySummaries(random_segments(rng, len(messages)), random_weighted(rng, live))
        if has_summaries
        else HistorySummaries()
    )
    return PackSources(
        system_prompt=draw(short_texts),
        user_memory=draw(memories),
        pins=draw(pins),
        summary=draw(summaries),
        newest=live[unread:],
        known_counts=ConversationCounts(len(messages), live_tokens(live), compacted - 1 if compacted else None, unread),
        summaries=history,
        retrieved=retrieved_items(rng, len(messages)),
        preferences=draw(preferences),
        identity=profile_memories(rng, "n"),
        preference_memories=profile_memories(rng, "p"),
        topics=profile_memories(rng, "t"),
        entities=[
            replace(one, address=f"mem://user/entities/e{index % 2}/{one.id}")
            for index, one in enumerate(profile_memories(rng, "e"))
        ],
        compacted=[] if unread else [one for one in messages[first_read : compacted or 0] if one not in live],
    )


# Sources without known counts have the whole conversation loaded; the others are in any state of a longer one.
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
    | pack_states()
    | pack_states()
)


def packed(sources: PackSources, budget: int, policy: Policy = SMALL) -> ContextPack:
    """Build the pack, or discard the example if the budget is too small for any."""
    try:
        return build_pack(sources, budget, policy)
    except BudgetExceeded:
        assume(False)
        raise


def pack_for(messages: Sequence[Message], budget: int, policy: Policy = POLICY) -> ContextPack:
    return build_pack(replace(EMPTY_SOURCES, newest=messages), budget, policy)
