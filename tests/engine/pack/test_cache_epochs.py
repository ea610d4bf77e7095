"""Cache epochs: consecutive packs share a stable prefix until the new messages no longer fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.compaction.segments import NOTHING as NO_CONTENT
from apps.engine.messages.message import Message, Role
from apps.engine.pack.arc import Density
from apps.engine.pack.builder import build_pack, pack_of_epoch
from apps.engine.pack.cache_epochs import begin_epoch
from apps.engine.pack.context_pack import ContextPack, ConversationCounts, PackSources
from apps.engine.pack.negotiation import BudgetExceeded
from apps.engine.pack.recent_window import newest_fitting
from apps.engine.pack.stable_prefix import pieces_of, stability
from apps.engine.pack.strategies import HistorySummaries, Strategy
from apps.engine.summary.rendering import MemoryItem, Pin
from apps.engine.summary.rolling_summary import Decision, Line, RollingSummary
from tests.engine.conversations import POLICY, SMALL, call, dialogue, indexed, live_tokens, result, sized
from tests.engine.packs import EMPTY_SOURCES, pack_for, plain_dialogue, random_segments, random_weighted

_CHANGING = 4


@dataclass(frozen=True, slots=True)
class Walk:
    """A growing conversation, loaded as a server does it: the newest messages up to the budget."""

    seed: int
    before: int
    turns: int
    budget: int
    words: int
    dense: bool

    def sources(self) -> Iterator[PackSources]:
        """Yield the sources after each message, first with the user's message and then with the reply."""
        rng = Random(self.seed)
        messages = indexed(self._messages(rng))
        compacted = rng.choice([0, self.before // 2])
        summaries = HistorySummaries(
            random_segments(rng, self.before), random_weighted(rng, messages[compacted : self.before])
        )
        whole = PackSources(
            "Be brief.", self._memory(), (Pin("p", "decision", "Redis"),), self._summary(), messages, None, summaries
        )
        for count in range(self.before + 1, len(messages) + 1):
            yield replace(whole, **self._loaded(messages[compacted:count], count, compacted))

    def _messages(self, rng: Random) -> Iterator[Message]:
        yield from plain_dialogue(rng, self.before, self.words)
        for turn in plain_dialogue(rng, 2 * self.turns, self.words):
            yield turn
            if turn.role is Role.ASSISTANT and rng.random() < 0.2:
                yield from (call(f"c{rng.random()}"), result("c", "found\n" * rng.randint(1, 400)))

    def _loaded(self, live: Sequence[Message], count: int, compacted: int) -> dict[str, object]:
        first, tokens = len(live), 0
        while first and tokens <= self.budget:
            first -= 1
            tokens += live[first].token_count
        return {
            "newest": live[first:],
            "known_counts": ConversationCounts(
                count, live_tokens(live, SMALL), compacted - 1 if compacted else None, first
            ),
        }

    def _summary(self) -> RollingSummary:
        lines = tuple(Line(f"goal {place}", (f"m{place}",)) for place in range(3 if self.dense else 0))
        last = self.before - 1
        return RollingSummary(goals=lines, decisions=(Decision("Redis", "it is fast", (f"m{last}",)),))

    def _memory(self) -> tuple[MemoryItem, ...]:
        return (MemoryItem("u", "fact", "tone", "calm"),) if self.dense else ()

    def packs(self) -> Iterator[tuple[PackSources, ContextPack, ContextPack | None]]:
        """Yield each pack with its sources and the previous pack, if one could be built."""
        before: ContextPack | None = None
        for sources in self.sources():
            try:
                pack = build_pack(sources, self.budget, SMALL, before.epoch if before else None)
            except BudgetExceeded:
                before = None
                continue
            yield sources, pack, before
            before = pack


walks = st.builds(
    Walk,
    seed=st.integers(0, 100_000),
    before=st.integers(0, 60),
    turns=st.integers(1, 12),
    budget=st.integers(300, 6_000),
    words=st.sampled_from([3, 12, 60]),
    dense=st.booleans(),
)


def ids(messages: Sequence[Message]) -> list[str]:
    return [message.id for message in messages]


# Invariants on random conversations.


@given(walks)
def test_an_epoch_keeps_the_stable_prefix_byte_for_byte(walk: Walk) -> None:
    for _, pack, before in walk.packs():
        if before and pack.epoch is before.epoch:
            assert pack.sections == before.sections
            assert {part: pack.tokens[part] for part in pack.sections} == {
                part: before.tokens[part] for part in before.sections
            }


@given(walks)
def test_during_an_epoch_the_recent_messages_only_grow(walk: Walk) -> None:
    """The newest messages may be shortened once they are no longer the newest."""
    for _, pack, before in walk.packs():
        if before and pack.epoch is before.epoch:
            assert ids(pack.recent)[: len(before.recent)] == ids(before.recent)
            settled = max(0, len(before.recent) - _CHANGING)
            assert pack.recent[:settled] == before.recent[:settled]


@given(walks)
def test_no_pack_of_an_epoch_exceeds_the_budget_or_omits_silently(walk: Walk) -> None:
    for sources, pack, _ in walk.packs():
        assert pack.total_tokens <= walk.budget
        assert pack.coverage.live == sources.counts.unread + len(sources.earlier)
        hidden = {message.index for message in sources.earlier} - {message.index for message in pack.recent}
        assert all(index < (pack.omitted.messages_before or 0) for index in hidden)
        assert set(ids(pack.recent)) <= set(ids(sources.earlier))


@given(walks)
def test_a_new_epoch_leaves_a_fifth_of_its_window_free_unless_everything_fits_or_only_the_newest_does(
    walk: Walk,
) -> None:
    for sources, pack, before in walk.packs():
        if (before and pack.epoch is before.epoch) or pack.epoch.strategy is Strategy.FULL or len(pack.recent) == 1:
            continue
        since = sources.earlier[len(sources.earlier) - len(pack.recent) :]
        available = pack.epoch.history_tokens - pack.earlier.tokens
        assert len(newest_fitting(since, available * 4 // 5, SMALL)) == len(since)


@given(walks)
def test_a_new_epoch_starts_only_if_the_old_one_cannot_continue(walk: Walk) -> None:
    for sources, pack, before in walk.packs():
        if before and pack.epoch is not before.epoch:
            assert pack_of_epoch(sources, before.epoch, walk.budget, SMALL) is None
            # The window never moves back, unless all messages fit: a summarized one is not shown in full again.
            assert pack.epoch.start >= before.epoch.start or pack.epoch.strategy is Strategy.FULL


@given(walks, st.data())
def test_an_excluded_message_never_reappears_with_a_stored_epoch(walk: Walk, data: st.DataObject) -> None:
    for sources, pack, _ in walk.packs():
        if not pack.recent:
            continue
        removed = data.draw(st.sampled_from(pack.recent)).id
        newest = [message for message in sources.newest if message.id != removed]
        rebuilt = pack_of_epoch(replace(sources, newest=newest), pack.epoch, walk.budget, SMALL)
        assert rebuilt is None or removed not in ids(rebuilt.recent)
        return


@given(st.integers(0, 100_000), st.integers(1, 100), st.integers(0, 60), st.integers(0, 20), st.integers(0, 6_000))
def test_each_message_covered_by_a_segment_counts_as_summarized(
    seed: int, count: int, compacted: int, unread: int, budget: int
) -> None:
    rng = Random(seed)
    # Exclusions among messages that were not loaded are unknown.
    excluded = 0.0 if unread else 0.3
    live = [message for message in indexed(plain_dialogue(rng, count, 20))[compacted:] if rng.random() >= excluded]
    loaded = live[min(unread, max(0, len(live) - 1)) :]
    counts = ConversationCounts(
        count, live_tokens(live, SMALL), compacted - 1 if compacted else None, len(live) - len(loaded)
    )
    summaries = HistorySummaries(random_segments(rng, count), random_weighted(rng, live))
    epoch = begin_epoch(
        replace(EMPTY_SOURCES, newest=loaded, known_counts=counts, summaries=summaries), budget + 1_000, SMALL
    )
    spans = [
        range(segment.first, segment.last + 1)
        for segment in epoch.earlier.segments
        if segment.text not in ("", NO_CONTENT)
    ]
    summarized = {index for span in spans for index in span}
    assert epoch.summarized == sum(message.index in summarized for message in live if message.index < epoch.start)


# By example.


def test_nearly_all_of_each_pack_is_a_cache_hit() -> None:
    messages = dialogue(261, 100)
    first = pack_for(messages[:201], 4_000)
    second = build_pack(replace(EMPTY_SOURCES, newest=messages[:203]), 4_000, POLICY, first.epoch)
    assert second.epoch is first.epoch
    # All but the previous current message is unchanged.
    stable = stability(pieces_of(first)[:-1], pieces_of(second))
    assert stable.share == 1.0
    assert [message.id for message in second.recent[-2:]] == ["m200", "m201"]


def test_an_epoch_lasts_for_as_many_turns_as_a_quarter_of_the_window_takes() -> None:
    messages, epoch, epoch_starts = dialogue(401, 100), None, []
    for count in range(201, 402, 2):
        pack = build_pack(replace(EMPTY_SOURCES, newest=messages[:count]), 4_000, POLICY, epoch)
        if pack.epoch is not epoch:
            epoch_starts.append(count)
        epoch = pack.epoch
    lengths = {later - earlier for earlier, later in pairwise(epoch_starts)}
    # A window of about 2,000 tokens: 5 messages of 100 fit into a quarter of it.
    assert lengths <= {6, 8, 10}


def test_a_longer_current_message_leaves_less_for_the_window_and_ends_the_epoch() -> None:
    messages = dialogue(200, 100)
    first = pack_for([*messages, sized(Role.USER, 50, 200)], 4_000)
    long = replace(EMPTY_SOURCES, newest=[*messages, sized(Role.USER, 2_500, 200)])
    assert pack_of_epoch(long, first.epoch, 4_000, POLICY) is None
    assert build_pack(long, 4_000, POLICY, first.epoch).total_tokens <= 4_000


def test_a_current_message_too_large_for_the_stable_prefix_ends_the_epoch() -> None:
    memory = (MemoryItem("a", "fact", "life", "x" * 400),)
    empty = replace(EMPTY_SOURCES, system_prompt="x" * 400, user_memory=memory)
    epoch = build_pack(empty, 1_000, POLICY).epoch
    pack = build_pack(replace(empty, newest=(sized(Role.USER, 850, 0),)), 1_000, POLICY, epoch)
    assert pack.total_tokens <= 1_000
    assert pack.omitted.user_memory == ("a",)


def test_an_epoch_ends_if_its_window_was_not_fully_loaded() -> None:
    messages = dialogue(40, 100)
    epoch = pack_for(messages, 12_000).epoch
    loaded = replace(EMPTY_SOURCES, newest=messages[10:], known_counts=ConversationCounts(40, 4_000, None, unread=10))
    assert pack_of_epoch(loaded, epoch, 12_000, POLICY) is None
    restarted = build_pack(loaded, 12_000, POLICY, epoch).epoch
    assert restarted.hidden == restarted.start >= 10


def test_unloaded_messages_are_marked_even_with_free_tokens() -> None:
    messages = dialogue(40, 100)
    loaded = replace(EMPTY_SOURCES, newest=messages[10:], known_counts=ConversationCounts(40, 4_000, None, unread=10))
    pack = build_pack(loaded, 100_000, POLICY)
    assert (pack.epoch.strategy, pack.coverage.dropped) == (Strategy.WINDOWED, 10)
    assert pack.earlier.text == "[… messages 0–9 left out …]"
    alone = replace(
        loaded, newest=[sized(Role.USER, 100, 40)], known_counts=ConversationCounts(41, 4_100, None, unread=40)
    )
    assert build_pack(alone, 100_000, POLICY).earlier.text == "[… messages 0–39 left out …]"


def test_an_epoch_ends_if_only_the_current_message_was_loaded() -> None:
    messages = dialogue(40, 100)
    epoch = pack_for(messages, 12_000).epoch
    loaded = replace(
        EMPTY_SOURCES,
        newest=[sized(Role.USER, 9_000, 40)],
        known_counts=ConversationCounts(41, 13_000, None, unread=40),
    )
    assert pack_of_epoch(loaded, epoch, 12_000, POLICY) is None
    pack = build_pack(loaded, 12_000, POLICY, epoch)
    assert (pack.omitted.messages_before, pack.coverage.dropped) == (40, 40)


def test_a_line_covered_by_the_current_message_does_not_reappear_after_its_reply() -> None:
    summary = RollingSummary(decisions=(Decision("Redis", "it is fast", ("m4",)),))
    sources = replace(EMPTY_SOURCES, summary=summary, newest=dialogue(5, 100))
    first = build_pack(sources, 4_000, POLICY)
    second = build_pack(replace(sources, newest=dialogue(7, 100)), 4_000, POLICY, first.epoch)
    assert second.epoch is first.epoch
    assert first.sections == second.sections
    assert first.omitted.summary_lines == tuple(summary.entries())


@pytest.mark.parametrize(
    ("messages", "budget", "strategy", "density"),
    [
        (40, 12_000, Strategy.FULL, Density.LIGHT),
        (200, 12_000, Strategy.WINDOWED, Density.LIGHT),
        (200, 4_000, Strategy.COMPACTED, Density.RICH),
        (400, 4_000, Strategy.MULTI_LEVEL, Density.DENSE),
    ],
)
def test_the_arc_is_denser_the_more_messages_are_hidden(
    messages: int, budget: int, strategy: Strategy, density: Density
) -> None:
    epoch = pack_for(dialogue(messages, 100), budget).epoch
    assert (epoch.strategy, epoch.density) == (strategy, density)
