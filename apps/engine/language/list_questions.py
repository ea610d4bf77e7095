"""Questions that ask for several things, such as “Which books did Ann read?”: their answers are in several places."""

from __future__ import annotations

import re

_ASKS = r"(?:^|[.,;:!?]\s+|\b(?:in|on|at|for|from|with|to|by)\s+)"
_VERB = r"(?:has|have|had|did|does|do|are|were|is|was|can|could|will|would)"
_PLURAL = r"(?:[a-z]+s|people|children|men|women)"
# Words that end like a plural and are none.
_NO_PLURAL = r"(?!(?:is|was|does|has|his|this|its|hers|us|yes|always|means|news|as|plus|less|unless|perhaps)\b)"
_DONE = r"(?:[a-z]+ed|been|done|gone|made|had|seen|read|bought|won|taken|given|written|met|got|lost)"
_ONE = re.compile(r"\bhow (?:long|much|often)\b", re.IGNORECASE)
_SEVERAL = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_ASKS}(?:what|which|whose)\s+(?:[^\s?]+\s+){{0,4}}?{_NO_PLURAL}{_PLURAL}\s+{_VERB}\b",
        rf"{_ASKS}(?:what|who|which|where)\s+(?:are|were)\b[^?]{{0,200}}?\b{_NO_PLURAL}{_PLURAL}\b",
        rf"{_ASKS}(?:what|which|who|where|how)\b[^?]{{0,200}}?\b(?:has|have)\s+"
        rf"(?:[^\s?]+(?:\s+and\s+[^\s?]+)?\s+)?{_DONE}\b",
    )
)


def asks_for_several(question: str) -> bool:
    """Whether an English question asks for several things: by a plural, or for all that has been so far.

    >>> asks_for_several("Which books did Ann read?"), asks_for_several("Where has Al been?")
    (True, True)
    >>> asks_for_several("When did Ann move?"), asks_for_several("How long has Al run?")
    (False, False)
    """
    return not _ONE.search(question) and any(pattern.search(question) for pattern in _SEVERAL)
