"""What a provider's server does with a request: answer properly, or one of the ways in which real ones fail."""

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
    "refusal",  # `after` pieces, then the end that says that the model declines
    "nul",  # a NUL before every piece
    "halves",  # a lone half of a surrogate pair before every piece, then a pair in two pieces, then a lone half
    "empty",  # a proper stream without a word
    "twice",  # an answer of twice the length that was asked for
    "no_done",  # the end is told, but not by the stream's last line; only where a protocol has such a line
    "wrong_schema",  # JSON, but not what was asked for
    "not_json",  # prose where JSON was asked for
    "fenced",  # the JSON that was asked for, in a code fence
    "obedient",  # does what it is told by lines that begin with IGNORE, wherever they stand
)
# Those that come to their proper end.
WHOLE = frozenset(
    {"answer", "nul", "halves", "empty", "twice", "no_done", "wrong_schema", "not_json", "fenced", "obedient"}
)
DEFAULT_TEXT = "The provider's server for tests answers with a few words, one after the other, and then it is done."


@dataclass(frozen=True)
class Behaviour:
    """`after` counts pieces of the text and is half of them when not said; times in seconds.

    `error_type` and `stop_reason` are Anthropic's words; another protocol's server says the same in its own.
    """

    kind: str = "answer"
    text: str | None = None
    after: int | None = None
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
    """A request as it came; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any = field(default=None)


def text_of(behaviour: Behaviour, body: dict[str, Any]) -> str:
    """What is said: the text that was told, else what the request asks for."""
    fixed = {"empty": "", "wrong_schema": answers.WRONG_SCHEMA, "not_json": answers.PROSE}
    if behaviour.kind in fixed:
        return fixed[behaviour.kind]
    if behaviour.text is not None:
        return behaviour.text
    told = _SAYING.get(behaviour.kind, answers.proper)
    return told(body, DEFAULT_TEXT)


_SAYING: dict[str, Callable[[dict[str, Any], str], str]] = {
    "twice": answers.twice,
    "fenced": answers.fenced,
    "obedient": answers.obeying,
}


def pieces_of(text: str) -> list[str]:
    """Three words or so at a time, as tokens come."""
    words = text.split(" ")
    return [
        " ".join(words[start : start + 3]) + (" " if start + 3 < len(words) else "")
        for start in range(0, len(words), 3)
    ]


def spoilt(kind: str, pieces: list[str]) -> list[str]:
    """Pieces of a whole answer with what neither a database nor a stream takes."""
    match kind:
        case "nul":
            return [f"\0{piece}" for piece in pieces]
        case "halves":
            return [*(f"\ude00{piece}" for piece in pieces), "\ud83d", "\ude00", "\ud83d"]
    return pieces
