"""The reader: what messages hold, as chances, by a network whose encoder is computed in 8 bits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from apps.engine.reading.certainty import COMMAND
from apps.engine.reading.chances import REMEMBER, MessageInput, MessageRead, SpanRead
from apps.engine.reading.labels import COMMANDS
from apps.engine.reading.pronouns import begins_with_pronoun
from apps.engine.reading.spans import MemorableSpan, TokenChances, memorable_spans, whole_words, without_edges
from apps.llm.reading import heads
from apps.llm.reading.heads import SpanChances
from apps.llm.reading.network import Network
from apps.llm.reading.tokens import Tokens, pair_tokens, shown_before, tokens_of

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Array = NDArray[float32]


class Reader:
    """Reads messages, and compares statements."""

    def __init__(self, weights: Path) -> None:
        self.network = Network(weights)

    def tokens(self, message: MessageInput) -> int:
        """How many tokens are read of a message, with those of the one before it."""
        return len(tokens_of(self.network.encoder.tokenizer, message.before, message.text).ids)

    def read(self, messages: Sequence[MessageInput]) -> list[MessageRead]:
        """Return what each message holds; the part of it beyond `LONGEST_TOKENS` is not read."""
        return [read for batch in _batches(messages) for read in self._read_batch(batch)]

    def _read_batch(self, messages: Sequence[MessageInput]) -> list[MessageRead]:
        encoder = self.network.encoder
        tokens = [tokens_of(encoder.tokenizer, message.before, message.text) for message in messages]
        hidden = encoder.hidden_states([one.ids for one in tokens])
        return [self._read(*of_message) for of_message in zip(messages, tokens, hidden, strict=True)]

    def relations(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        """Return of each earlier and later statement what the later one is to the earlier one.

        The chances are in the order of `labels.RELATIONS`.
        """
        return [one for batch in _batches(pairs) for one in self._relations_of_batch(batch)]

    def _relations_of_batch(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        encoder = self.network.encoder
        ids = [pair_tokens(encoder.tokenizer, *pair).ids for pair in pairs]
        return [self.network.heads.relation(one).tolist() for one in encoder.hidden_states(ids)]

    def _read(self, message: MessageInput, tokens: Tokens, hidden: Array) -> MessageRead:
        of_tokens, of_message = self.network.heads.tokens(hidden), self.network.heads.message(hidden)
        own = range(tokens.text_first, tokens.text_past)
        chances = [_token_chances(tokens.offsets[place], of_tokens[place]) for place in own]
        has_fact, command = float(of_message[heads.HAS_FACT]), of_message[heads.COMMAND].tolist()
        found = memorable_spans(message.text, chances, has_fact, is_answer=bool(message.before))
        named = _likely(own, of_tokens[:, heads.COMMANDED])
        wanted = _wanted(message.text, tokens, named, command[COMMANDS.index(REMEMBER)])
        whole = _whole(message.text, tokens, has_fact)
        spans = [*found, *wanted, *whole]
        places = [(tokens.text_first + span.first, tokens.text_first + span.last) for span in spans]
        read = [
            _span_read(message, tokens, span, of_tokens[first : last + 1], one)
            for span, (first, last), one in zip(spans, places, self.network.heads.spans(hidden, places), strict=True)
        ]
        return MessageRead(
            has_fact,
            command,
            _words(message.text, tokens, named),
            _words(message.text, tokens, _likely(own, of_tokens[:, heads.ENDED])),
            read[: len(found)],
            read[len(found)] if wanted else None,
            read[-1] if whole else None,
        )


_Input = TypeVar("_Input")
_BATCH = 64
"""Inputs whose vectors are in memory at once."""
_OF_OBJECT, _OF_LIKELIEST = 0.02, 0.5
"""The least chance of a token that names what a command is about, or what a change ends, and the least share of the
likeliest token's chance."""
_HYPHENATED_AFTER, _HYPHENATED_BEFORE = re.compile(r"(?:-\w+)+"), re.compile(r"(?:\w+-)+$")
_LONGEST_BEFORE = 40
_OF_USER = 0.5
"""From this chance on a span is about the user."""
_OF_INSIDE = 5
"""How much more a name in the span itself counts than one elsewhere."""
_OF_NAME = 0.25
"""A token beside the likeliest one belongs to the same name from this share of its chance on."""


