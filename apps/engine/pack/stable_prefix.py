"""The stable prefix of a pack: its leading pieces that are byte for byte identical to those of the previous pack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import takewhile

from apps.engine.messages.display import shown_parts, shown_tokens
from apps.engine.messages.message import Message
from apps.engine.pack.context_pack import ContextPack
from apps.engine.pack.retrieved import retrieved_text

_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True)
class Piece:
    """A section or a message: the digest of what is sent of it, and its tokens."""

    digest: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Stability:
    """`same` leading tokens of the `previous` pack are unchanged."""

    same: int
    previous: int

    @property
    def share(self) -> float:
        return self.same / self.previous if self.previous else 1.0


def digest_of(text: str) -> str:
    """Hash a text, which may contain unpaired surrogates."""
    return blake2b(text.encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()


def pieces_of(pack: ContextPack) -> tuple[Piece, ...]:
    """The pieces in the order they are sent; the last one is the current message, if any."""
    return tuple(_pieces(pack))


def stability(previous: Sequence[Piece], now: Sequence[Piece]) -> Stability:
    """Compare a pack with the previous one.

    >>> one, two, three = (Piece(letter, 100) for letter in "abc")
    >>> stability([one, two], [one, three, two])
    Stability(same=100, previous=200)
    """
    same = takewhile(lambda pair: pair[0] == pair[1], zip(previous, now, strict=False))
    return Stability(sum(piece.tokens for piece, _ in same), sum(piece.tokens for piece in previous))


def _pieces(pack: ContextPack) -> Iterator[Piece]:
    for part, text in pack.sections.items():
        if text:
            yield Piece(digest_of(text), pack.tokens[part])
    for message in pack.recent:
        yield _of_message(message)
    if pack.retrieved:
        yield Piece(digest_of(retrieved_text(pack.retrieved)), pack.tokens["just_in_time"])
    if pack.current:
        yield _of_message(pack.current)


def _of_message(message: Message) -> Piece:
    return Piece(digest_of(_sent(message)), shown_tokens(message))


def _sent(message: Message) -> str:
    return repr((message.role, message.name, message.content, shown_parts(message)))
