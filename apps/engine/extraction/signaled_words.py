"""Signals: phrases by which people mark what is to be remembered, so that it is remembered at once.

What the rules know beside a signal is the same candidate that any later reading finds. What they do not know is
remembered for the signal alone, if it passes the same judgements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.engine.extraction.candidate import Candidate, Extraction, Quote, Speaker, Utterance
from apps.engine.extraction.clauses import Clause, sentences
from apps.engine.extraction.extract import extract
from apps.engine.extraction.judgement import Refusal, is_dictated, is_negated, refusal_of
from apps.engine.extraction.own_words import OwnWords, Span
from apps.engine.extraction.signal_phrases import HINTS, SIGNALS, Signal
from apps.engine.extraction.slots import SlotReader
from apps.engine.extraction.statements import opened, statement_of
from apps.engine.language.similarity import words
from apps.engine.memory.categories import Category
from apps.engine.memory.trust import Source

PREFIX = "signal:"
"""How the rule of a signaled candidate begins."""

LONGEST_READ = 20_000
"""Characters of the longest message that is read for signals when it is stored; a longer one waits for the next run."""
_MOST_CHARACTERS = 4_000
_FEWEST_WORDS, _SHORTEST = 3, 5
_CONFIDENCE = 0.9
_EDGE = " \t\n,;:.!-–—()：，、。！"
_LINE = re.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class _Hit:
    """A signal's words in their sentence, and what is to be remembered."""

    signal: Signal
    phrase: Span
    sentence: Span
    target: Span

    @property
    def asks(self) -> bool:
        """Whether a person asks to remember what is said beside it."""
        return self.signal.category is None


def has_hint(text: str) -> bool:
    """Whether a text may contain a signal; costs next to nothing.

    >>> has_hint("Always use tabs."), has_hint("Which tabs are open?")
    (True, False)
    """
    lowered = text.lower()
    return any(hint in lowered for hint in HINTS)


def signaled(utterance: Utterance) -> tuple[Candidate, ...]:
    """The candidates that a person's own message marks with a signal.

    >>> message = Utterance("1", 0, Speaker.SELF, "Ok. Don't forget: the office closes at six. Is it open now?")
    >>> [(one.rule, one.statement) for one in signaled(message)]
    [('signal:remember', 'The office closes at six.')]
    """
    if utterance.speaker is not Speaker.SELF or len(utterance.text) > LONGEST_READ or not has_hint(utterance.text):
        return ()
    own = OwnWords(utterance.text)
    text = _near_hints(own.text)
    if len(text.replace("\n", "")) > _MOST_CHARACTERS:
        return ()
    hits = list(_hits(text))
    found = extract([replace(utterance, text=text)] if hits else [])
    chosen: dict[Span, Candidate] = {}
    for hit in hits:
        for candidate in _found_by_rules(hit, found) or _found_by_signal(hit, own, utterance):
            chosen.setdefault(candidate.quote.span, candidate)
    return tuple(chosen[span] for span in sorted(chosen, key=lambda span: span.start))


def _near_hints(text: str) -> str:
    """The lines with hints and those before them; others are blank, so that places stay the same."""
    lines = [line for line in _LINE.finditer(text) if not line.group().isspace()]
    near = {place for at, line in enumerate(lines) if has_hint(line.group()) for place in (at - 1, at) if place >= 0}
    parts, end = [], 0
    for place in sorted(near):
        line = lines[place]
        parts += ["\n" * (line.start() - end), line.group()]
        end = line.end()
    return "".join((*parts, "\n" * (len(text) - end)))


def _hits(text: str) -> Iterator[_Hit]:
    previous: Span | None = None
    for clauses in sentences(text):
        sentence = clauses[0].sentence
        for signal, phrase in _phrases(clauses):
            if hit := _hit(text, signal, phrase, sentence, previous):
                yield hit
        previous = sentence


def _phrases(clauses: Sequence[Clause]) -> Iterator[tuple[Signal, Span]]:
    for signal in SIGNALS:
        for clause in clauses:
            if match := signal.pattern.search(clause.text):
                yield signal, Span(clause.start + match.start(), clause.start + match.end())


def _hit(text: str, signal: Signal, phrase: Span, sentence: Span, previous: Span | None) -> _Hit | None:
    if signal.category is not None:
        return _Hit(signal, phrase, sentence, sentence)
    before, after = _trimmed(text, sentence.start, phrase.start), _trimmed(text, phrase.end, sentence.end)
    target = next((span for span in (after, before, previous) if span and _says_something(text, span)), None)
    return _Hit(signal, phrase, sentence, target) if target else None


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip(_EDGE))
    return Span(start, max(start, start + len(piece.strip(_EDGE))))


def _says_something(text: str, span: Span) -> bool:
    piece = text[span.start : span.end]
    return len(words(piece)) >= _FEWEST_WORDS or (not piece.isascii() and len(piece) >= _SHORTEST)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _found_by_rules(hit: _Hit, found: Extraction) -> list[Candidate]:
    marked = hit.target if hit.asks else hit.phrase
    return [
        replace(
            one, rule=PREFIX + hit.signal.name, category=hit.signal.category or one.category, confidence=_CONFIDENCE
        )
        for one in found.candidates
        if _overlap(one.quote.span, marked)
    ]


def _found_by_signal(hit: _Hit, own: OwnWords, utterance: Utterance) -> list[Candidate]:
    """What no rule knows, if nothing speaks against it or the rest of its sentence."""
    if any(own.quotes(span.start, span.end) for span in (hit.target, hit.sentence)) or _speaks_against(hit, own.text):
        return []
    quote = utterance.text[hit.target.start : hit.target.end]
    return [
        Candidate(
            category=hit.signal.category or Category.ENTITIES,
            statement=statement_of(utterance, quote),
            quote=Quote(utterance.id, utterance.index, hit.target, quote),
            source=Source.QUOTED,
            rule=PREFIX + hit.signal.name,
            confidence=_CONFIDENCE,
            slot=SlotReader().read(opened(quote)),
        )
    ]


def _speaks_against(hit: _Hit, text: str) -> bool:
    """A person may ask to remember what other people are or do."""
    phrase, sentence = hit.phrase, hit.sentence
    if is_dictated(text[sentence.start : sentence.end]):
        return True
    blanked = " " * (phrase.end - phrase.start) if hit.asks else text[phrase.start : phrase.end]
    rest = text[sentence.start : phrase.start] + blanked + text[phrase.end : sentence.end]
    read = [clause for part in (rest, text[hit.target.start : hit.target.end]) for clause in _clauses(part)]
    refusals = {refusal for clause in read if (refusal := refusal_of(clause))}
    if hit.asks:
        return bool(refusals - {Refusal.THIRD_PARTY})
    return bool(refusals) or (not hit.signal.negated and any(is_negated(clause) for clause in read))


def _clauses(text: str) -> list[Clause]:
    return [clause for clauses in sentences(text) for clause in clauses]
