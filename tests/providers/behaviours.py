"""What the provider's server does with a request: answer properly, or one of the ways in which real ones fail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

KINDS = (
    "answer",  # as it should be
    "status",  # an HTTP error: `status`, `error_type`, `retry_after`
    "in_band",  # status 200, then an `error` event after `after` pieces
    "cut",  # the stream ends cleanly after `after` pieces, without its terminal event
    "reset",  # the connection is reset after `after` pieces
    "reset_at_once",  # the connection is reset before anything is answered
    "garbage",  # an event that is no JSON, after `after` pieces
    "noise",  # bytes that are no HTTP
    "page",  # an HTML page, as a wrong address would give
    "hang",  # nothing, ever
    "stall",  # `after` pieces, then nothing, ever
    "trickle",  # pings, for ever
    "refusal",  # `after` pieces, then the stop reason `refusal`
    "nul",  # a NUL before every piece
    "halves",  # a lone half of a surrogate pair before every piece, then a pair in two pieces, then a lone half
    "empty",  # a proper stream without a word
    "wrong_schema",  # JSON, but not what was asked for
    "not_json",  # prose where JSON was asked for
)
DEFAULT_TEXT = "The provider's server for tests answers with a few words, one after the other, and then it is done."


@dataclass(frozen=True)
class Behaviour:
    """`after` counts pieces of the text and is half of them when not said; times in seconds."""

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
    if behaviour.kind == "empty":
        return ""
    if behaviour.kind == "wrong_schema":
        return json.dumps({"goals": "none", "unexpected": 1})
    if behaviour.kind == "not_json":
        return "I would rather tell you about it in prose."
    if behaviour.text is not None:
        return behaviour.text
    if "output_config" not in body:
        return DEFAULT_TEXT
    return json.dumps(stretch_for(body) if asks_for_stretch(body) else notes_for(body))


def asks_for_stretch(body: dict[str, Any]) -> bool:
    """Whether the request is for the short text of a stretch of talk."""
    return "output_config" in body and "overview" in body["output_config"]["format"]["schema"]["properties"]


def stretch_for(body: dict[str, Any]) -> dict[str, Any]:
    """The short text of a stretch of talk: how much there was of it, and the beginning of its first piece."""
    told = [*_quoted(body, "messages"), *_quoted(body, "stretches")]
    point = " ".join(told[0]["text"].split()[:12]) if told else ""
    overview = f"They talked about {len(told)} things."
    return {"overview": overview, "points": [point], "decisions": ["Go on"], "open_questions": []}


def notes_for(body: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Notes that pass every check: the present ones, and the beginning of each tenth message as a requirement."""
    notes: dict[str, list[dict[str, Any]]] = {
        name: []
        for name in (
            *("goals", "decisions", "requirements", "current_plan"),
            *("open_questions", "definitions", "references"),
        )
    }
    shapes: dict[str, dict[str, Any]] = {
        "decisions": {"reason": ""},
        "references": {"note": ""},
    }
    for line in _quoted(body, "notes"):
        kept = {name: value for name, value in line.items() if name not in {"label", "field"}}
        notes[line["field"]].append({**shapes.get(line["field"], {}), **kept, "sources": [line["label"]]})
    for message in _quoted(body, "messages")[::10]:
        words = " ".join(message["text"].split()[:12])
        notes["requirements"].append({"text": f"Keep in mind: {words}", "sources": [message["label"]]})
    return notes


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


def event(name: str, data: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()


def opening(model: str, input_tokens: int) -> bytes:
    message: dict[str, Any] = {
        "id": "msg_test",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {
            "input_tokens": input_tokens,
            "cache_read_input_tokens": 7,
            "cache_creation_input_tokens": 3,
            "output_tokens": 1,
        },
    }
    start = {"index": 0, "content_block": {"type": "text", "text": ""}}
    return event("message_start", {"message": message}) + event("content_block_start", start) + event("ping", {})


def delta(text: str) -> bytes:
    return event("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": text}})


def closing(stop_reason: str, output_tokens: int) -> Iterator[bytes]:
    yield event("content_block_stop", {"index": 0})
    ended = {"delta": {"stop_reason": stop_reason, "stop_sequence": None}, "usage": {"output_tokens": output_tokens}}
    yield event("message_delta", ended)
    yield event("message_stop", {})


def error_body(error_type: str) -> dict[str, Any]:
    told = {"type": error_type, "message": "As the test wished. Your request began: SECRET-WORDS"}
    return {"type": "error", "error": told, "request_id": "req_test"}


def _quoted(body: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The JSON between the marks of a compaction's prompt."""
    content = body["messages"][-1]["content"]
    text = content if isinstance(content, str) else "".join(block.get("text", "") for block in content)
    _, mark, rest = text.partition(f"<{name}-")
    if not mark:
        return []
    boundary, _, rest = rest.partition(">\n")
    quoted: list[dict[str, Any]] = json.loads(rest.partition(f"\n</{name}-{boundary}>")[0])
    return quoted
