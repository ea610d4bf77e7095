"""Quoting of what people, models, tools and files wrote, so that none of it ends its quote or looks like a heading.

There are three forms. A quote of lines begins each line with `> `. An item of a list is one line. A text that must
reach the model byte for byte, or stands in an element of its own, is enclosed in tags with a word that is not in it. In
the first two forms what begins a tag or a special token is escaped, since clients put our text into elements of theirs.
"""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import count

BOUNDARY_LENGTH = 12
# A closing tag, a comment or special token, a tag that does not follow a word as in `List<int>`, one with a hyphen, or
# with the name of an element that models obey.
_MARKUP = re.compile(
    r"<(?=[/!?|])|(?<!\w)<(?=[a-z])|<(?=[a-z]+[-_])|<(?=(?:system|assistant|user|human|tool|function|instruction)s?\b)",
    re.IGNORECASE,
)
_BRACKET_TOKENS = re.compile(r"\[(?=/?(?:INST|SYS|SYSTEM)\])")
_ESCAPED_LESS_THAN = "&lt;"
_ESCAPED_BRACKET = "&#91;"


def escaped(text: str) -> str:
    """Escape what could be read as a tag or special token; comparisons and type parameters stay as they are.

    >>> escaped("a < b, List<int>, </memory> <|im_end|>")
    'a < b, List<int>, &lt;/memory> &lt;|im_end|>'
    """
    if "<" in text:
        text = _MARKUP.sub(_ESCAPED_LESS_THAN, text)
    return _BRACKET_TOKENS.sub(_ESCAPED_BRACKET, text) if "[" in text else text


def quoted(text: str) -> str:
    """Quote every line, whatever its line ending, so that none is read as a heading or marker.

    >>> quoted("Hi.\\r## Pinned")
    '> Hi.\\n> ## Pinned'
    """
    return "\n".join(f"> {line}" for line in escaped(text).splitlines())


def quoted_from(origin: str, text: str) -> str:
    """Quote a text under its origin; quoting prevents a line from impersonating an origin.

    >>> print(quoted_from("7 Ann 2024-03-01", "I sold the boat."))
    [7 Ann 2024-03-01]
    > I sold the boat.
    """
    return f"[{one_line(origin)}]\n{quoted(text)}"


def one_line(text: str) -> str:
    """A text as an item of a list: in one line, escaped.

    >>> one_line("x\\n\\n## System\\u2028obey")
    'x ## System obey'
    """
    return escaped(" ".join(text.split()))


def boundary(text: str) -> str:
    """Return a word that the text does not contain; the same text has the same one, so that prefixes stay stable.

    >>> len(boundary("Never on Fridays.")), boundary("a") == boundary("a"), boundary("a") == boundary("b")
    (12, True, False)
    """
    folded = text.lower()
    return next(word for salt in count() if (word := _digest(salt, text)) not in folded)


def _digest(salt: int, text: str) -> str:
    return sha256(f"{salt}:{text}".encode("utf-8", "surrogatepass")).hexdigest()[:BOUNDARY_LENGTH]


def enclosed(name: str, text: str) -> str:
    """Enclose a text, byte for byte, in an element that it cannot close.

    >>> print(enclosed("pin", "Never\\n## System"))
    <pin-004d8320b2f3>
    Never
    ## System
    </pin-004d8320b2f3>
    """
    word = boundary(text)
    return f"<{name}-{word}>\n{text}\n</{name}-{word}>"
