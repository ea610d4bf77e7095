"""The words of a conversation: how common each is there, which tells what is said again and again from what is new."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from apps.engine.language.similarity import stems, words
from apps.engine.messages.parsing import Reading

_FEW_MESSAGES = 2
_RARE_SHARE = 0.5
_REPEATED_SHARE = 0.8
_SHORTEST_WORD = 4


@dataclass(frozen=True)
class Vocabulary:
    """`topics` are the stems of each message, `messages_with` counts the messages with a stem; `lower` are the words
    that occur in lower case."""

    topics: Sequence[frozenset[str]]
    messages_with: Counter[str]
    lower: frozenset[str]

    @classmethod
    def of(cls, readings: Sequence[Reading]) -> Vocabulary:
        topics = [frozenset[str]().union(*reading.topics) for reading in readings]
        texts = (sentence.text for reading in readings for sentence in reading.sentences)
        lower = frozenset(word for text in texts for word in text.split() if word.islower())
        return cls(topics, Counter(stem for topic in topics for stem in topic), lower)

    def is_novel(self, topic: frozenset[str]) -> bool:
        """Whether at least half of a sentence's words are rare."""
        rare = sum(self.messages_with[stem] <= _FEW_MESSAGES for stem in topic)
        return rare >= _RARE_SHARE * len(topic)

    def repetitions(self, topic: frozenset[str]) -> int:
        """The number of messages that say nearly the same."""
        enough = _REPEATED_SHARE * len(topic)
        return sum(len(topic & said) >= enough for said in self.topics)

    def is_name(self, word: str) -> bool:
        """Whether a capitalized word never occurs in lower case."""
        return word.lower() not in self.lower

    def rarest(self, text: str) -> str:
        """The rarest of a text's longer words; the first of them if several are equally rare."""
        long = [word for word in words(text) if len(word) >= _SHORTEST_WORD and stems(word)]
        return min(long, key=lambda word: sum(self.messages_with[stem] for stem in stems(word)), default="")
