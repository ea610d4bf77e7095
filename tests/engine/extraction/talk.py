"""Utterances for tests, and what the reader might read in them."""

from __future__ import annotations

from collections.abc import Sequence

from apps.engine.extraction.candidate import Candidate, Extraction, Speaker, Utterance
from apps.engine.extraction.extract import Thresholds, extract
from apps.engine.extraction.parts import Part, parts_of
from apps.engine.memory.categories import Category
from apps.engine.reading.attributes import ATTRIBUTES
from apps.engine.reading.chances import MessageRead, SpanRead
from apps.engine.reading.labels import CATEGORIES, CHANGES, COMMANDS
from apps.engine.reading.spans import MemorableSpan

THRESHOLDS = Thresholds(accepted=0.75, proposed=0.5)


def utterance(text: str, speaker: Speaker = Speaker.SELF, index: int = 0, name: str = "") -> Utterance:
    return Utterance(f"message-{index}", index, speaker, text, name)


def one_of(labels: Sequence[str], label: str) -> list[float]:
    """Chances that are sure of a label."""
    return [float(one == label) for one in labels]


def span_of(
    text: str,
    quote: str,
    *,
    chance: float = 0.9,
    about: str = "",
    category: Category = Category.PROFILE,
    secret: float = 0.0,
    attribute: str = "",
    change: str = "",
) -> SpanRead:
    start = text.index(quote)
    return SpanRead(
        MemorableSpan(start, start + len(quote), 0, 0, chance),
        chance,
        secret,
        0.0,
        one_of(CATEGORIES, category),
        one_of(CHANGES, change),
        one_of(("", *ATTRIBUTES), attribute),
        about,
        0.9,
        float(not about),
    )


def read_of(
    *spans: SpanRead,
    command: str = "",
    to_remember: SpanRead | None = None,
    whole: SpanRead | None = None,
    has_fact: float = 0.9,
) -> MessageRead:
    return MessageRead(has_fact, one_of(COMMANDS, command), "", "", spans, to_remember, whole)


def extracted(parts: Sequence[Part], *reads: MessageRead) -> Extraction:
    return extract(parts, reads, THRESHOLDS)


def found(
    text: str, *spans: SpanRead, speaker: Speaker = Speaker.SELF, name: str = "", command: str = ""
) -> Extraction:
    """What becomes of a short message in which these spans are read."""
    return extracted(parts_of([utterance(text, speaker, name=name)]), read_of(*spans, command=command))


def candidate(text: str, quote: str = "", **labels: object) -> Candidate:
    """The candidate of a quote in a message, by default of all of it."""
    [one] = found(text, span_of(text, quote or text, **labels)).candidates  # type: ignore[arg-type]
    return one
