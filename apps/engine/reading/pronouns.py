"""Personal pronouns of the third person that begin a clause as its subject."""

from __future__ import annotations

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
