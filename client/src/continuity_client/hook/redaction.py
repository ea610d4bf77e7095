"""Remove secrets and `<private>` parts from an event before anything of it is stored or sent."""

from __future__ import annotations

import re
from typing import Any

from continuity_client.secrets.matching import REDACTED, replaced, secrets_in
from continuity_client.secrets.rules import pattern_of

PRIVATE = "[private]"
LONGEST_TEXT, NEAR_END = 200_000, 500
LONGEST_DATA = 1_000
SHORTEST_SECRET = 8
SHORTEST_KEY_LINE = 16
_IDS = frozenset(("cwd", "directory", "model", "timestamp", "workspace_roots"))
_ID_ENDS = ("id", "ids", "_path", "_name", "eventname", "_type", "_mode")
_SECRET_KEYS = (
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "api_key",
    "apikey",
    "access_key",
    "private_key",
    "authorization",
    "credentials",
)
_TEXT_NAMES = ("text", "content")
"""Of the text in a block."""
_KEY = f"{REDACTED}private-key]"
# Before each text of a list while they are looked at as one.
_BETWEEN = "\n\x00"
_KEY_END = r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY[A-Z ]*-----"
# A patch has a sign before each line.
_KEY_LINE = r"\x00?[ +-]?[A-Za-z0-9+/=]+\r?"
_PRIVATE_TAG = r"<\s{0,5}(/?)\s{0,5}private\b[^<>]*>"


def redacted_event(value: Any, key: str = "", longest: int = LONGEST_TEXT) -> Any:
    """The event without secrets, and with long texts cut. An id may look random.

    >>> redacted_event({"prompt": "Use postgres://app:s3cret@db", "session_id": "aB3dE5gH7jK9mN1pQ3sT"})
    {'prompt': 'Use postgres://app:[redacted:url-password]@db', 'session_id': 'aB3dE5gH7jK9mN1pQ3sT'}
    """
    if isinstance(value, str):
        return _redacted_value(value, key, longest)
    if isinstance(value, dict):
        return {name: redacted_event(one, str(name).lower(), longest) for name, one in value.items()}
    if isinstance(value, list):
        return [redacted_event(one, key, longest) for one in without_shared_parts(value)]
    return value


def _redacted_value(text: str, key: str, longest: int) -> str:
    if key in ("data", "base64") and len(text) > LONGEST_DATA:
        return f"[{len(text)} characters of data omitted]"
    if len(text) >= 5 and key.replace("-", "_").endswith(_SECRET_KEYS):
        return f"{REDACTED}password]"
    return redacted(text, longest, ids=key in _IDS or key.endswith(_ID_ENDS))


def redacted(text: str, longest: int = LONGEST_TEXT, ids: bool = False) -> str:
    """The text with the kind of each secret in its place, `[private]` for its private parts, and cut if it is long.

    >>> redacted("The password is Hunter2!x <private>and more</private>.")
    'The password is [redacted:password] [private].'
    """
    if "private" in text.lower():
        text = without_private(text)
    text = cut(text, longest)
    if len(text) < SHORTEST_SECRET:
        return text
    if "private key" in text.lower():
        text = without_keys(text)
    return replaced(text, secrets_in(text, by_keyword_only=ids))


def without_shared_parts(items: list[Any]) -> list[Any]:
    """The items without private parts and private keys that reach from one text to another, as in lines of a patch or
    blocks of a text.

    >>> without_shared_parts(["+a <private>b", "+c", 1, {"type": "text", "text": "+d</private> e"}])
    ['+a [private]', '', 1, {'type': 'text', 'text': ' e'}]
    """
    found = [_text_in(item) if isinstance(item, dict) else item for item in items]
    texts = [text for text in found if isinstance(text, str)]
    if len(texts) < 2 or not any("private" in text.lower() for text in texts):
        return items
    whole = "".join(_BETWEEN + text.replace("\x00", "") for text in texts)
    cleaned = iter(without_keys(without_private(whole)).split(_BETWEEN)[1:])
    return [_with_text(item, next(cleaned)) if isinstance(text, str) else item for item, text in zip(items, found)]


def _text_in(block: dict[str, Any]) -> str | None:
    return next((block[name] for name in _TEXT_NAMES if isinstance(block.get(name), str)), None)


def _with_text(item: Any, text: str) -> Any:
    """The item of a list with another text: a text itself, or a block with one."""
    if isinstance(item, str):
        return text
    return {**item, next(name for name in _TEXT_NAMES if isinstance(item.get(name), str)): text}


def without_private(text: str) -> str:
    """The text without its `<private>` parts; nested tags are counted, and an open one runs to the end.

    >>> without_private("a <private>b <PRIVATE>c</private> d</private> e < private >f")
    'a [private] e [private]'
    """
    parts, depth, place = [], 0, 0
    for tag in re.finditer(_PRIVATE_TAG, text, re.IGNORECASE):
        if not tag.group(1):
            parts += [] if depth else [text[place : tag.start()], PRIVATE]
            place = place if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            parts += [] if depth else [_betweens(text[place : tag.end()])]
            place = place if depth else tag.end()
    return "".join(parts) + (_betweens(text[place:]) if depth else text[place:])


def without_keys(text: str) -> str:
    """The text without private keys, also those whose end or beginning was cut off.

    >>> without_keys("cut\\nMIIEvQIBADANBgkq\\nabc=\\n-----END PRIVATE KEY-----\\ndone").splitlines()
    ['cut', '[redacted:private-key]', 'done']
    """
    text = re.sub(pattern_of("private-key"), lambda key: f"{_KEY}{_betweens(key.group())}", text)
    lines: list[str] = []
    for line in text.split("\n"):
        end = re.search(_KEY_END, line)
        # Only the last line of a key is short.
        shortest, emptied = 1, ""
        while end and lines and re.fullmatch(_KEY_LINE, lines[-1]) and len(lines[-1]) >= shortest:
            emptied += _betweens(f"\n{lines.pop()}")
            shortest = SHORTEST_KEY_LINE
        # What stands before the end in its line is a part of the key.
        lines += emptied.split("\n")[1:]
        mark = "\x00" if line.startswith("\x00") else ""
        lines.append(f"{mark}{_KEY}{line[end.end() :]}" if end else line)
    return "\n".join(lines)


def _betweens(removed: str) -> str:
    """The ends of items in what is removed, so that their number stays."""
    return _BETWEEN * removed.count(_BETWEEN)


def cut(text: str, longest: int) -> str:
    """A long text's beginning and end, each cut between two words, with the number of omitted characters.

    >>> cut("one two three four five six seven eight", 20).splitlines()
    ['one two three', '[21 characters omitted]', 'eight']
    """
    if len(text) <= longest:
        return text
    head, tail = text[: longest - longest // 4], text[-(longest // 4) :]
    head = head[: _last_space(head)]
    tail = tail[len(tail) - _last_space(tail[::-1]) :]
    return f"{head}\n[{len(text) - len(head) - len(tail)} characters omitted]\n{tail}"


def _last_space(text: str) -> int:
    """The place of the last white space, if it is near the end; the length if not."""
    place = max(text.rfind(" "), text.rfind("\n"))
    return place if place >= 0 and len(text) - place < NEAR_END else len(text)
