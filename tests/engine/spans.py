"""Spans of live messages with their summaries, and helpers that read a recent window."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from apps.engine.compaction.segments import GROUP, Segment, SegmentText
from apps.engine.messages.display import display_text
from apps.engine.messages.importance import importance
from apps.engine.messages.message import Message
from apps.engine.pack.key_messages import WeightedMessage
from apps.engine.pack.recent_window import wanted_tokens
from apps.engine.pack.strategies import (
    HistorySummaries,
    LiveSpan,
    RecentWindow,
    Strategy,
)
from apps.engine.policy import Policy
from tests.engine.conversations import POLICY, SMALL, indexed
from tests.engine.packs import plain_dialogue, random_segments, random_weighted

_GAP = re.compile(r"^\[… messages (\d+)–(\d+) left out …\]$", re.MULTILINE)
HIDING = [Strategy.WINDOWED, Strategy.COMPACTED, Strategy.MULTI_LEVEL]


@dataclass(frozen=True, slots=True)
class Case:
    """Live messages from any start, some excluded, with their summaries; drawn from a few numbers."""

    seed: int
    count: int
    compacted: int
    excluded: float

    def drawn(self) -> tuple[LiveSpan, HistorySummaries]:
        rng, begin = Random(self.seed), min(self.compacted, self.count)
        messages = indexed(plain_dialogue(rng, self.count, rng.choice([3, 20])))
        live = [message for message in messages[begin:] if rng.random() >= self.excluded]
        summaries = HistorySummaries(random_segments(rng, self.count), random_weighted(rng, live))
        return LiveSpan(begin, live, wanted_tokens(live, SMALL)), summaries


cases = st.builds(
    Case,
    seed=st.integers(0, 100_000),
    count=st.integers(1, 120),
    compacted=st.just(0) | st.integers(0, 120),
    excluded=st.sampled_from([0.0, 0.3]),
)


def live_span(messages: list[Message], policy: Policy = POLICY, begin: int = 0) -> LiveSpan:
    return LiveSpan(begin, messages, wanted_tokens(messages, policy))


def segments(count: int, characters: int = 780, size: int = 20) -> dict[Segment, SegmentText]:
    """`count` closed segments of level 1 and those of level 2 over them, each of `characters` characters."""
    spans = {Segment(1, at): (at * size, at * size + size - 1) for at in range(count)}
    spans |= {Segment(2, at): (at * size * GROUP, (at + 1) * size * GROUP - 1) for at in range(count // GROUP)}
    return {at: SegmentText(at, first, last, "s" * characters) for at, (first, last) in spans.items()}


def weights(messages: list[Message]) -> tuple[WeightedMessage, ...]:
    return tuple(
        WeightedMessage(message.index, importance(display_text(message), message.role), message) for message in messages
    )


def segment_spans(window: RecentWindow) -> list[range]:
    """The spans of the segments with a text; gap markers are skipped."""
    return [range(segment.first, segment.last + 1) for segment in window.earlier.segments if segment.text]


def key_indexes(window: RecentWindow) -> list[int]:
    return [int(message_id.removeprefix("m")) for message_id in window.earlier.keys.ids]


def gaps(text: str) -> list[range]:
    """The spans of message indexes named by the gap markers in the text."""
    return [range(int(first), int(last) + 1) for first, last in _GAP.findall(text)]
