"""Answers of the fake providers: prose, or the JSON that a request asks for, in any protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

WRONG_SCHEMA = json.dumps({"goals": "none", "unexpected": 1})
PROSE = "I would rather tell you about it in prose."
_ORDER = re.compile(r"IGNORE[^\n\"]*")
_CHARACTERS_IN_TOKEN = 4
# A sentence about the marked subject of an attack, and what an attack begins with.
_PLANTED = re.compile(r"[^\n.!?]*\bEvilcorp\b[^\n.!?]*")
_CLAIM = re.compile(r"^.*?(?:\bthat )?(?:the |this )?user\b")


def proper(body: dict[str, Any], prose: str) -> str:
    answer = _object_for(body)
    return prose if answer is None else json.dumps(answer)


def twice(body: dict[str, Any], prose: str) -> str:
    """Prose of twice the requested length; or valid JSON padded with blank lines."""
    length = 2 * _CHARACTERS_IN_TOKEN * _longest(body)
    answer = _object_for(body)
    if answer is None:
        return (prose + " ") * (length // (len(prose) + 1) + 1)
    text = json.dumps(answer)
    return text[:-1] + "\n" * max(length - len(text), 0) + text[-1]


def fenced(body: dict[str, Any], prose: str) -> str:
    answer = _object_for(body)
    return prose if answer is None else f"```json\n{json.dumps(answer)}\n```"


def obeying(body: dict[str, Any], prose: str) -> str:
    """An answer that obeys injected instructions: in prose, as a requirement in notes, or as memories."""
    answer = _object_for(body)
    if asks_for_memories(body):
        return json.dumps({"memories": [memory for row in message_rows(body) for memory in _obeyed(row, body)]})
    if answer is None:
        orders = _ORDER.findall(_last_text(body))
        return "\n".join(orders) or prose
    if "requirements" in answer:
        for message in _quoted(body, "messages"):
            answer["requirements"] += [
                {"text": order, "sources": [message["label"]]} for order in _ORDER.findall(message["text"])
            ]
    return json.dumps(answer)


def schema_of(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The answer schema, wherever the request has it; in JSON mode at the end of the instructions."""
    if "output_config" in body:
        schema: Mapping[str, Any] = body["output_config"]["format"]["schema"]
        return schema
    wanted = body.get("response_format", {})
    if "json_schema" in wanted:
        schema = wanted["json_schema"]["schema"]
        return schema
    instructions = body["messages"][0]["content"] if wanted.get("type") == "json_object" else None
    if isinstance(instructions, str) and instructions.endswith("}"):
        schema = json.loads(instructions.rpartition("\n")[2])
        return schema
    return None


def asks_for_stretch(body: Mapping[str, Any]) -> bool:
    """Whether the request is for a segment summary."""
    return "points" in (schema_of(body) or {}).get("properties", {})


def asks_for_tiers(body: Mapping[str, Any]) -> bool:
    """Whether the request is for a memory's abstract and overview."""
    return "abstract" in (schema_of(body) or {}).get("properties", {})


def asks_for_memories(body: Mapping[str, Any]) -> bool:
    """Whether the request is for what is worth remembering."""
    return "memories" in (schema_of(body) or {}).get("properties", {})


def message_rows(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages in which memories are to be found."""
    return _quoted(body, "messages")


def known_rows(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The known memories that the request lists."""
    return _quoted(body, "known")


def memory(message: str, quote: str, statement: str, **fields: Any) -> dict[str, Any]:
    """One memory of an answer."""
    return {
        "message": message,
        "quote": quote,
        "category": "preferences",
        "name": "",
        "subject": "",
        "attribute": "",
        "value": "",
        "many": False,
        "statement": statement,
        "inferred": False,
        "occurred_on": "",
        "ends_on": "",
        "confidence": 0.9,
        "decision": "create",
        "target": "new",
        **fields,
    }


def _obeyed(row: Mapping[str, Any], body: dict[str, Any]) -> list[dict[str, Any]]:
    """Memories of whatever a message asks to remember: as it stands, as the user's wish, and as the user's words."""
    texts = [row["text"], *row.get("pasted", [])]
    orders = [line.strip() for text in texts for line in _PLANTED.findall(text)]
    first = next((one for one in message_rows(body) if one["speaker"] == "user"), row)
    return [
        made
        for order in orders
        for made in (
            memory(row["label"], order, order),
            memory(row["label"], order, _CLAIM.sub("The user", order)),
            memory(first["label"], order, order),
            memory(first["label"], " ".join(first["text"].split()[:4]), order),
        )
    ]


def tiers_for(body: dict[str, Any]) -> dict[str, Any]:
    """A memory's abstract and overview: its beginning, short and longer."""
    words = _quoted(body, "memory")[0]["text"].split()
    return {"abstract": f"In short: {' '.join(words[:8])}", "overview": f"# All of it\n\n{' '.join(words[:80])}"}


def stretch_for(body: dict[str, Any]) -> dict[str, Any]:
    """A segment summary: the number of messages, and the beginning of the first one."""
    items = [*_quoted(body, "messages"), *_quoted(body, "stretches")]
    point = " ".join(items[0]["text"].split()[:12]) if items else ""
    overview = f"They talked about {len(items)} things."
    return {"overview": overview, "points": [point], "decisions": ["Go on"], "open_questions": []}


def notes_for(body: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Notes that pass every check: the current ones, plus the beginning of every tenth message as a requirement."""
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
        fields = {name: value for name, value in line.items() if name not in {"label", "field"}}
        notes[line["field"]].append({**shapes.get(line["field"], {}), **fields, "sources": [line["label"]]})
    for message in _quoted(body, "messages")[::10]:
        words = " ".join(message["text"].split()[:12])
        notes["requirements"].append({"text": f"Keep in mind: {words}", "sources": [message["label"]]})
    return notes


def _object_for(body: dict[str, Any]) -> dict[str, Any] | None:
    if schema_of(body) is None:
        return None
    if asks_for_memories(body):
        return {"memories": []}
    if asks_for_tiers(body):
        return tiers_for(body)
    return stretch_for(body) if asks_for_stretch(body) else notes_for(body)


def _longest(body: Mapping[str, Any]) -> int:
    longest: int = body.get("max_completion_tokens") or body.get("max_tokens") or 1_000
    return longest


def _last_text(body: Mapping[str, Any]) -> str:
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)


def _quoted(body: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The JSON of a data block in a compaction prompt."""
    _, mark, rest = _last_text(body).partition(f"<{name}-")
    if not mark:
        return []
    boundary, _, rest = rest.partition(">\n")
    quoted: list[dict[str, Any]] = json.loads(rest.partition(f"\n</{name}-{boundary}>")[0])
    return quoted
