"""The reader: what messages hold, as chances.

Each of its networks reads a message for itself, and their chances are averaged. The encoders are computed in 8 bits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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
    """Reads messages with all networks."""

    def __init__(self, weights: Sequence[Path]) -> None:
        self.networks = [Network(path) for path in weights]
        self._comparing = [network for network in self.networks if network.heads.compares]

    @property
    def compares(self) -> bool:
        """Whether one of the networks was trained to compare statements."""
        return bool(self._comparing)

    def tokens(self, message: MessageInput) -> int:
        """How many tokens are read of a message, with those of the one before it."""
        return len(tokens_of(self.networks[0].encoder.tokenizer, message.before, message.text).ids)

    def read(self, messages: Sequence[MessageInput]) -> list[MessageRead]:
        """Return what each message holds; the part of it beyond `LONGEST_TOKENS` is not read."""
        tokenizer = self.networks[0].encoder.tokenizer
        tokens = [tokens_of(tokenizer, message.before, message.text) for message in messages]
        hidden = [network.encoder.hidden_states([one.ids for one in tokens]) for network in self.networks]
        return [
            self._read(message, one, states)
            for message, one, states in zip(messages, tokens, zip(*hidden, strict=True), strict=True)
        ]

    def relations(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        """Return of each earlier and later statement what the later one is to the earlier one.

        The chances are in the order of `labels.RELATIONS`. Call it only of a reader that `compares`.
        """
        tokenizer = self.networks[0].encoder.tokenizer
        ids = [pair_tokens(tokenizer, *pair).ids for pair in pairs]
        hidden = [network.encoder.hidden_states(ids) for network in self._comparing]
        return [
            _mean([network.heads.relation(one) for network, one in zip(self._comparing, states, strict=True)]).tolist()
            for states in zip(*hidden, strict=True)
        ]

    def _read(self, message: MessageInput, tokens: Tokens, hidden: Sequence[Array]) -> MessageRead:
        of_tokens = _mean([network.heads.tokens(states) for network, states in self._each(hidden)])
        of_message = _mean([network.heads.message(states) for network, states in self._each(hidden)])
        own = range(tokens.text_first, tokens.text_past)
        chances = [_token_chances(tokens.offsets[place], of_tokens[place]) for place in own]
        has_fact, command = float(of_message[heads.HAS_FACT]), of_message[heads.COMMAND].tolist()
        found = memorable_spans(message.text, chances, has_fact, is_answer=bool(message.before))
        named = _likely(own, of_tokens[:, heads.COMMANDED])
        wanted = _wanted(message.text, tokens, named, command[COMMANDS.index(REMEMBER)])
        spans = [*found, *wanted]
        places = [(tokens.text_first + span.first, tokens.text_first + span.last) for span in spans]
        said = zip(*(network.heads.spans(states, places) for network, states in self._each(hidden)), strict=True)
        read = [
            _span_read(message, tokens, span, of_tokens[first : last + 1], one)
            for span, (first, last), one in zip(spans, places, said, strict=True)
        ]
        return MessageRead(
            has_fact,
            command,
            _words(message.text, tokens, named),
            _words(message.text, tokens, _likely(own, of_tokens[:, heads.ENDED])),
            read[: len(found)],
            read[-1] if wanted else None,
        )

    def _each(self, hidden: Sequence[Array]) -> Iterator[tuple[Network, Array]]:
        return zip(self.networks, hidden, strict=True)


_OF_OBJECT, _OF_LIKELIEST = 0.2, 0.5
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


def _mean(values: Sequence[Array]) -> Array:
    import numpy as np  # noqa: PLC0415  # only imported in processes that read

    return np.mean(values, axis=0)  # type: ignore[no-any-return]  # of one array after the other


def _token_chances(offsets: tuple[int, int], chances: Array) -> TokenChances:
    begin, inside, trap = (float(chances[place]) for place in (heads.BEGIN, heads.INSIDE, heads.TRAP))
    return TokenChances(*offsets, begin, inside, trap)


def _span_read(
    message: MessageInput, tokens: Tokens, span: MemorableSpan, of_tokens: Array, said: Sequence[SpanChances]
) -> SpanRead:
    about = _mean([one.about for one in said])
    return SpanRead(
        span,
        sum(one.memorable for one in said) / len(said),
        float(of_tokens[:, heads.SECRET].max()),
        sum(one.until for one in said) / len(said),
        _mean([one.category for one in said]).tolist(),
        _mean([one.change for one in said]).tolist(),
        _mean([one.attribute for one in said]).tolist(),
        *_named(message, tokens, about, span),
        float(about[0]),
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
