"""Similarity of two texts and specificity of one, used to merge, rank and drop lines."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Python sorts the marks of a letter by insertion, so that a text of marks alone would take quadratic time.
_PIECE = re.compile(r"\S{1,500}|\s+")
_WORD = re.compile(r"[^\W_]+(?:['’._-][^\W_]+)*")
# A name: its further words begin with a capital, unlike those of a clause before a colon.
_SPEAKER = re.compile(r"^(?=.{1,39}: )[^\W\d_][\w.'’-]*(?: [^\W\da-z_][\w.'’-]*)*: ")
_EXAMINED = 400
_SAME = 0.74
_NUMBER = re.compile(r"\d")
_IDENTIFIER = re.compile(
    r"`[^`]+`|(?<!\S)--[a-z][\w-]+|\b\w+[a-z][A-Z]\w*|\b\w+_\w+|\b\w+\(\)|(?<=\s)/\w+|\b\w+\.(?:py|ts|js|sql|md|json|ya?ml|toml)\b"
)
_QUOTED = re.compile(r"[\"“][^\"”]{2,60}[\"”]|(?<!\w)'[^']{2,60}'(?!\w)")
_NAME = re.compile(r"(?<=[\w,;:] )(?!I\b)[A-Z][\w’'-]+")
_WHEN = re.compile(
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august"
    r"|september|october|november|december|today|tonight|tomorrow|weekend|(?:next|this) (?:week|month|year|summer"
    r"|fall"
    r"|spring|winter|sprint|quarter|release))\b",
    re.IGNORECASE,
)
_STOP_WORDS = frozenset(
    word
    for line in """
    a about actually after again all also always am an and any are as at be because been before being both but
    by can can't cause could did do does doesn't doing don't each even every few for from get gets getting go
    goes going gonna got had has have haven't having he her here here's hers him his how i i'd i'll i'm i've
    if in instead into is isn't it it's its just keep let let's like lot make makes making many may me might
    more most much must my need needs no not now of off ok okay on one only or other our ours out over own
    please really same she should shouldn't so some still such sure than that that's the their them then there
    there's these they they're this those through to too use used uses using very want wants was wasn't way we
    we'll we're we've well were what what's when where which while who why will with without won't would yes
    you you'll you're you've your yours
""".splitlines()
    for word in line.split()
)


def normalized(text: str) -> str:
    """The text in one line, every run of white space a single space.

    >>> normalized("  two\\n\\twords ")
    'two words'
    """
    return " ".join(text.split())


def normalized_case(text: str) -> str:
    """Lower case with straight apostrophes, of the same length, so that offsets in it are valid in the text.

    >>> normalized_case("We’re DONE")
    "we're done"
    """
    lower = text.lower()
    return (lower if len(lower) == len(text) else text).replace("’", "'")


def nfkc(text: str) -> str:
    """The text in Unicode's compatibility form, word by word; a word of more than 500 characters in pieces.

    >>> nfkc("ﬁne ①"), len(nfkc("a" + "\\u0301\\u0323" * 100_000))
    ('fine 1', 200000)
    """
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFKC", piece) for piece in _PIECE.findall(text))


def words(text: str) -> list[str]:
    """The words of a text in order, lower case.

    >>> words("Don't drop user_id!")
    ["don't", 'drop', 'user_id']
    """
    return [match.replace("’", "'") for match in _WORD.findall(text.lower())]


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without the endings that inflection gives it; crude, but the same for all its forms.

    >>> stem("planning"), stem("plans"), stem("queries"), stem("database")
    ('plan', 'plan', 'query', 'databas')
    """
    word = word.removesuffix("'s")
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word


def stems(text: str) -> frozenset[str]:
    """What a text is about: the stems of its words without the words that every text has.

    >>> sorted(stems("We are planning the migration"))
    ['migration', 'plan']
    """
    return frozenset(stem(word) for word in words(text) if word not in _STOP_WORDS)


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """The share that two sets of stems have in common (Dice): 0 nothing, 1 everything.

    >>> overlap(stems("cache the page"), stems("cached pages"))
    1.0
    """
    total = len(first) + len(second)
    return 2 * len(first & second) / total if total else 0.0


def means_the_same(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two texts differ in their wording alone; another number is another thing.

    >>> means_the_same(stems("Answers come within 10 ms"), stems("An answer comes within 10 ms"))
    True
    >>> means_the_same(stems("Answers come within 10 ms"), stems("Answers come within 20 ms"))
    False
    """
    return overlap(first, second) >= _SAME and not any(word[0].isdigit() for word in first ^ second)


def is_distinctive(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two texts give other numbers for other things, however alike they sound.

    >>> is_distinctive(stems("mail answers in 10 ms"), stems("search answers in 20 ms"))
    True
    >>> is_distinctive(stems("mail answers in 10 ms"), stems("mail answers in 20 ms"))
    False
    """
    alone = [part - whole for part, whole in ((first, second), (second, first))]
    return all(any(word[0].isdigit() for word in one) and any(word[0].isalpha() for word in one) for one in alone)


def coverage(part: frozenset[str], whole: frozenset[str]) -> float:
    """The share of `part` that `whole` contains.

    >>> coverage(stems("add the login page"), stems("The login page with its form is added."))
    1.0
    """
    return len(part & whole) / len(part) if part else 0.0


def speaker_of(text: str) -> str:
    """The speaker's name at the beginning of a line, if any.

    >>> speaker_of("Ann Lee: I decided to move."), speaker_of("I decided to move."), speaker_of("It is over: we move.")
    ('Ann Lee', '', '')
    """
    match = _SPEAKER.match(text)
    return match.group()[:-2] if match else ""


def specificity(text: str) -> float:
    """Specificity from 0 to 3: numbers, identifiers, names, quotations and dates in a text.

    >>> specificity("It is great") < specificity("Under 200ms by Friday")
    True
    """
    body = text[len(speaker_of(text)) :][:_EXAMINED]
    found = (
        min(2, len(_NUMBER.findall(body))) * 0.5
        + min(2, len(_IDENTIFIER.findall(body))) * 0.75
        + min(3, len(_NAME.findall(body))) * 0.5
        + bool(_QUOTED.search(body)) * 0.5
        + bool(_WHEN.search(body)) * 0.75
    )
    return min(3.0, found)
