"""The certainty that a span is a memory: by its tokens, and by the span as a whole."""

from __future__ import annotations

COMMAND = 0.5
"""The least chance of a command."""
SECRET = 0.5
"""From this chance on a span holds a secret, and is never a memory."""


def certainty(tagged: float, as_whole: float) -> float:
    """The chance that a span is a memory: `tagged` by its tokens, `as_whole` by the span as a whole.

    The two are averaged as factors: both must be sure.

    >>> round(certainty(0.9, 0.8), 2)
    0.85
    """
    return float((tagged * as_whole) ** 0.5)
