"""A part of a conversation as a model sees it: without private parts, code, and secrets; pasted text set apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from apps.common.secrets.redaction import redacted, redacted_texts
from apps.engine.extraction.candidate import Speaker, Utterance
from apps.engine.extraction.grounding import Evidence, visible_text
from apps.engine.extraction.own_words import Foreign, foreign_spans
from apps.engine.language.excerpt import excerpt
from apps.engine.memory.slots import Slot
from apps.engine.tokens.estimate import estimate_text

_PEOPLE = frozenset((Speaker.SELF, Speaker.MEMBER))
_SPEAKERS = {Speaker.SELF: "user"}
_OWN_TOKENS, _CONTEXT_TOKENS, _PASTED_TOKENS = 2_000, 400, 400
_SET_APART = frozenset((Foreign.PASTED, Foreign.QUOTED))


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """An accepted memory that the new ones may repeat or replace."""

    id: str
    statement: str
    slot: Slot | None = None


@dataclass(frozen=True)
class Transcript:
    """Messages to find memories in, the ones before them, and what is known already. `days` are the messages' dates."""

    messages: Sequence[Utterance]
    earlier: Sequence[Utterance] = ()
    known: Sequence[KnownMemory] = ()
    days: Mapping[str, date] = field(default_factory=dict)

    @property
    def evidence(self) -> Evidence:
        return Evidence([*self.earlier, *self.messages], self.days, [one.statement for one in self.known])

    @cached_property
    def rows(self) -> dict[str, dict[str, Any]]:
        """Each message as data, by its label; system text is none of them."""
        shown = [one for one in (*self.earlier, *self.messages) if one.speaker is not Speaker.SYSTEM]
        parts = [_parts(one) for one in shown]
        texts = _without_secrets(shown, [text for text, _ in parts])
        return {
            label_of(one): _row(one, text, pasted, self.days.get(one.id))
            for one, text, (_, pasted) in zip(shown, texts, parts, strict=True)
        }

    def known_rows(self) -> list[dict[str, Any]]:
        return [{"label": f"k{number}", **_known_row(one)} for number, one in enumerate(self.known, 1)]

    @property
    def tokens(self) -> int:
        return sum(estimate_text(str(row)) for row in (*self.rows.values(), *self.known_rows()))


def label_of(utterance: Utterance) -> str:
    return f"m{utterance.index}"


def shown_tokens(utterance: Utterance) -> int:
    """About how many tokens of a message are shown."""
    limit = _OWN_TOKENS + _PASTED_TOKENS if utterance.speaker in _PEOPLE else _CONTEXT_TOKENS
    return min(estimate_text(utterance.text), limit)


def _row(one: Utterance, text: str, pasted: Sequence[str], day: date | None) -> dict[str, Any]:
    row: dict[str, Any] = {"label": label_of(one), "speaker": _SPEAKERS.get(one.speaker, one.speaker.value)}
    row |= {"name": redacted(one.name)} if one.name else {}
    row |= {"date": day.isoformat()} if day else {}
    row["text"] = excerpt(text, label_of(one), _OWN_TOKENS if one.speaker in _PEOPLE else _CONTEXT_TOKENS)
    return row | ({"pasted": list(pasted)} if pasted else {})


def _parts(one: Utterance) -> tuple[str, list[str]]:
    """The author's own words, and the texts that they quote or pasted."""
    visible = visible_text(one)
    if one.speaker not in _PEOPLE:
        return visible, []
    own, apart, place = [], [], 0
    for span in sorted(foreign_spans(one.text), key=lambda found: (found.start, -found.end)):
        if span.start < place:
            continue
        own += [visible[place : span.start], "" if span.why is Foreign.COMMENT else f"[{span.why.value}]"]
        if span.why in _SET_APART:
            apart.append(_without_code(one, span.start, span.end))
        place = span.end
    limited = [excerpt(redacted(text), label_of(one), _PASTED_TOKENS) for text in apart]
    return "".join((*own, visible[place:])), limited


def _without_code(one: Utterance, start: int, end: int) -> str:
    """A part of a message without the code, the comments and the private parts inside it."""
    text = one.text
    for span in foreign_spans(one.text):
        if span.why not in _SET_APART:
            text = text[: span.start] + "\n" * (span.end - span.start) + text[span.end :]
    return text[start:end].strip()


def _without_secrets(shown: Sequence[Utterance], texts: Sequence[str]) -> list[str]:
    """Redact secrets, also those that a speaker's next message continues."""
    left = redacted_texts(texts)
    for speaker in {one.speaker for one in shown}:
        places = [place for place, one in enumerate(shown) if one.speaker is speaker]
        for place, text in zip(places, redacted_texts([left[place] for place in places]), strict=True):
            left[place] = text
    return left


def _known_row(one: KnownMemory) -> dict[str, Any]:
    slot = one.slot
    address = {"subject": slot.subject, "attribute": slot.attribute, "value": redacted(slot.value)} if slot else {}
    return {"statement": redacted(one.statement), **address}
