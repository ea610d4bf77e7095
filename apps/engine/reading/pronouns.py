"""Personal pronouns of the third person that begin a clause as its subject."""

from __future__ import annotations

import re

PRONOUNS = frozenset(
    (
        *("he", "she", "they", "it"),
        *("sie",),
        *("hij", "zij", "ze"),
        *("hon", "hän"),
        *("elle", "ils", "elles"),
        *("él", "ella", "ellos", "ellas"),
        *("ele", "ela", "eles", "elas"),
        *("lui", "lei"),
        *("ona", "oni"),
        *("он", "она", "они", "він", "вона", "вони"),
        *("той", "тя"),
        *("αυτός", "αυτή"),
        *("onlar", "ő", "ők"),
        *("هو", "هي", "הוא", "היא", "او", "वह"),
        *("anh ấy", "cô ấy", "yeye", "siya"),
    )
)
"""What is a common word in another language is left out: "on", "de", "es", "el", "er", "han", "hun", "il", "dia"."""

PRONOUN = re.compile(rf"(?:{'|'.join(sorted(PRONOUNS, key=len, reverse=True))})(?=\s|$|['’])", re.IGNORECASE)
"""One of them at the place where it is looked for."""


def begins_with_pronoun(text: str, start: int) -> bool:
    """Whether a pronoun stands at a place of a text.

    >>> begins_with_pronoun("Ada is here. She works at night", 13), begins_with_pronoun("Item one", 0)
    (True, False)
    """
    return PRONOUN.match(text, start) is not None
