"""Words that say something changed, what they give up, and words that only add."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from apps.engine.language.similarity import stems


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_NUMBER = r"(?:[£$€]?\d|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|twice)\b)"
# One thing in the place of another.
_REPLACES = _any(
    r"\b(?:instead|rather than|in place of|after all)\b",
    r"\b(?:no longer|any ?more|no more)\b",
    r"\b(?:switch|swap|replac|renam|migrat)\w*",
    r"\b(?:took|taken|takes?|taking) (?:\w+ )?over\b",
    r"\b(?:left|leaving) .{2,30} for\b",
    r"\bditched\b",
    r"\bchange of plans?\b|\bchanged? my mind\b|\bcorrection\b|\bscratch that\b",
    r"\b(?:statt(?:dessen)?|anstatt|nicht mehr|umgestellt|gewechselt|doch lieber)\b",
    r"\b(?:en vez de|en lugar de|ya no|cambio de planes)\b",
    r"\bau lieu d|\b(?:plutôt que|désormais|dorénavant)\b",
    r"代わりに|に変わ|に変え|になりました",
)
# Somebody in the place of another.
_SUCCEEDS = _any(
    r"\b(?:took|taken|takes?|taking) (?:\w+ )?over\b",
    r"\bpick(?:s|ed) up\b",
    r"\b(?:covers?|covering|fill(?:s|ing) in|step(?:s|ped|ping) in) for\b|\bsteps? in\b",
    r"\b(?:replac(?:es|ed|ing)|succeed(?:s|ed)|inherit(?:s|ed)|instead of)\b",
    r"\b(?:übernimmt|übernommen|remplace|sustituye|reemplaza)\b",
)
# Something is so no more, or is new.
_CERTAIN = _any(
    r"\bfrom (?:now|here) on\b|\bfrom today\b|\bhenceforth\b|\bgoing forward\b",
    r"\bas of (?!yet|now$)\w+|\bsince (?:this|last|yesterday|today|the|mon|tues|wednes|thurs|fri|satur|sun)\w*",
    r"\b(?:chang|convert|upgrad|downgrad|reschedul|postpon|relocat|transferr)\w*",
    r"\b(?:bumped|dropped|scrapped|abandoned|moved|shifted|traded|ported|handed over)\b",
    r"\b(?:pushed back|pulled forward|brought forward|put back|extension)\b",
    r"\b(?:stepped down|resigned|retired|sold|shut down|closed down)\b",
    r"\b(?:pick(?:s|ed) up|covers?|covering|fill(?:s|ing) in|step(?:s|ped|ping) in)\b",
    r"\bback (?:to|on)\b|\bturned out\b|\bturned \d|\bi was wrong\b|\bmisspoke\b|\bused to\b",
    r"\b(?:slides?|slips?|slid|slipped) (?:to|by)\b",
    r"\bmake (?:it|that)\b|\bthey gave (?:me|us)\b|\bit is$|\bfinally (?:settled|decided|chose)\b",
    r"\b(?:a|one|two|three|\d+) (?:day|week|month|hour|year)s? (?:later|earlier)\b",
    r"(?<!right )(?<!until )(?<!till )(?<!for )\bnow\b(?! (?:and then|that)\b)",
    r"\bthese days\b|\bnowadays\b|\bofficially\b",
    r"\b(?:so|then) it'?s\b",
    rf"\bso (?:it'?s |that'?s )?{_NUMBER}",
    r"\b(?:is|are|was|were|'s) (?:off|out|dead|gone|over|cancell?ed|history)\b",
    r"\b(?:goes|went|gone|raised?|lowered|increased|reduced|brought|bring|cut|rose|fell|grew|grown|up|down)"
    rf" (?:\w+ ){{0,4}}?(?:up |down )?(?:to|by) {_NUMBER}",
    r"\breplacement\b|\bnew\b",
    r"\b(?:ab (?:jetzt|sofort|heute|dem)|umgezogen|verschoben|inzwischen|mittlerweile|jetzt|neuerdings|nun|wieder)\b",
    r"\b(?:a partir de|desde (?:hoy|ahora)|ahora|cambi\w+|al final|nos vamos|mud\w+|aplaz\w+|pas[aó]\w* a)\b",
    r"\bne .{1,30} plus\b|\bà partir d|\b(?:maintenant|finalement|chang\w+|déménag\w+|repouss\w+)\b",
    r"\bpassés? (?:à|au)\b",
    r"今は|今度は|もう.*ない|引っ越|からは",
)
# These fit a change as well as a first statement.
_POSSIBLE = _any(
    r"\bit'?ll (?:be|have to)\b|\b(?:has|have) to be\b|\bwill be\b",
    r"\bsince \w+|\bthen[.!]*$|\bcurrently\b|\bactually\b|\bup to\b|\bthe same\b",
    r"\b(?:got|gets?|became|becomes|turned)\b|\bgoing with\b|\bsettled on\b",
    r"\b(?:can|may) (?:now )?(?:go|be)\b|\b(?:is|are) free\b",
    r"\b(?:seit|wird|desde|será|depuis)\b|\bce sera\b|から",
)
# One more thing of the same kind takes no other's place.
_ADDS = _any(
    r"\b(?:also|as well|too(?=[.,;!?]|$)|another|one more|additionally|besides|in addition|on top|both|extra|plus)\b",
    r"\bsecond(?:ary)?\b|\b(?:backup|fallback|alternat\w+|spare)\b",
    r"\b(?:auch|außerdem|zusätzlich|también|además|otro|otra|aussi|en plus|encore un)\b|も(?:う一|飼|使|い)",
)
# An opening "also" joins sentences, not things.
_OPENING = re.compile(
    r"^(?:(?:and|but|oh|ah|ok|so|also|btw|besides|plus|one more thing|one thing changed|y|und|et|auch|además)\b"
    r"[,.:!]*\s+)+",
    re.IGNORECASE,
)
# What was said before announces a change.
_ANNOUNCES = _any(
    r"\bchange(?:d|s)?\b|\b(?:big |bad |good |more )?news\b|\bupdate\b|\bcorrection\b|\bnew plan\b",
    r"\bnext blow\b|\bhousekeeping\b",
    r"\b(?:änderung|neuigkeiten|cambio de planes|changement|nouvelles?)\b|変更|そうそう",
)

_OLD = r"(?:the |our |my |a |an )?(?P<old>[\w`'./&+#-]+(?: [\w`'./&+#-]+){0,3}?)"
_END = (
    r"(?=[.,;:!?)]|$| (?:because|since|for|so|as|in|on|to|and|due|after|from|at|when|with|by|last|this|next|yesterday"
    r"|today|now)\b)"
)
_START = r"(?:^|[,:;] |\b(?:so|but|and|that|btw) )"
_GIVEN_UP = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:left|swapped|switched|traded|ditched|dropped|changed|exchanged|quit|gave up|replaced) {_OLD}"
        r" (?:for|with|by)\b",
        rf"\b(?:from|off) {_OLD} (?:on)?to\b",
        rf"\b(?:instead of|rather than|in place of|replac(?:es|ed|ing)|(?:took|takes|taken|taking) over from|succeeds"
        rf"|no longer (?:use|using|at|in|with|on|have|the)?|no more|not (?:using|at|in|with|on)"
        rf"|stopped (?:using|with)?|done with|got rid of|cancell?ed|sold|ditched|dropped|scrapped|gave up|quit|left)"
        rf" {_OLD}{_END}",
        rf"{_START}{_OLD} (?:is|are|was|were|has been|'s) (?:now )?(?:off|out|dead|gone|over|cancell?ed|closed|sold"
        r"|history|retired|discontinued|read[ -]only|shut|deprecated|broken|leaving)\b",
        rf"{_START}{_OLD} (?:closed|shut down|fell through|went (?:bust|under|bankrupt|out of business)"
        r"|folded|moved out|resigned|quit|left|is leaving|stepped down|retired|cancell?ed|took a job|passed away|died"
        r"|backed out|pulled out)\b",
        rf", not (?:on |in |at )?{_OLD}{_END}",
        rf"{_START}{_OLD} (?:is|are|becomes?|became) (?:now )?[\w ]{{2,40}} (?:now|henceforth|from now on)\b",
        rf"\b(?:statt|anstatt|en vez de|en lugar de|au lieu de|au lieu du|plutôt que) {_OLD}{_END}",
    )
)
# What a change is about: "raised the rent to", "the office moved to", "made the logo teal".
_CHANGES = (
    r"(?:(?:chang|switch|mov|renam|rais|lower|increas|reduc|postpon|push|pull|shift|bump|extend|shorten|reschedul|swap"
    r"|turn|convert|updat|upgrad|relocat|expand|trimm?|doubl|halv|repaint|paint|transferr|adjust|slid|slip|drop)"
    r"(?:p?e[ds]?|p?ing|s)?|cut|cuts|made|makes?|set|put|grew|grown|rose|fell|went|goes|brought|bring)"
)
_CHANGED = (
    re.compile(rf"\b{_CHANGES} {_OLD} (?:from|to|by|until|up|down|back|into|forward|[a-z]+)\b", re.IGNORECASE),
    re.compile(
        rf"{_START}{_OLD} (?:(?:was|were|got|is|are|has been|have been|'s been) )?(?:now )?{_CHANGES}\b",
        re.IGNORECASE,
    ),
)
_NO_THINGS = stems("thing things one stuff job place part plan time day week it this that")
_STOPS = _any(
    r"\b(?:no longer|any ?more|any longer|stopped|quit|gave up|given up|nicht mehr|ya no)\b", r"\bne .{1,30} plus\b"
)


@dataclass(frozen=True, slots=True)
class ChangeCues:
    """`strength`: 3 if the words put something in the place of something else, 2 if they say that something changed, 1
    if they may; `given_up`: the stems of what no longer is so; `changed`: those of what is other than before."""

    strength: int
    given_up: frozenset[str]
    changed: frozenset[str]
    is_addition: bool
    is_end: bool
    is_succession: bool


@lru_cache(maxsize=4_096)
def change_cues(text: str) -> ChangeCues:
    """The words of change in a statement.

    >>> cues = change_cues("We left Transistor for Podbean")
    >>> cues.strength, sorted(cues.given_up), cues.is_addition
    (3, ['transistor'], False)
    >>> change_cues("We also have a cat").is_addition, change_cues("The pool holds 20 people").strength
    (True, 0)
    """
    body = _OPENING.sub("", text.replace("’", "'"))
    patterns = (_REPLACES, _CERTAIN, _POSSIBLE)
    return ChangeCues(
        strength=next((3 - rank for rank, pattern in enumerate(patterns) if pattern.search(body)), 0),
        given_up=_things(_GIVEN_UP, body),
        changed=_things(_CHANGED, body),
        is_addition=bool(_ADDS.search(body)),
        is_end=bool(_STOPS.search(body)),
        is_succession=bool(_SUCCEEDS.search(body)),
    )


@lru_cache(maxsize=4_096)
def announces_change(text: str) -> bool:
    """Whether words announce that something changed, which the next ones tell.

    >>> announces_change("One thing changed:"), announces_change("See above.")
    (True, False)
    """
    return bool(_ANNOUNCES.search(text))


def _things(patterns: tuple[re.Pattern[str], ...], text: str) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for pattern in patterns:
        for match in pattern.finditer(text):
            found |= stems(match["old"])
    return found - _NO_THINGS
