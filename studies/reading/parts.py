"""The sentences and clauses of a message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from studies.reading.material import Span

SENTENCE_END = re.compile(r"[.!?]+(?=\s|$)\s*|[。！？\n]+\s*")
CLAUSE_END = re.compile(
    r"[.!?。！？،,;:，、\n()–—-]+\s+|[。！？，、]|\s+(?=(?:and|but|because|so|und|y|et|e|en|i|a)\s)"
)
SHORTEST_CLAUSE = 4


def sentences(text: str) -> list[Span]:
    cuts = [0, *(found.end() for found in SENTENCE_END.finditer(text)), len(text)]
    return [Span(start, end) for start, end in pairwise(cuts) if end > start]


def clauses(text: str) -> Iterator[Span]:
    cuts = [0, *(found.end() for found in CLAUSE_END.finditer(text)), len(text)]
    for start, end in pairwise(cuts):
        part = text[start:end]
        first = start + len(part) - len(part.lstrip())
        last = start + len(part.rstrip(" \t\n.,;:!?。！？，、"))
        if last - first >= SHORTEST_CLAUSE:
            yield Span(first, last)
