"""Behaviors of the fake providers: proper answers, and the failures of real providers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from tests.providers import answers
from tests.providers.answers import notes_for, stretch_for

__all__ = ["DEFAULT_TEXT", "KINDS", "Behaviour", "Recorded", "notes_for", "pieces_of", "spoilt", "stretch_for"]

KINDS = (
    "answer",  # as it should be
    "status",  # an HTTP error: `status`, `error_type`, `retry_after`
    "in_band",  # status 200, then an error in the stream after `after` pieces
    "cut",  # the stream ends cleanly after `after` pieces, without its terminal event
    "reset",  # the connection is reset after `after` pieces
    "reset_at_once",  # the connection is reset before anything is answered
    "garbage",  # an event that is no JSON, after `after` pieces
    "noise",  # bytes that are no HTTP
    "page",  # an HTML page, as a wrong address would give
    "hang",  # nothing, ever
    "mute",  # the answer begins, and then nothing, ever
    "stall",  # `after` pieces, then nothing, ever
    "trickle",  # signs of life without a word, for ever
    "refusal",  # `after` pieces, then the ending of a refusal
    "nul",  # a NUL before every piece
    "halves",  # a lone half of a surrogate pair before every piece, then a pair in two pieces, then a lone half
    "empty",  # a proper stream without a word
    "twice",  # an answer of twice the requested length
    "no_done",  # ends without the stream's last line, in protocols that have one
    "wrong_schema",  # JSON that does not follow the schema
    "not_json",  # prose instead of JSON
    "fenced",  # the requested JSON in a code fence
    "obedient",  # obeys lines that begin with IGNORE, anywhere in the request
)
# Those that come to their proper end.
WHOLE = frozenset(
    {"answer", "nul", "halves", "empty", "twice", "no_done", "wrong_schema", "not_json", "fenced", "obedient"}
)
DEFAULT_TEXT = "The provider's server for tests answers with a few words, one after the other, and then it is done."


@dataclass(frozen=True)
class Behaviour:
    """One behavior. `after` counts chunks of the text and defaults to half of them; times are in seconds. A `held` one
    begins when the server's `gate` opens.

    `error_type` and `stop_reason` are Anthropic's names; servers of other protocols translate them.
    """

    kind: str = "answer"
    text: str | None = None
    after: int | None = None
    held: bool = False
    first_byte_s: float = 0
    piece_s: float = 0
    status: int = 500
    error_type: str = "api_error"
    retry_after: str | None = None
    stop_reason: str = "end_turn"
    ping_every: int = 10

    def __post_init__(self) -> None:
        assert self.kind in KINDS, self.kind

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Recorded:
    """A recorded request, with header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any = field(default=None)


def text_of(behaviour: Behaviour, body: dict[str, Any]) -> str:
    """The text of the answer: the scripted one, or one that fits the request."""
    fixed = {"empty": "", "wrong_schema": answers.WRONG_SCHEMA, "not_json": answers.PROSE}
    if behaviour.kind in fixed:
        return fixed[behaviour.kind]
    if behaviour.text is not None:
        return behaviour.text
    answer = _SAYING.get(behaviour.kind, answers.proper)
    return answer(body, DEFAULT_TEXT)


_SAYING: dict[str, Callable[[dict[str, Any], str], str]] = {
    "twice": answers.twice,
    "fenced": answers.fenced,
    "obedient": answers.obeying,
}


def pieces_of(text: str) -> list[str]:
    """Split a text into chunks of about three words."""
    words = text.split(" ")
    return [
        " ".join(words[start : start + 3]) + (" " if start + 3 < len(words) else "")
        for start in range(0, len(words), 3)
    ]


def spoilt(kind: str, pieces: list[str]) -> list[str]:
    """Chunks of a complete answer with unstorable characters."""
    match kind:
        case "nul":
            return [f"\0{piece}" for piece in pieces]
        case "halves":
            return [*(f"\ude00{piece}" for piece in pieces), "\ud83d", "\ude00", "\ud83d"]
    return pieces
