"""Strategies for the history layer of a pack: full, windowed, compacted and multi-level.

The newest live messages are included verbatim in a window. Older ones are represented by segment summaries or by key
messages. Each part has a share of the tokens, and the window gets what the others leave. Seed 003.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain

from apps.engine.compaction.segments import TARGET_TOKENS, Segment, SegmentText, cover_of, omission_marker, segment_text
from apps.engine.messages.message import Message
from apps.engine.pack.key_messages import KeyMessages, WeightedMessage, key_messages
from apps.engine.pack.recent_window import cost_of, from_whole_exchange, newest_fitting
from apps.engine.policy import Policy
from apps.engine.summary.digest import digest_again, quotes
from apps.engine.summary.rendering import BETWEEN_SECTIONS, HEADINGS, section_tokens


class Strategy(StrEnum):
    FULL = "full"
    WINDOWED = "windowed"
    COMPACTED = "compacted"
    MULTI_LEVEL = "multi_level"


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of the history tokens in percent: for the window, for summaries, for key messages."""

    window: int
    summaries: int
    keys: int = 0


SHARES = {
    Strategy.WINDOWED: Shares(70, 30),
    Strategy.COMPACTED: Shares(65, 10, 25),
    Strategy.MULTI_LEVEL: Shares(70, 30),
}
_MAX_RATIO = {Strategy.WINDOWED: 2.5, Strategy.COMPACTED: 8.0}
# Share of the live messages, oldest first, for which no key messages are selected.
_SUMMARY_ONLY_PERCENT = 40
INITIAL_FILL = 0.75
"""A new window leaves a quarter of its tokens free, so that its start stays the same for a while."""
# Its start moves forward to a segment boundary if the window stays at least this full.
_MIN_FILL_AFTER_SNAP = 0.9
_GAP_TOKENS = 12
# One gap marker before the segments, and one after or between them.
_MAX_GAPS = 2
NO_LIMIT = 10**9
"""A token limit that no content reaches."""

# A shorter digest of several segments would carry little information.
_MIN_TEXT_TOKENS = 60
# Placeholder segment for messages before the window that no closed segment covers yet.
_OPEN = Segment(1, -1)


@dataclass(frozen=True, slots=True)
class HistorySummaries:
    """Material that can represent messages which are not included verbatim.

    `segments` are the known segments with their summaries; `weighted` are the newest live messages, oldest first, up to
    the limit of rows that may be read.
    """

    segments: Mapping[Segment, SegmentText] = field(default_factory=dict)
    weighted: Sequence[WeightedMessage] = ()


@dataclass(frozen=True, slots=True)
class LiveSpan:
    """The live messages from the index `begin` on, before the current one.

    `earlier` are the newest of them, oldest first; the span is `complete` if they are all of them. `tokens` is the cost
    of all of them; `current` is the index of the current message.
    """

    begin: int
    earlier: Sequence[Message]
    tokens: int
    complete: bool = True
    current: int = 0

    @property
    def end(self) -> int:
        return self.earlier[-1].index + 1 if self.earlier else max(self.begin, self.current)

    def hides(self, gap: range) -> bool:
        """Whether the gap contains a live message; messages that were not loaded count as live."""
        unread = range(self.begin, 0 if self.complete else self.earlier[0].index if self.earlier else self.end)
        lies_in_unread = max(gap.start, unread.start) < min(gap.stop, unread.stop)
        return lies_in_unread or any(message.index in gap for message in self.earlier)


@dataclass(frozen=True, slots=True)
class HistoryContent:
    """Representation of the messages before the window.

    `omitted` are the indexes of the oldest messages, which nothing represents. An entry of `segments` without a text
    marks a gap after other segments.
    """

    segments: tuple[SegmentText, ...] = ()
    keys: KeyMessages = field(default_factory=KeyMessages)
    omitted: range = range(0)

    @property
    def text(self) -> str:
        return BETWEEN_SECTIONS.join(part for part in (self._segments_text, self._keys_text) if part)

    @property
    def tokens(self) -> int:
        return section_tokens(self.text)

    @property
    def _segments_text(self) -> str:
        heading = [HEADINGS["earlier"]] if any(one.has_content for one in self.segments) else []
        gap = [omission_marker(self.omitted[0], self.omitted[-1])] if self.omitted else []
        return "\n".join([*heading, *gap, *segment_lines(self.segments)])

    @property
    def _keys_text(self) -> str:
        return f"{HEADINGS['key_messages']}\n{self.keys.text}" if self.keys.text else ""


@dataclass(frozen=True, slots=True)
class RecentWindow:
    """The window of verbatim messages, which starts at the message index `start`, and the content before it."""

    strategy: Strategy
    start: int
    earlier: HistoryContent = field(default_factory=HistoryContent)


