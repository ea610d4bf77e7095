"""The plan that counts: the newest one, without the steps that are done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.engine.language.cue_classifier import field_cues, heading_field
from apps.engine.language.sentences import Sentence
from apps.engine.language.similarity import coverage, normalized_case, specificity, stems
from apps.engine.messages.parsing import Reading

_SEQUENCE = re.compile(
    r"^(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|after that|afterwards|finally|lastly|step \d+)\b"
)
_ACTION = re.compile(
    r"^(?:add|analy[sz]e|announce|archive|ask|audit|back ?up|backfill|benchmark|book|build|buy|call|change|check"
    r"|clean|collect|compare|configure|connect|contact|convert|copy"
    r"|create|cut|define|delete|deploy|design|disable|document|draft|drop|enable|estimate|export|extract|fetch"
    r"|finish|fix|generate|implement|import|install|integrate|introduce"
    r"|investigate|launch|load|log|measure|merge|migrate|monitor|move|notify|open|order|organi[sz]e|pack|plan"
    r"|port|prepare|profile|provision|publish|put|read|refactor|release"
    r"|remove|rename|replace|reproduce|research|restore|review|revoke|rewrite|rollout|roll|rotate|run|schedule"
    r"|seed|send|set|ship|split|start|stop|store|switch|sync|test|track"
    r"|train|turn|update|upgrade|upload|validate|verify|visit|wire|write)\b"
)
_DONE = re.compile(
    r"\b(?:done|finished|completed?|already (?:did|done|have)|is (?:live|merged|in place|working now|deployed"
    r"|ready|up and running)|i(?:'ve| have)|we(?:'ve| have)|i just|we just|just)\b"
    r"|^(?:added|created|deployed|fixed|implemented|merged|migrated|moved|removed|renamed|replaced|ran|rotated"
    r"|set up|shipped|tested|updated|wrote|written)\b"
)
_NOT_DONE = re.compile(
    r"\b(?:not|n't|almost|nearly|once|when|after|until|if|will|before) (?:\w+ ){0,3}(?:done|finished"
    r"|completed?)\b|\bn't (?:been )?(?:done|finished)"
)
_STEP_DONE = re.compile(
    r"\bsteps? (\d{1,2})\b[^.]{0,30}\b(?:done|finished|complete[d]?|works)\b|\b(?:done with|finished"
    r"|completed) step (\d{1,2})\b"
)
_ENOUGH = 0.6


@dataclass(frozen=True, slots=True)
class Step:
    reading: Reading
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Plan:
    """`since` is the position of the newest complete plan (-1: none); older steps no longer count."""

    steps: tuple[Step, ...]
    since: int = -1


def newest_plan(readings: Sequence[Reading]) -> Plan:
    """The steps of the newest complete plan and the single intentions stated after it."""
    steps: list[Step] = []
    told: list[frozenset[str]] = []
    since = -1
    for reading in readings:
        whole = _whole_plan(reading)
        if whole:
            steps, since, told = [], reading.position, [stems(sentence.text) for sentence in whole]
        chosen = whole or [s for s in reading.sentences if _is_intention(reading, s) and not _is_told(s, told)]
        steps.extend(Step(reading, sentence) for sentence in chosen if not sentence.done)
    numbers = {reading.position: _numbers_done(reading) for reading in readings}
    return Plan(tuple(step for step in steps if not _number_is_done(step, numbers)), since)


def done_topics(readings: Sequence[Reading]) -> list[tuple[int, frozenset[str]]]:
    """The topics that messages report as finished, with the messages' positions."""
    return [
        (reading.position, topic)
        for reading in readings
        for sentence, topic in zip(reading.sentences, reading.topics, strict=True)
        if sentence.done or _says_done(sentence)
    ]


def is_done(step: str, position: int, done: Sequence[tuple[int, frozenset[str]]]) -> bool:
    """Whether a later message reports the step as finished.

    >>> is_done("Add the login page", 0, [(1, stems("I've added the login page"))])
    True
    """
    topic = stems(step)
    least = min(2, len(topic))
    return any(
        place > position and len(topic & said) >= least and coverage(topic, said) >= _ENOUGH
        for place, said in done
        if topic
    )


def _whole_plan(reading: Reading) -> list[Sentence]:
    """A headed list, a numbered list of actions, or sentences in sequence: at least two steps."""
    heads = [sentence for sentence in reading.sentences if heading_field(sentence.heading) == "current_plan"]
    headed = [s for s in heads if (s.step or s.heading in ("next", "plan", "next step")) and not s.is_question]
    listed = [s for s in reading.sentences if s.step and not s.heading and not s.is_question]
    actions = [s for s in listed if _ACTION.match(normalized_case(s.text))]
    sequence = [s for s in reading.sentences if not s.step and not s.is_question and _is_in_sequence(s)]
    for steps in (_first_of_each(headed), actions if len(actions) * 2 > len(listed) else [], sequence):
        if len(steps) >= 2 and not _is_past(steps):
            return steps
    return []


def _is_in_sequence(sentence: Sentence) -> bool:
    return bool(_SEQUENCE.match(normalized_case(sentence.text))) and "current_plan" in field_cues(sentence.text)


def _first_of_each(steps: Sequence[Sentence]) -> list[Sentence]:
    """One sentence for each item of a list."""
    return [
        s for before, s in zip([None, *steps], steps, strict=False) if not (before and s.step and before.step == s.step)
    ]


def _is_past(steps: Sequence[Sentence]) -> bool:
    return all(sentence.done or _says_done(sentence) for sentence in steps)


def _is_intention(reading: Reading, sentence: Sentence) -> bool:
    if sentence.is_question or len(sentence.text) > 400:
        return False
    if sentence.heading and heading_field(sentence.heading) == "current_plan":
        return True
    cues = field_cues(sentence.text)
    strength = cues.get("current_plan", 0)
    if not strength or max(cues.values()) > strength:
        return False
    if reading.among_people:
        return (specificity(sentence.text) >= 0.75 and len(stems(sentence.text)) >= 3) or len(stems(sentence.text)) >= 7
    return len(stems(sentence.text)) >= 3 and (reading.person or strength + specificity(sentence.text) >= 3.5)


def _is_told(sentence: Sentence, told: Sequence[frozenset[str]]) -> bool:
    """Whether it repeats a step of the plan: "next I'll …" only starts that step."""
    topic = stems(sentence.text)
    return any(coverage(step, topic) >= _ENOUGH or coverage(topic, step) >= _ENOUGH for step in told)


def _says_done(sentence: Sentence) -> bool:
    low = normalized_case(sentence.text[:400])
    return not sentence.is_question and bool(_DONE.search(low)) and not _NOT_DONE.search(low)


def _numbers_done(reading: Reading) -> frozenset[int]:
    found = (_STEP_DONE.search(normalized_case(sentence.text[:400])) for sentence in reading.sentences)
    return frozenset(int(match.group(1) or match.group(2)) for match in found if match)


def _number_is_done(step: Step, numbers: dict[int, frozenset[int]]) -> bool:
    return bool(step.sentence.step) and any(
        place > step.reading.position and step.sentence.step in done for place, done in numbers.items()
    )
