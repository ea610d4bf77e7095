"""The input of the reader: a message's tokens, after those of the end of the message before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.llm.reading.tokenizer import ReaderTokenizer

LONGEST_TOKENS = 256
"""Of an input; what is beyond them is not read."""
BEFORE_CHARACTERS, BEFORE_TOKENS = 160, 80
"""An answer makes sense with the end of what was asked."""
_CHARACTERS_PER_TOKEN = 32


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a message with those of the one before, between special tokens.

    `text_first` is the first token of the message itself. `offsets` has the first character of each token and the one
    after its last, without spaces, in the end of the message before or in the message.
    """

    ids: Sequence[int]
    offsets: Sequence[tuple[int, int]]
    text_first: int

    @property
    def text_past(self) -> int:
        """The index after the message's last token; a special token ends the input."""
        return len(self.ids) - 1

    def covering(self, start: int, end: int) -> tuple[int, int] | None:
        """The first token of some characters of the message, and the one after the last; None if there is none."""
        own = range(self.text_first, self.text_past)
        indices = [index for index in own if self.offsets[index][0] < end and self.offsets[index][1] > start]
        return (indices[0], indices[-1] + 1) if indices else None


_KNOWN = "known: "


def pair_tokens(tokenizer: ReaderTokenizer, known: str, text: str) -> Tokens:
    """Return the tokens of a later statement after an earlier one."""
    return tokens_of(tokenizer, _KNOWN + known[: BEFORE_CHARACTERS - len(_KNOWN)], text)


def memory_tokens(tokenizer: ReaderTokenizer, memory: str, message: str) -> Tokens:
    """Return the tokens of a message after a memory that may be relevant to it."""
    return tokens_of(tokenizer, memory[:BEFORE_CHARACTERS], message)


def shown_before(before: str) -> str:
    """The part of the message before that is read."""
    return before[-BEFORE_CHARACTERS:]


def tokens_of(tokenizer: ReaderTokenizer, before: str, text: str) -> Tokens:
    """Return the tokens of a message. Of the message before the last are read, of the message itself the first."""
    before_ids, before_offsets = tokenizer.encode(shown_before(before))
    before_ids, before_offsets = before_ids[-BEFORE_TOKENS:], before_offsets[-BEFORE_TOKENS:]
    ids, offsets = tokenizer.encode(text[: LONGEST_TOKENS * _CHARACTERS_PER_TOKEN])
    room, none = LONGEST_TOKENS - len(before_ids) - 3, (0, 0)
    return Tokens(
        [tokenizer.begin, *before_ids, tokenizer.end, *ids[:room], tokenizer.end],
        [none, *before_offsets, none, *offsets[:room], none],
        len(before_ids) + 2,
    )
