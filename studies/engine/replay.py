"""A conversation played message by message without a database: folded, segmented and packed as the product does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from apps.engine.compaction.plan import live_tokens
from apps.engine.compaction.segments import TARGET_TOKENS, Segment, SegmentText, closed_spans, ending_with
from apps.engine.messages.display import told
from apps.engine.messages.importance import importance
from apps.engine.messages.message import Message, Role
from apps.engine.pack.builder import build_pack
from apps.engine.pack.context_pack import ContextPack, Epoch, PackSources, Talk
from apps.engine.pack.key_messages import Weighed
from apps.engine.pack.strategies import Past
from apps.engine.policy import Policy
from apps.engine.summary.digest import digest, digest_again
from apps.engine.summary.extractive import summarise
from apps.engine.summary.rolling_summary import RollingSummary
from apps.engine.tokens.counting import count_message
from studies.engine.simulation import folds_now


@dataclass(slots=True)
class Replay:
    """The state of one conversation; `runs` counts its compactions."""

    policy: Policy
    said: list[Message] = field(default_factory=list)
    live: list[Message] = field(default_factory=list)
    summary: RollingSummary = field(default_factory=RollingSummary)
    folded_through: int | None = None
    segments: dict[Segment, SegmentText] = field(default_factory=dict)
    runs: int = 0

    def say(self, role: Role, content: str, name: str = "") -> Message:
        """Store a message; after a reply whatever is due is folded."""
        message = _message(len(self.said), role, content, name)
        self.said.append(message)
        self.live.append(message)
        self._close_segments()
        while role is Role.ASSISTANT and (taken := folds_now(self.live, len(self.said), self.policy)):
            self._fold(taken)
        return message

    def pack(self, budget: int, kept: Epoch | None = None, question: str = "") -> ContextPack:
        """What a model would see now; with a question, as if the user had just asked it."""
        return build_pack(self.sources(question), budget, self.policy, kept)

    def sources(self, question: str = "") -> PackSources:
        asked = self._asked(question)
        newest = (*self.live, *asked)
        talk = Talk(len(self.said) + len(asked), live_tokens(newest, self.policy), self.folded_through)
        weighed = tuple(Weighed(one.index, importance(told(one), one.role), one) for one in self.live)
        return PackSources("", (), (), self.summary, newest, talk, Past(self.segments, weighed))

    def window(self, question: str = "") -> PackSources:
        """All that was said, for a pack that summarises nothing."""
        return PackSources("", (), (), RollingSummary(), (*self.said, *self._asked(question)))

    def _asked(self, question: str) -> Sequence[Message]:
        return [_message(len(self.said), Role.USER, question, "")] if question else []

    def _fold(self, taken: Sequence[Message]) -> None:
        level = self.policy.level_for(live_tokens(self.live, self.policy))
        self.summary = summarise(self.summary, taken, level, self.policy)
        self.folded_through = max(message.index for message in taken)
        gone = {message.id for message in taken}
        self.live = [message for message in self.live if message.id not in gone]
        self.runs += 1

    def _close_segments(self) -> None:
        known = [told for segment, told in self.segments.items() if segment.level == 1]
        first = max((told.last + 1 for told in known), default=0)
        for span in closed_spans([message.token_count for message in self.said[first:]], first):
            closed, *parents = ending_with(len(known))
            text = digest(self.said[span.start : span.stop], TARGET_TOKENS[1], self.policy)
            self.segments[closed] = SegmentText(closed, span.start, span.stop - 1, text)
            for parent in parents:
                self.segments[parent] = _united(parent, self.segments)


def _message(index: int, role: Role, content: str, name: str) -> Message:
    return Message(f"m{index}", index, role, content, count_message(content), name)


def _united(parent: Segment, segments: Mapping[Segment, SegmentText]) -> SegmentText:
    children = [segments[child] for child in parent.children]
    text = digest_again([child.text for child in children], TARGET_TOKENS[parent.level])
    return SegmentText(parent, children[0].first, children[-1].last, text)
