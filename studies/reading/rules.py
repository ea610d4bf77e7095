"""`make reading RULES=1`: the rules that remain beside the reader, each with its precision on the labeled material.

A rule refuses words that look like a memory. It is right about a trap and wrong about a fact.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from apps.engine.extraction.own_words import OwnWords
from apps.engine.extraction.own_words import Span as Place
from apps.engine.extraction.refusal import is_dictated, names_secret, sentences_around
from studies.reading.material import Row, Span, rows, writers
from studies.reading.score import share
from studies.simulate import table


def _sentence(row: Row, span: Span) -> str:
    return sentences_around(row.text, Place(span.start, span.end))


RULES: Mapping[str, Callable[[Row, Span], bool]] = {
    "secret: words that announce a credential": lambda row, span: names_secret(_sentence(row, span)),
    "quoted: between quotation marks, after a quote's introduction": lambda row, span: OwnWords(row.text).quotes(
        span.start, span.end
    ),
    "instruction_injection: orders to any assistant": lambda row, span: is_dictated(_sentence(row, span)),
}


def main() -> int:
    """Print a line for each rule: the traps and the facts that it refuses, and its precision."""
    every = [row for writer in writers() for row in rows(writer)]
    lines = [("rule", "traps", "facts", "precision")]
    for name, refuses in RULES.items():
        traps = sum(refuses(row, trap.span) for row in every for trap in row.traps)
        facts = sum(refuses(row, fact.span) for row in every for fact in row.facts)
        lines.append((name, str(traps), str(facts), f"{share(traps, traps + facts):.3f}"))
    print(table(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
