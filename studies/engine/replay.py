"""Replay of a conversation without a database, with compaction, segments and packs as in the product."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apps.engine.compaction.plan import live_tokens
from apps.engine.compaction.segments import TARGET_TOKENS, Segment, SegmentText, closed_spans, ending_with
from apps.engine.messages.display import display_text
from apps.engine.messages.importance import importance
from apps.engine.messages.message import Message, Role
from apps.engine.pack.builder import build_pack
from apps.engine.pack.context_pack import ContextPack, ConversationCounts, Epoch, PackSources
from apps.engine.pack.key_messages import WeightedMessage
from apps.engine.pack.strategies import HistorySummaries
from apps.engine.policy import Policy
from apps.engine.summary.digest import digest, digest_again
from apps.engine.summary.extractive import summarize
from apps.engine.summary.rolling_summary import RollingSummary
from apps.engine.tokens.estimate import estimate_message
from studies.engine.simulation import next_compaction


@dataclass(slots=True)
class Replay:
    """The state of one conversation; `runs` counts its compactions."""

    policy: Policy
    messages: list[Message] = field(default_factory=list)
    live: list[Message] = field(default_factory=list)
    summary: RollingSummary = field(default_factory=RollingSummary)
    compacted_through: int | None = None
    segments: dict[Segment, SegmentText] = field(default_factory=dict)
    runs: int = 0

    def add(self, role: Role, content: str, name: str = "") -> Message:
        """Append a message; after a reply, run all compactions that are due."""
        message = _message(len(self.messages), role, content, name)
        self.messages.append(message)
        self.live.append(message)
        self._close_segments()
        while role is Role.ASSISTANT and (batch := next_compaction(self.live, len(self.messages), self.policy)):
            self._compact(batch)
        return message

    def pack(self, budget: int, epoch: Epoch | None = None, question: str = "") -> ContextPack:
        """Build the current pack, with the question as the current message if there is one."""
        return build_pack(self.sources(question), budget, self.policy, epoch)

    def sources(self, question: str = "") -> PackSources:
        question_messages = self._question_message(question)
        newest = (*self.live, *question_messages)
        counts = ConversationCounts(
            len(self.messages) + len(question_messages), live_tokens(newest, self.policy), self.compacted_through
        )
        weighted = tuple(WeightedMessage(one.index, importance(display_text(one), one.role), one) for one in self.live)
        live_ids = {message.id for message in self.live}
        compacted = tuple(message for message in self.messages if message.id not in live_ids)
        summaries = HistorySummaries(self.segments, weighted)
        return PackSources("", (), (), self.summary, newest, counts, summaries, compacted)

    def window(self, question: str = "") -> PackSources:
        """All messages, for a pack without summaries."""
        return PackSources("", (), (), RollingSummary(), (*self.messages, *self._question_message(question)))

    def _question_message(self, question: str) -> Sequence[Message]:
        return [_message(len(self.messages), Role.USER, question, "")] if question else []

    def _compact(self, batch: Sequence[Message]) -> None:
        level = self.policy.level_for(live_tokens(self.live, self.policy))
        self.summary = summarize(self.summary, batch, level, self.policy)
        self.compacted_through = max(message.index for message in batch)
        compacted_ids = {message.id for message in batch}
        self.live = [message for message in self.live if message.id not in compacted_ids]
        self.runs += 1

    def _close_segments(self) -> None:
        known = [text for segment, text in self.segments.items() if segment.level == 1]
        first = max((text.last + 1 for text in known), default=0)
        for span in closed_spans([message.token_count for message in self.messages[first:]], first):
            closed, *parents = ending_with(len(known))
            text = digest(self.messages[span.start : span.stop], TARGET_TOKENS[1], self.policy)
            self.segments[closed] = SegmentText(closed, span.start, span.stop - 1, text)
            for parent in parents:
                self.segments[parent] = _parent_text(parent, self.segments)


def _message(index: int, role: Role, content: str, name: str) -> Message:
    return Message(f"m{index}", index, role, content, estimate_message(content), name)


def _parent_text(parent: Segment, segments: Mapping[Segment, SegmentText]) -> SegmentText:
    children = [segments[child] for child in parent.children]
    text = digest_again([child.text for child in children], TARGET_TOKENS[parent.level])
    return SegmentText(parent, children[0].first, children[-1].last, text)
