"""The preservation ratio: the share of a conversation that its context still contains."""

from __future__ import annotations


def preservation_ratio(preserved_tokens: int, total_tokens: int) -> float:
    """Tokens of pins, summary and live messages as a percentage of all tokens; excluded messages count in neither.

    >>> preservation_ratio(35_000, 50_000)
    70.0
    >>> preservation_ratio(0, 0)
    100.0
    """
    if total_tokens <= 0:
        return 100.0
    return round(min(100.0, preserved_tokens * 100 / total_tokens), 1)
