"""Statements of changed values as plain words: without what only tells that or when they changed, or is denied."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LABEL = re.compile(
    r"^(?:(?:and|but|so|ok|also|btw|well)[,:]? )*"
    r"(?:(?:a |one )?(?:quick |small |short |good |bad |big |sad |more )*"
    r"(?:update|news|corrections?|changes?(?: of plans?)?|heads[- ]up|fyi|btw|note|announcement|reminder)"
    r"(?: for you| first)?(?: ?[:,.!–-]+ ))+",
    re.IGNORECASE,
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PERIOD = rf"(?:week|month|year|quarter|term|morning|spring|summer|autumn|fall|winter|weekend|{_DAY})"
_SINCE = (
    rf"(?:as of|since|starting|effective|from) (?:now(?: on)?|here on|today|yesterday|(?:this|last|the) {_PERIOD}"
    rf"|{_DAY}|\d{{1,2}} \w+|\w+ \d{{1,2}})"
)
_TIME = (
    rf"(?:now|these days|nowadays|already|finally|officially|instead|henceforth|going forward|recently|lately|today"
    rf"|yesterday|(?:this|last|earlier this) {_PERIOD}|for (?:many )?years"
    rf"|(?:(?:a|two|three|four|five|six|ten|some|a few|many|\d+) )?(?:days?|weeks?|months?|years?) ago"
    rf"|{_SINCE})"
)
_BEFORE = re.compile(rf"^{_TIME},? (?!is\b|was\b|of\b)", re.IGNORECASE)
_AFTER = re.compile(rf"(?:,? {_TIME})+(?= *(?:[,;]|$))(?! of)", re.IGNORECASE)
_BETWEEN = re.compile(r"( is| are|'re|'m|'s)(?: now| officially| finally)+(?= )", re.IGNORECASE)
_INSTEAD_OF = re.compile(
    r"(?:,? (?:instead of|rather than|in place of)|,? and (?:not|no longer)|, no longer) [^,;]+?(?= *(?:[,;]|$))"
    r"|, not (?:on |in |at |with |by )?[\w.'&-]++(?: [\w.'&-]++){0,3} ?(?= *(?:[,;]|$))",
    re.IGNORECASE,
)
_BEGINS_INSTEAD = re.compile(r"^(?:instead of|rather than|in place of) [^,;]+, ", re.IGNORECASE)

_PART = re.compile(
    r"(?:(?<!\s)\s++)?[,;]\s+(?:(?:but|and|so|because|since) )?|(?<!\s)\s++(?:[-–—]\s+|(?:but|because|and) (?=\w))",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\bno longer\b|\bnot\b|n't\b|\bnever\b|\bused to\b|\bany ?(?:more|longer)\b|\bstopped\b|\bno more\b", re.IGNORECASE
)
_NOT_SO = (
    (re.compile(r"\b(?:do|does|did)(?:n't| not) ", re.IGNORECASE), ""),
    (re.compile(r"\b(is|are|am|was|were)n't\b", re.IGNORECASE), r"\1"),
    (re.compile(r"(?:\b| )(?:no longer|not|never|used to)\b", re.IGNORECASE), ""),
    (re.compile(r"\bstopped (?=\w+ing\b)", re.IGNORECASE), "am "),
    (re.compile(r",? (?:any ?more|any longer|no more)\b", re.IGNORECASE), ""),
)


@dataclass(frozen=True, slots=True)
class Denied:
    """`was` is what a statement says is not so, as if it were so; `rest` is what it says beside that."""

    was: str
    rest: str
    is_last: bool


def plain_words(text: str) -> str:
    """A statement without words of change and time around it.

    >>> plain_words("Update: as of this week I work for Lumen Works instead of Cobalt.")
    'I work for Lumen Works'
    >>> plain_words("Atlas is now hosted on Render, not Heroku")
    'Atlas is hosted on Render'
    """
    text = _LABEL.sub("", text.replace("’", "'").strip().rstrip(".!。"))
    text = _BEGINS_INSTEAD.sub("", _BEFORE.sub("", text))
    text = _BETWEEN.sub(r"\1", _INSTEAD_OF.sub("", text))
    return _AFTER.sub("", text).strip()


def denied(text: str) -> Denied | None:
    """The part of a statement that says what is not so, and the rest; none if nothing is denied, or all.

    >>> denied("I don't work at Cobalt any more, I'm at Lumen")
    Denied(was='I work at Cobalt', rest="I'm at Lumen", is_last=False)
    >>> denied("I don't work at Cobalt") is None
    True
    """
    cut = _PART.search(text)
    if cut is None:
        return None
    first, second = text[: cut.start()], text[cut.end() :]
    if _DENIAL.search(first):
        return Denied(_affirmed(first), second, is_last=False)
    return Denied(_affirmed(second), first, is_last=True) if _DENIAL.search(second) else None


def _affirmed(text: str) -> str:
    for pattern, replacement in _NOT_SO:
        text = pattern.sub(replacement, text)
    return " ".join(text.split())
