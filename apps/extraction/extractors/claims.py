"""A model's answer as candidates, which the grounding gate then judges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from apps.engine.extraction.candidate import Candidate, Quote, Utterance
from apps.engine.extraction.own_words import Span
from apps.engine.memory.categories import RULES, Category, Merging
from apps.engine.memory.relations import Related, Relation
from apps.engine.memory.slots import USER, Slot
from apps.engine.memory.trust import Source
from apps.engine.messages.parsing import clipped
from apps.extraction.extractors.schema import MemoriesAnswer, MemoryAnswer
from apps.extraction.extractors.transcript import Transcript, label_of
from apps.llm.structured.structured_output import NotAcceptable
from apps.llm.structured.text import clean, storable

RULE = "model"
_LONGEST_STATEMENT, _LONGEST_QUOTE, _LONGEST_NAME = 500, 1_000, 60
_MOST = 60
_LABEL = re.compile(r"([mk]?)(\d+)")
_RELATIONS = {"skip": Relation.SAME, "merge": Relation.EXTENDS, "supersede": Relation.SUPERSEDES}


def claims_of(answer: MemoriesAnswer, transcript: Transcript, model: str, *, last: bool) -> list[Candidate]:
    """Convert the answer; raises `NotAcceptable` if it quotes what is in no message, unless this is the last try."""
    messages = {label_of(one): one for one in transcript.messages}
    listed = answer.memories[:_MOST]
    quoting = [one for one in listed if _label(one.message, "m") in messages]
    wrong = [one.message for one in listed if not _is_verbatim(one, messages)]
    if wrong and not last:
        raise NotAcceptable(_problem(wrong), "Some quotes are in no message.")
    claims = (_claim(one, messages[_label(one.message, "m")], transcript, model) for one in quoting)
    return [one for one in claims if one is not None]


def _is_verbatim(one: MemoryAnswer, messages: Mapping[str, Utterance]) -> bool:
    message = messages.get(_label(one.message, "m"))
    return message is not None and _squeezed(one.quote) in _squeezed(message.text)


def _squeezed(text: str) -> str:
    return " ".join(text.split()).casefold()


def _problem(labels: Iterable[str]) -> str:
    names = ", ".join(clipped(clean(label), 12) for label in dict.fromkeys(labels))
    return f'Some quotes are not in the messages of the block "messages" that they name, word for word: {names}.'


def _claim(one: MemoryAnswer, message: Utterance, transcript: Transcript, model: str) -> Candidate | None:
    statement, quote = clean(one.statement), storable(one.quote)[:_LONGEST_QUOTE]
    if not statement or len(statement) > _LONGEST_STATEMENT or not quote.strip():
        return None
    category = Category(one.category)
    return Candidate(
        category=category,
        statement=statement,
        quote=Quote(message.id, message.index, Span(0, 0), quote),
        source=Source.INFERRED if one.inferred else Source.QUOTED,
        rule=RULE,
        confidence=min(max(one.confidence, 0.0), 1.0),
        slot=_slot(one),
        occurred_at=_day(one.occurred_on),
        until=_day(one.ends_on),
        name=clipped(clean(one.name), _LONGEST_NAME),
        extractor=model,
        target=_target(one, transcript, category),
    )


def _slot(one: MemoryAnswer) -> Slot | None:
    """The slot in its stored form; none if the model left a part of it out."""
    subject, value = clean(one.subject), clean(one.value)
    is_user = subject.casefold() in (USER, "the user")
    slot = Slot.of(USER if is_user else subject, clean(one.attribute), value, many=one.many)
    return slot if slot.attribute and subject and slot.value else None


def _target(one: MemoryAnswer, transcript: Transcript, category: Category) -> Related | None:
    """A model's advice on a known memory; one whose category is never rewritten is only repeated."""
    number = int(_label(one.target, "k")[1:] or 0)
    relation = _RELATIONS.get(one.decision)
    if relation is None or not 1 <= number <= len(transcript.known):
        return None
    if one.decision == "merge" and RULES[category].merging is Merging.NEVER:
        return None
    return Related(transcript.known[number - 1].id, relation, "advised", one.confidence)


def _label(text: str, kind: str) -> str:
    """Parse a label, ignoring what surrounds it; a bare number is of the expected kind."""
    found = _LABEL.search(text.lower())
    return f"{kind}{found[2]}" if found and found[1] in ("", kind) else kind


def _day(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip()[:10]).replace(tzinfo=UTC)
    except ValueError:
        return None
