"""The summarizer that needs no model: it chooses the sentences that matter and never writes one of its own.

Deterministic: the same summary, messages, level and policy always give the same summary.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from apps.engine.messages.message import Message
from apps.engine.messages.parsing import Reading, read_messages
from apps.engine.policy import Level, Policy
from apps.engine.summary.by_reader.judge import NO_JUDGE, Judge
from apps.engine.summary.candidates import Finding, findings_of
from apps.engine.summary.consolidation import Consolidation, Placed
from apps.engine.summary.corrections import CorrectedLines, remaining_space, with_corrections, without_corrected
from apps.engine.summary.current_plan import done_topics, is_done
from apps.engine.summary.facts import facts
from apps.engine.summary.open_questions import is_answered
from apps.engine.summary.rolling_summary import FIELDS, Entry, Reference, RollingSummary
from apps.engine.summary.salience import body_text, entry_text
from apps.engine.summary.trust.attribution import attributed
from apps.engine.summary.trust.prompt_injection import orders_the_model, without_orders
from apps.engine.summary.vocabulary import Vocabulary


def summarize(
    current: RollingSummary,
    messages: Sequence[Message],
    level: Level,
    policy: Policy,
    judge: Judge = NO_JUDGE,
) -> RollingSummary:
    """Summarize `current` and the compacted messages, oldest first; a person's corrections are preserved.

    The `judge` knows what people say in them, and the lines of `current`.

    >>> from apps.engine.messages.message import Role
    >>> said = Message("m1", 0, Role.USER, "We chose Redis because it is fast.", 12)
    >>> summarize(RollingSummary(), [said], Level.LIGHT, Policy()).decisions
    (Decision(text='We chose Redis', reason='it is fast.', sources=('m1',), corrected=False, reported=False),)
    """
    readings = read_messages(messages)
    places = {message.id: place for place, message in enumerate(messages)}
    consolidation = Consolidation(level, remaining_space(current, policy), places)
    vocabulary = Vocabulary.of(readings)
    findings, since = findings_of(readings, vocabulary, judge.reads)
    own = without_orders(without_corrected(current))
    lines = {
        field: [Placed(entry, consolidation.place(entry), judge.chance(entry)) for entry in getattr(own, field)]
        for field in FIELDS
    }
    taken = {field: CorrectedLines.of(current, field) for field in FIELDS}
    lines["current_plan"] = _still_planned(lines["current_plan"], readings, since)
    lines["open_questions"] = _still_open(lines["open_questions"], readings)
    for field, placed in chain(findings, _unclaimed(facts(readings, vocabulary, judge.reads), findings)):
        if not (taken[field].contains(placed.entry) or orders_the_model(entry_text(placed.entry))):
            lines[field].append(placed)
    merged = consolidation.merged(judge.without_overturned(lines))
    return attributed(with_corrections(merged, current, policy), messages, current)


def _unclaimed(found: Iterable[Finding], findings: Sequence[Finding]) -> Iterator[Finding]:
    """The facts that no other line of their message has."""
    claimed = defaultdict(list)
    for _, placed in findings:
        claimed[placed.position].append(placed.entry)
    for field, placed in found:
        if not any(_says(entry, body_text(placed.entry)) for entry in claimed[placed.position]):
            yield field, placed


def _says(entry: Entry, fact: str) -> bool:
    """Whether a line has a fact, or all of what the fact says."""
    fact, line = fact.rstrip(" .!…").lower(), entry_text(entry).lower()
    body = "" if isinstance(entry, Reference) else entry.text.rstrip(" .!…").lower()
    return fact in line or (bool(body) and body in fact)


def _still_planned(lines: Sequence[Placed], readings: Sequence[Reading], since: int) -> list[Placed]:
    """The old steps that no newer plan replaces and no message calls done."""
    done = done_topics(readings)
    return [
        line for line in lines if line.position >= since and not is_done(entry_text(line.entry), line.position, done)
    ]


def _still_open(lines: Sequence[Placed], readings: Sequence[Reading]) -> list[Placed]:
    """The old questions that no later message answers."""
    return [
        line
        for line in lines
        if not is_answered(entry_text(line.entry), (r for r in readings if r.position > line.position))
    ]
