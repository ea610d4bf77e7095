"""Lists of facts: what is read of their items alone, beside what is read of them together.

Of several facts at once the reader finds half as many, and the items of a list are often a word or two: "- nurse".
Each is read after the heading. Whether it is a list of facts, and not one to buy or to translate, all of it together
tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from apps.engine.extraction.candidate import Candidate, Quote, Refused
from apps.engine.extraction.parts import Part
from apps.engine.reading.certainty import command_of
from apps.engine.reading.chances import REMEMBER, MessageInput, MessageRead, SpanRead
from apps.engine.reading.labels import COMMANDS

_FACTS = 0.75
"""The least chance of a list to hold anything worth keeping."""
_NO_COMMAND = (1.0, *(0.0 for _ in COMMANDS[1:]))

Read = tuple[Part, MessageRead]


def read_parts(
    parts: Sequence[Part], read: Callable[[Sequence[MessageInput]], Sequence[MessageRead]]
) -> tuple[list[Part], list[MessageRead]]:
    """Return the parts with what is read of each, those that are lists of facts followed by their items."""
    wholes = read([one.input for one in parts])
    lists = [part for part, one in zip(parts, wholes, strict=True) if _holds_facts(one)]
    items = iter(read([item.input for part in lists for item in part.items]))
    reads = [
        one
        for part, whole in zip(parts, wholes, strict=True)
        for one in (whole, *(next(items) for _ in part.items if _holds_facts(whole)))
    ]
    return parts_read(parts, reads), reads


def parts_read(parts: Iterable[Part], reads: Iterable[MessageRead]) -> list[Part]:
    """Return the parts and items that were read, in the order of what `read_parts` read of them."""
    found: list[Part] = []
    rest = iter(reads)
    for part in parts:
        items = part.items if _holds_facts(next(rest)) else ()
        found += (part, *items)
        for _ in items:
            next(rest)
    return found


def _holds_facts(read: MessageRead) -> bool:
    return read.has_fact >= _FACTS


def with_items(read: Iterable[Read]) -> Iterator[list[Read]]:
    """Yield each part with what was read, followed by the items in it that were read too."""
    group: list[Read] = []
    for part, one in read:
        if part.is_item:
            group.append((part, one))
            continue
        if group:
            yield _as_list(*group)
        group = [(part, one)]
    if group:
        yield _as_list(*group)


def surest(found: Iterable[Candidate | Refused]) -> list[Candidate | Refused]:
    """Return what was found of a part and its items, the same words only once: refused if they were refused anywhere,
    else as they were read most surely."""
    kept: list[Candidate | Refused] = []
    for one in sorted(found, key=_doubt):
        if not overlaps(one.quote, kept):
            kept.append(one)
    return kept


def overlaps(quote: Quote, found: Sequence[Candidate | Refused]) -> bool:
    """Whether words of a quote were found in a message before."""
    return any(
        one.quote.span.start < quote.span.end and quote.span.start < one.quote.span.end
        for one in found
        if one.quote.message_id == quote.message_id
    )


def _doubt(found: Candidate | Refused) -> float:
    return 1 - found.confidence if isinstance(found, Candidate) else -1.0


def _as_list(whole: Read, *items: Read) -> list[Read]:
    """A part without what belongs to several of its items, and these."""
    part, read = whole
    if not items:
        return [whole]
    is_wanted = command_of(read) == REMEMBER
    starts = [item.start - part.start for item, _ in items]
    spans = [one for one in read.spans if not any(one.span.start < start < one.span.end for start in starts)]
    kept = replace(read, spans=spans, to_remember=None if is_wanted else read.to_remember)
    return [(part, kept), *((item, _of_item(item, one, read.command if is_wanted else None)) for item, one in items)]


def _of_item(item: Part, read: MessageRead, remember: Sequence[float] | None) -> MessageRead:
    """What an item holds behind its bullet. What is commanded the whole list says, as to `remember` each item."""
    spans = [_from(item.bullet, one) for one in read.spans if one.span.end > item.bullet]
    wanted = _from(item.bullet, read.whole) if read.whole and remember else None
    return replace(read, spans=spans, command=remember or _NO_COMMAND, commanded="", ended="", to_remember=wanted)


def _from(first: int, one: SpanRead) -> SpanRead:
    return replace(one, span=replace(one.span, start=max(first, one.span.start)))