def strategy_of(span: LiveSpan, grant: int, budget: int) -> Strategy:
    """Choose the strategy by the ratio of live tokens to the budget; `FULL` if everything was loaded and fits.

    >>> [strategy_of(LiveSpan(0, (), tokens), 2_400, 4_000).value for tokens in (2_400, 10_000, 32_000, 32_001)]
    ['full', 'windowed', 'compacted', 'multi_level']
    """
    if span.complete and span.tokens <= grant:
        return Strategy.FULL
    ratio = span.tokens / max(1, budget)
    return next((strategy for strategy, limit in _MAX_RATIO.items() if ratio <= limit), Strategy.MULTI_LEVEL)


def window_of(
    span: LiveSpan, strategy: Strategy, summaries: HistorySummaries, grant: int, policy: Policy
) -> RecentWindow:
    """Place the start of the window and fill the content before it, together in at most `grant` tokens."""
    if strategy is Strategy.FULL:
        return RecentWindow(strategy, span.earlier[0].index if span.earlier else span.end)
    shares = SHARES[strategy]
    budgets = _Budgets(grant * shares.summaries // 100, grant * shares.keys // 100)
    plan = _Plan(span, strategy, summaries, policy)
    start = plan.start(grant - budgets.summaries - budgets.keys)
    budgets = budgets.reduced_to(plan.before(start, budgets))
    start = plan.start(grant - budgets.summaries - budgets.keys)
    if start == span.end and newest_fitting(span.earlier[-1:], grant, policy):
        # The newest message is worth more than what represents the others.
        return RecentWindow(strategy, span.earlier[-1].index)
    return RecentWindow(strategy, start, plan.before(start, budgets))


def window_start(span: LiveSpan, budget: int, policy: Policy) -> int:
    """Index of the oldest message of a window of `budget` tokens."""
    shown = _shown(span, budget, policy)
    return shown[0].index if shown else span.end


def compacted_segments(summaries: HistorySummaries, end: int, share: int) -> tuple[SegmentText, ...]:
    """Select segments that end before the index `end`, as fine as `share` tokens allow, heading included."""
    ended = {segment: text for segment, text in summaries.segments.items() if text.last < end}
    return _newest_of(ended, share - section_tokens(HEADINGS["segments"]))


def segments_text(segments: Sequence[SegmentText]) -> str:
    lines = segment_lines(segments)
    return "\n".join([HEADINGS["segments"], *lines]) if lines else ""


def segment_lines(segments: Sequence[SegmentText]) -> list[str]:
    text = "".join(map(segment_text, segments)).rstrip()
    return [text] if text else []


@dataclass(frozen=True, slots=True)
class _Budgets:
    """Token budgets for the content before the window, headings included."""

    summaries: int
    keys: int

    def reduced_to(self, earlier: HistoryContent) -> _Budgets:
        """The tokens used plus the reserve for gap markers and rounding, so that the same content is chosen again."""
        summaries = replace(earlier, keys=KeyMessages()).tokens
        keys = earlier.tokens - summaries
        return _Budgets(
            min(self.summaries, summaries + _MAX_GAPS * _GAP_TOKENS + len(earlier.segments) + 1),
            min(self.keys, keys + _GAP_TOKENS * (len(earlier.keys.ids) + 1)),
        )


@dataclass(frozen=True, slots=True)
class _Plan:
    span: LiveSpan
    strategy: Strategy
    summaries: HistorySummaries
    policy: Policy

    def start(self, budget: int) -> int:
        """Start index of a window of `budget` tokens, partly left free and moved to a near segment boundary."""
        target = int(budget * INITIAL_FILL)
        shown = _shown(self.span, target, self.policy)
        costs = [cost_of(message, self.policy) for message in shown]
        begins, left = {end + 1 for end in self._closed_ends()}, sum(costs)
        for message, cost in zip(_newest(self.span, len(shown)), costs, strict=True):
            if left < target * _MIN_FILL_AFTER_SNAP:
                break
            if message.index in begins and not message.results:
                return message.index
            left -= cost
        return shown[0].index if shown else self.span.end

    def before(self, start: int, budgets: _Budgets) -> HistoryContent:
        if self.strategy is not Strategy.COMPACTED:
            segments = self._layered(start, self._text_budget(budgets.summaries))
            return self._with_gaps(segments, start, budgets.summaries)
        middle = self._middle(start)
        weighted = [one for one in self.summaries.weighted if middle <= one.index < start]
        keys = key_messages(weighted, budgets.keys - section_tokens(HEADINGS["key_messages"]))
        segments = self._condensed(middle, self._text_budget(budgets.summaries))
        first = next((one.index for one in weighted if one.message and one.message.id in keys.ids), start)
        return replace(self._with_gaps(segments, first, budgets.summaries), keys=keys)

    def _text_budget(self, budget: int) -> int:
        return budget - section_tokens(HEADINGS["earlier"]) - _MAX_GAPS * _GAP_TOKENS

    def _with_gaps(self, segments: tuple[SegmentText, ...], end: int, budget: int) -> HistoryContent:
        """Add gap markers for messages before the index `end` without a segment summary, if the budget allows any."""
        if budget < _GAP_TOKENS:
            return HistoryContent()
        begins = [self.span.begin, *(one.last + 1 for one in segments)]
        ends = [*(one.first for one in segments), end]
        omitted, *gaps = (gap if self.span.hides(gap) else range(0) for gap in map(range, begins, ends))
        marked = ((one, *_gap_marker(gap)) for one, gap in zip(segments, gaps, strict=True))
        return HistoryContent(tuple(chain.from_iterable(marked)), omitted=omitted)

    def _layered(self, end: int, budget: int) -> tuple[SegmentText, ...]:
        """Represent near messages by their segments and quotes of open ones, and far messages by one short digest."""
        loose = self._open_messages(end, budget)
        near = (*self._closed_segments(end, budget - _tokens(loose)), *loose)
        left = budget - _tokens(near)
        far = self._condensed(near[0].first if near else end, left) if left >= _MIN_TEXT_TOKENS else ()
        return (*far, *near)

    def _condensed(self, end: int, budget: int) -> tuple[SegmentText, ...]:
        """Condense all segments into one short digest if they do not fit individually."""
        segments = self._closed_segments(end, NO_LIMIT)
        if not segments or _tokens(segments) <= budget:
            return segments
        texts = [one.text for one in segments if one.has_content]
        span = range(segments[0].first, segments[-1].last + 1)
        return _digest_within(budget, span, lambda limit: digest_again(texts, limit))

    def _closed_segments(self, end: int, budget: int) -> tuple[SegmentText, ...]:
        """Select closed segments that end before the index `end`.

        A level-1 segment may start among compacted messages.
        """
        ended = {segment: text for segment, text in self.summaries.segments.items() if text.last < end}
        return _newest_of({segment: text for segment, text in ended.items() if self._is_in_span(text)}, budget)

    def _is_in_span(self, text: SegmentText) -> bool:
        return (text.last if text.segment.level == 1 else text.first) >= self.span.begin

    def _open_messages(self, end: int, budget: int) -> tuple[SegmentText, ...]:
        """Quote the messages after the last closed segment that ends before the index `end`."""
        closed = max((last + 1 for last in self._closed_ends() if last < end), default=self.span.begin)
        loose = [message for message in self.span.earlier if closed <= message.index < end]
        if not loose:
            return ()
        span = range(loose[0].index, loose[-1].index + 1)
        return _digest_within(budget, span, lambda limit: quotes(loose, min(limit, TARGET_TOKENS[1])))

    def _middle(self, start: int) -> int:
        """Index where the summary-only messages end: a segment boundary before `start`."""
        begin = self.span.begin
        wanted = min(start, begin + (self.span.end - begin) * _SUMMARY_ONLY_PERCENT // 100)
        return max((last + 1 for last in self._closed_ends() if begin <= last < wanted), default=begin)

    def _closed_ends(self) -> list[int]:
        return [text.last for segment, text in self.summaries.segments.items() if segment.level == 1]


def _shown(span: LiveSpan, budget: int, policy: Policy) -> list[Message]:
    """The newest messages that fit into a window of `budget` tokens.

    An excerpt has no parts, so the stored messages decide where a tool exchange starts.
    """
    fits = newest_fitting(span.earlier, budget, policy)
    whole = from_whole_exchange(_newest(span, len(fits)), policy)
    return fits[len(fits) - len(whole) :]


def _newest(span: LiveSpan, count: int) -> list[Message]:
    """The newest messages as stored, without excerpts."""
    return list(span.earlier[len(span.earlier) - count :])


def _gap_marker(gap: range) -> tuple[SegmentText, ...]:
    return (SegmentText(_OPEN, gap[0], gap[-1], ""),) if gap else ()


def _digest_within(budget: int, span: range, write: Callable[[int], str]) -> tuple[SegmentText, ...]:
    """Write the longest digest that fits into `budget` tokens together with its frame."""
    frame = SegmentText(_OPEN, span[0], span[-1], "…")
    limit = budget - frame.tokens
    while limit > 0 and (text := write(limit)):
        framed = replace(frame, text=text)
        if framed.tokens <= budget:
            return (framed,)
        limit -= framed.tokens - budget
    return ()


def _tokens(segments: Iterable[SegmentText]) -> int:
    return sum(one.tokens for one in segments)


def _newest_of(segments: Mapping[Segment, SegmentText], budget: int) -> tuple[SegmentText, ...]:
    """As many of the newest segments as fit, the nearest at the finest level."""
    ordinals = [segment.ordinal for segment in segments if segment.level == 1]
    return cover_of(segments, range(max(ordinals) + 1), budget) if ordinals else ()
