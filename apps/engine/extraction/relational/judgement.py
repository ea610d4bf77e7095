"""Suppositions, and reports of what somebody else says: they are no wishes of a clause's author."""

from __future__ import annotations

import re

from apps.engine.extraction.clauses import Clause


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_SUPPOSES = _any(
    r"\b(?:would(?:'ve| have)|might|maybe|perhaps|i guess|i suppose|hopefully|i wish|wish (?:i|we)|dreaming|daydream"
    r"|imagine|one day|some ?day|in theory|supposedly|would be (?:nice|great|fun)|were (?:i|we) to"
    r"|in another life)\b",
    r"\b(?:i|we|you|he|she|it|they)(?:'d| would| could) (?!like\b|rather\b|prefer\b|love (?:you|it|the)\b)",
    r"^(?:and |but |so |then )*if\b|\b(?:an? (?:ideal|perfect) world|let's say|say we|suppose|supposing|assuming)\b",
    r"\b(?:was|were) (?:going to|thinking (?:of|about))\b",
    r"\b(?:vielleicht|eventuell|wäre|hätte|würde|könnte)\b",
    r"\b(?:quizás?|tal vez|ojalá|sería|podría|tendría|haría)\b",
    r"\b(?:peut-être|serait|aurait|ferait|pourrait)\b",
    r"かもしれ|でしょう|たい(?:なあ|な|かな)",
)
# An "if" elsewhere in the sentence whose consequence is imagined.
_CONDITION = _any(
    r"\bif\b.*(?:'d\b|\bwould\b|\bcould\b|\bmight\b|\bid\b)",
    r"^(?:should|were|had) (?:the|a|we|i|he|she|they|it|you|somebody|someone) \w",
    r"\bif (?:i|we|you|he|she|it|they) (?:had|were|was)\b|\bif\b.* (?:ever|comes? through|wins?)\b",
    r"^(?:und |aber )?(?:wenn|falls|hätte|wäre|würde)\b|\bwenn\b.*\b(?:wäre|wär|hätte|würde|könnte)",
    r"\bsi\b.*\b\w+(?:ría|rías|ríamos|rían|iera|ieras|ieran|ara|aras|aran)\b",
    r"\bsi\b.*\b\w+(?:rais|rait|rions|raient)\b",
    r"もし.*(?:たら|れば|なら)",
)
# "Every claim" is no report.
_NO_DETERMINER = (
    r"\b(?!(?:every|each|any|the|an?|no|this|my|our|your|his|her|their|his) (?:claim|promise|read|say)s?\b)"
)
# Somebody or something else is the source: "the docs say …", "he goes: …".
_REPORTED = _any(
    rf"{_NO_DETERMINER}\b(?!i\b|we\b)\w+ (?:says?|claims?|goes|promises|reckons|insists|thinks|believes|reads"
    r"|mentions)\b(?!\W*$)"
    r"(?! (?:to|in|into|up|live|on|out|back|past)\b)|\baccording to\b|\b(?:rumou?r|allegedly|apparently they)\b",
    r"\bin the (?:book|film|movie|novel|story|game|song)\b",
)
_SPEECH = _any(r"\b(?!i\b|we\b)\w+ (?:says?|said|goes|wrote|writes|asks?|replied|claims?):")


def is_hypothetical(clause: Clause) -> bool:
    """What would be, not what is; a rule with a condition ("exit with 3 if one fails") is no supposition."""
    return bool(_SUPPOSES.search(clause.text) or _CONDITION.search(clause.sentence_text))


def reports_others(clause: Clause) -> bool:
    """What somebody else says is not the author's statement."""
    return bool(_REPORTED.search(clause.text) or _SPEECH.search(clause.sentence_text))
