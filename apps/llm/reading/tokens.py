"""The input of the reader: a message's tokens, after those of the end of the message before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LONGEST_TOKENS = 256
"""Of an input; what is beyond them is not read."""
BEFORE_CHARACTERS, BEFORE_TOKENS = 160, 80
"""An answer makes sense with the end of what was asked."""
_CHARACTERS_PER_TOKEN = 32
_BEGIN, _END = "<s>", "</s>"
_SPACE = "▁"


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


def shown_before(before: str) -> str:
    """The part of the message before that is read."""
    return before[-BEFORE_CHARACTERS:]


def tokens_of(tokenizer: Tokenizer, before: str, text: str) -> Tokens:
    """Return the tokens of a message. Of the message before the last are read, of the message itself the first."""
    # What looks like a special token in a message is text.
    tokenizer.encode_special_tokens = True
    before_ids, before_offsets = _encoded(tokenizer, shown_before(before))
    before_ids, before_offsets = before_ids[-BEFORE_TOKENS:], before_offsets[-BEFORE_TOKENS:]
    ids, offsets = _encoded(tokenizer, text[: LONGEST_TOKENS * _CHARACTERS_PER_TOKEN])
    room = LONGEST_TOKENS - len(before_ids) - 3
    begin, end, none = _id_of(tokenizer, _BEGIN), _id_of(tokenizer, _END), (0, 0)
    return Tokens(
        [begin, *before_ids, end, *ids[:room], end],
        [none, *before_offsets, none, *offsets[:room], none],
        len(before_ids) + 2,
    )


def _id_of(tokenizer: Tokenizer, token: str) -> int:
    """The id of a special token; raises ValueError for a tokenizer without it."""
    found = tokenizer.token_to_id(token)
    if found is None:
        raise ValueError(f"The tokenizer has no {token}.")
    return found


def _encoded(tokenizer: Tokenizer, text: str) -> tuple[list[int], list[tuple[int, int]]]:
    encoding = tokenizer.encode(text, add_special_tokens=False)
    pairs = zip(encoding.tokens, encoding.offsets, strict=True)
    return encoding.ids, [_without_spaces(text, token, *offsets) for token, offsets in pairs]


def _without_spaces(text: str, token: str, start: int, end: int) -> tuple[int, int]:
    """The characters of a token; the space before a word, which is a token at times, has none."""
    if token == _SPACE:
        return start, start
    while start < end and text[start].isspace():
        start += 1
    return start, end
