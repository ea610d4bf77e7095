"""Factuality of a sentence: its numbers, names and dates, constraints, and what people say of themselves."""

from __future__ import annotations

import re
from functools import lru_cache

from apps.engine.language.rationale import is_correction
from apps.engine.language.similarity import normalized_case, specificity
from apps.engine.language.supersession import Statement

_NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|sixty"
    r"|seventy|eighty|ninety|hundred|thousand|million|half|dozen|twice)\b"
)
_CONSTRAINT = re.compile(
    r"\b(?:never|always|nowhere|must|may not|cannot|can't|nothing (?:older|newer|but)|except|at most|at least"
    r"|allergic|allergy|intolerant|hives|off limits|off the table|not a (?:cent|single)|forbidden"
    r"|only (?:at|in|on|to|from|with|after|before|if|when))\b|^(?:please |and |but |also |so )*(?:do not"
    r"|don't|no|stop|avoid|only) "
)
_OF_ONESELF = re.compile(
    r"\b(?:i|we) (?:(?:only|also|usually|always|never|still|now) )?(?:take|keep|live|work|weigh|use|own|drive|put"
    r"|pay|earn|speak|eat|drink|sleep|lie|react|wear|need|study|play|was born|grew up|moved|get|have|am|can't"
    r"|cannot|don't)\b"
    r"|\b(?:my|our) (?:\w+ )?(?:mother|mom|mum|father|dad|parents|sister|brother|son|daughter|kids|children|twins|wife"
    r"|husband|partner|grandmother|grandfather|grandma|grandpa|aunt|uncle|cousin|boss|manager|doctor|therapist|landlord"
    r"|neighbou?r|flat|apartment|house|car|bike|dog|cat|birthday|job|team|contact|budget|address)\b"
)
_RESPONSIBLE = re.compile(
    r"\b(?:approves?|owns|signs? off|responsible for|in charge of|looks after|takes care of|reports to|runs|chairs)\b"
)
_FEELING = re.compile(
    r"\b(?:feel|feels|feeling|felt|wonder|believe|think|thought|thinking|maybe|perhaps|glad|sorry|thanks?|honestly"
    r"|lovely|beautiful|funny|laughed|nervous|sounds like|looks like)\b"
)


@lru_cache(maxsize=20_000)
def factuality(text: str) -> float:
    """The weight of a sentence's facts, from -1 to about 6.

    >>> factuality("I take 50 micrograms at seven.") > factuality("It was lovely to walk there.")
    True
    """
    low = normalized_case(text)
    return (
        specificity(text)
        + 0.5 * bool(_NUMBER_WORD.search(low))
        + 0.75 * is_constraint(text)
        + 0.75 * bool(_OF_ONESELF.search(low))
        + 0.5 * bool(_RESPONSIBLE.search(low))
        + 1.0 * (bool(Statement(text).replaced) or is_correction(text))
        - 1.0 * bool(_FEELING.search(low))
    )


def is_constraint(text: str) -> bool:
    """Whether a sentence limits or forbids something.

    >>> is_constraint("Never deploy on a Friday."), is_constraint("We deployed on a Friday.")
    (True, False)
    """
    return bool(_CONSTRAINT.search(normalized_case(text)))
