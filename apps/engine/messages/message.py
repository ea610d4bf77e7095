"""A message as the engine sees it: a plain copy of a row, without a database behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from apps.engine.tokens.counting import count_message, count_text
from apps.engine.tokens.estimate import estimate_message, estimate_text


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class PartKind(StrEnum):
    TEXT = "text"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    REASONING = "reasoning"
    IMAGE = "image"
    FILE = "file"


MEDIA = frozenset({PartKind.IMAGE, PartKind.FILE})
MEDIA_TOKENS = 1_000
"""Of an image or a file beside its text: about what providers count for a picture of a screen."""
DATA = "data:"
# Three bytes are four characters of base64, and four bytes of a text are a token.
_TOKENS_OF_DATA = 3 / 16
_LONGEST_LABEL = 200


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a message other than its text.

    `call_id` joins a tool call and its result; `text` is the call's arguments as JSON, the result's output or the
    reasoning; `summary` is what a tool offers as its own short form; `tokens` are reasoning tokens, counted when the
    provider reports more of them than it shows; `signature` is what binds reasoning to its provider, or, with
    `is_redacted`, all that it tells. `url` is where an image or a file is: an address, a `data:` URL, or `openai:` or
    `anthropic:` with the id of a file at the provider.
    """

    kind: PartKind
    text: str = ""
    call_id: str = ""
    name: str = ""
    summary: str = ""
    tokens: int = 0
    url: str = ""
    media_type: str = ""
    signature: str = ""
    is_error: bool = False
    is_redacted: bool = False

    @property
    def token_count(self) -> int:
        """Tokens by the default estimate."""
        return max(self.tokens, self.media_tokens + estimate_text(self.name) + estimate_text(self.text))

    @property
    def stored_count(self) -> int:
        """Tokens by characters/4."""
        return max(self.tokens, self.media_tokens + count_text(self.name) + count_text(self.text))

    @property
    def media_tokens(self) -> int:
        """Tokens of an image or a file beside its name and text; of a file that is an address they are not known."""
        if self.kind not in MEDIA:
            return 0
        inline = len(self.url) * _TOKENS_OF_DATA if self.kind is PartKind.FILE and self.url.startswith(DATA) else 0
        return max(MEDIA_TOKENS, int(inline))

    @property
    def label(self) -> str:
        """What names it where it cannot be shown."""
        return self.name or self.media_type or ("" if self.url.startswith(DATA) else self.url[:_LONGEST_LABEL])


def message_tokens(content: str, parts: Iterable[Part]) -> int:
    """Tokens of a message by the default estimate: content, parts and role."""
    return estimate_message(content) + sum(part.token_count for part in parts)


def stored_tokens(content: str, parts: Iterable[Part]) -> int:
    """The same by characters/4, as it is stored with a message."""
    return count_message(content) + sum(part.stored_count for part in parts)


@dataclass(frozen=True, slots=True)
class Message:
    """`index` is the place in the conversation (0, 1, 2 …); `token_count` are its tokens by the default estimate."""

    id: str
    index: int
    role: Role
    content: str
    token_count: int
    name: str = ""
    parts: tuple[Part, ...] = field(default=())

    @property
    def calls(self) -> frozenset[str]:
        return frozenset(part.call_id for part in self.parts if part.kind is PartKind.TOOL_CALL)

    @property
    def results(self) -> frozenset[str]:
        return frozenset(part.call_id for part in self.parts if part.kind is PartKind.TOOL_RESULT)
