"""The terms by which a text or a query is found.

Both are analyzed by `search_words`; the database's function `stemmed_words` finds the stems of what it returns.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from apps.engine.language.search_words.compounds import JOINING, LONGEST, parts_of, wholes_of
from apps.engine.language.search_words.languages import ASKING, ENGLISH, language_of, language_of_script
from apps.engine.language.search_words.letters import base_letters, lower, readable, run_letters, spelled_out
from apps.engine.language.search_words.scripts import BRAHMIC, HAN, HANGUL, KANA, grams_of, stems_of

VERSION = 1
"""Texts that were analyzed by an earlier version are analyzed again."""
STOP = "~"
"""Before a word that says little: a query consists of such words only if it has no others."""

# `\w` has no marks, which are vowels of many scripts.
_MARKS = "".join(sign for sign in map(chr, range(0x300, 0xE00)) if unicodedata.category(sign) in {"Mn", "Mc"})
_WORD = rf"[\w{_MARKS}\u1dc0-\u1dff\u3099\u309a]+"
_COMPOUND = re.compile(
    rf"(?P<dot>(?<![\w.])\.)?(?P<words>{_WORD}(?:[{JOINING}]{{1,3}}{_WORD})*)(?P<sign>(?:\+\+|[+#])(?!\w))?"
)
_LAST = re.compile(f"^.*[_{JOINING}]")
_RUN = re.compile(f"[{HAN}{KANA}]+|[{HANGUL}]+|[{BRAHMIC}]+")
_PICTURE = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")
_NUMBER = re.compile(r"(?<!\d)\d++(?:[ .,/()-]{1,2}\d++)+")
_SHORTEST_NUMBER, _LONGEST_NUMBER = 5, 24
_EXAMINED = 2_000
_MOST_TERMS, _REMEMBERED = 30_000, 20_000


def search_words(text: str) -> str:
    """Analyze a text: words of a language (`en:boats`) and plain terms (`:c++`), each once, separated by spaces.

    Words of a language with accents are given with and without them (`de:häuser:hauser`). Takes linear time.

    >>> search_words("Boats of parse_date() in C++")
    'en:boats en:of en:parse en:date :parsedate en:in :c++'
    >>> search_words("Die Häuser in Köln")
    'de:die:die de:häuser:hauser :haeuser de:in:in de:köln:koln :koeln'
    >>> search_words("猫とcafé")
    'en:cafe :猫 :猫と'
    """
    plain = readable(text)
    words = plain if plain.isascii() else _RUN.sub(" ", plain)
    language = language_of(_beginning(words))
    terms = chain(_named(words, language), _numbers(words), () if plain.isascii() else _signs(plain))
    return " ".join(_most(terms))


def _beginning(text: str) -> Iterable[str]:
    return re.findall(r"[^\W_]+", lower(text[:_EXAMINED]))


def _most(terms: Iterable[str]) -> list[str]:
    # A mark without a letter has no base form.
    return [term for term in dict.fromkeys(terms) if term[-1] != ":"][:_MOST_TERMS]


def _named(text: str, language: str) -> Iterator[str]:
    """The words of a text, and the names with a sign: C++, C#, .NET."""
    for dot, words, sign in _COMPOUND.findall(text):
        if len(words) > LONGEST:
            yield from _compound(words, language)
            continue
        if dot:
            yield f":.{base_letters(words)}"
        if sign:
            yield f":{base_letters(_LAST.sub('', words))}{sign}"
        # A letter alone says nothing of C++.
        if not sign or len(words) > 1:
            yield from _remembered(words, language)


@lru_cache(maxsize=_REMEMBERED)
def _remembered(words: str, language: str) -> tuple[str, ...]:
    return tuple(_compound(words, language))


def _compound(words: str, language: str) -> Iterator[str]:
    for part in parts_of(words) if len(words) > 1 else (words,):
        yield from _word(part[:LONGEST], language)
    yield from (f":{whole}" for whole in wholes_of(words))


def _word(word: str, language: str) -> Iterator[str]:
    plain = base_letters(word)
    yield _with_language(lower(word), plain, language)
    if not word.isascii():
        others = (spelled_out(word), *stems_of(plain))
        yield from (f":{other}" for other in others if other != plain)


def _with_language(spelled: str, plain: str, language: str) -> str:
    """The word with the language whose endings it has."""
    if of_script := language_of_script(plain):
        return f"{of_script}:{plain}"
    if language == ENGLISH:
        return f"{ENGLISH}:{plain}"
    if spelled in ASKING[language]:
        return f":{STOP}{plain}"
    return f"{language}:{spelled}:{plain}"


def _numbers(text: str) -> Iterator[str]:
    """Numbers that are written in groups of digits, in one word."""
    for number in _NUMBER.findall(text):
        digits = "".join(filter(str.isdigit, number[: 2 * _LONGEST_NUMBER]))
        if _SHORTEST_NUMBER <= len(digits) <= _LONGEST_NUMBER:
            yield f":{base_letters(digits)}"


def _signs(text: str) -> Iterator[str]:
    """Pieces of what is written without spaces, and pictures."""
    yield from (f":{gram}" for run in _RUN.findall(text) for gram in grams_of(run_letters(run)))
    yield from (f":{picture}" for picture in _PICTURE.findall(text))