def _batches(inputs: Sequence[_Input]) -> Iterator[Sequence[_Input]]:
    return (inputs[start : start + _BATCH] for start in range(0, len(inputs), _BATCH))


def _token_chances(offsets: tuple[int, int], chances: Array) -> TokenChances:
    begin, inside, trap = (float(chances[place]) for place in (heads.BEGIN, heads.INSIDE, heads.TRAP))
    return TokenChances(*offsets, begin, inside, trap)


def _span_read(
    message: MessageInput, tokens: Tokens, span: MemorableSpan, of_tokens: Array, said: SpanChances
) -> SpanRead:
    return SpanRead(
        span,
        said.memorable,
        float(of_tokens[:, heads.SECRET].max()),
        said.until,
        said.category.tolist(),
        said.change.tolist(),
        said.attribute.tolist(),
        *_named(message, tokens, said.about, span),
        float(said.about[0]),
    )


def _wanted(text: str, tokens: Tokens, named: Sequence[int], chance: float) -> list[MemorableSpan]:
    """The span of the words that name what is to be remembered, if the message asks for that."""
    if not named or chance < COMMAND:
        return []
    first, last = named[0], named[-1]
    start, end = without_edges(text, *whole_words(text, tokens.offsets[first][0], tokens.offsets[last][1]))
    return (
        [MemorableSpan(start, end, first - tokens.text_first, last - tokens.text_first, chance)] if start < end else []
    )


def _whole(text: str, tokens: Tokens, chance: float) -> list[MemorableSpan]:
    """The span of all words that were read."""
    count = tokens.text_past - tokens.text_first
    if not count:
        return []
    start, end = without_edges(text, 0, tokens.offsets[tokens.text_past - 1][1])
    return [MemorableSpan(start, end, 0, count - 1, chance)] if start < end else []


def _likely(places: Sequence[int], chances: Array) -> list[int]:
    """The places with a chance that is near the best."""
    least = max(_OF_OBJECT, _OF_LIKELIEST * max((float(chances[place]) for place in places), default=0.0))
    return [place for place in places if chances[place] >= least]


def _named(message: MessageInput, tokens: Tokens, about: Array, span: MemorableSpan) -> tuple[str, float]:
    """The likeliest name with its chance, in the message or in the one before; empty for the user.

    A pronoun stands for what was named before it.
    """
    past = tokens.text_first + span.first if begins_with_pronoun(message.text, span.start) else tokens.text_past
    own, before = range(tokens.text_first, past), range(1, tokens.text_first - 1)
    inside = range(tokens.text_first + span.first, tokens.text_first + span.last + 1)
    best = max((*own, *before), key=lambda place: about[place] * (_OF_INSIDE if place in inside else 1), default=0)
    if about[0] >= _OF_USER or not best:
        return "", float(about[0])
    is_own = best in own
    first, last = _run(own if is_own else before, about, best)
    text = message.text if is_own else shown_before(message.before)
    start, end = _hyphenated(text, *whole_words(text, tokens.offsets[first][0], tokens.offsets[last][1]))
    return text[start:end].strip(), float(about[first : last + 1].sum())


def _hyphenated(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen characters to the whole of a word with hyphens: "mother-in-law"."""
    after = _HYPHENATED_AFTER.match(text, end)
    before = _HYPHENATED_BEFORE.search(text, max(0, start - _LONGEST_BEFORE), start)
    return before.start() if before else start, after.end() if after else end


def _run(places: Sequence[int], about: Array, best: int) -> tuple[int, int]:
    """The tokens around the best one that belong to the same name: the first and the last."""
    least, first, last = _OF_NAME * about[best], best, best
    while first - 1 in places and about[first - 1] >= least:
        first -= 1
    while last + 1 in places and about[last + 1] >= least:
        last += 1
    return first, last


def _words(text: str, tokens: Tokens, places: Sequence[int]) -> str:
    """The whole words that tokens belong to, in their order, each once."""
    words: list[str] = []
    for start, end in dict.fromkeys(whole_words(text, *tokens.offsets[place]) for place in places):
        word = text[start:end]
        if word not in words and any(character.isalnum() for character in word):
            words.append(word)
    return " ".join(words)
