"""Terms of scripts without spaces, and of words that are written together with particles, articles and prepositions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.engine.language.word_lists import listed

HAN = "々〆㐀-䶿一-鿿豈-﫿\U00020000-\U0003ffff"
KANA = "ぁ-ゖゝ-ヿㇰ-ㇿ"
HANGUL = "가-힣"
BRAHMIC = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0ecf\u0edc-\u0edf\u0f40-\u0f84\u1000-\u103f\u1050-\u109f\u1780-\u17d3"
"""Thai, Lao, Tibetan, Burmese and Khmer."""

_HEBREW, _ARABIC = re.compile("[א-ת]+"), re.compile("[\u0620-\u064a\u066e-\u06d3]+")
_IS_HAN, _IS_HANGUL, _IS_BRAHMIC = (re.compile(f"[{script}]") for script in (HAN, HANGUL, BRAHMIC))
# Hiragana also writes endings and particles: its pairs with a particle and the most frequent ones are left out.
_BESIDE_PARTICLE = re.compile("[はがをにでとのもへ][ぁ-ゖ]|[ぁ-ゖ][はがをにでとのもへ]")
_ENDINGS = listed(
    """
    ます ませ せん した して てい いる いま まし たい ない なか
    かっ った って ある あり りま する すか これ それ あれ どれ
    どこ いつ だれ なに なぜ どう んな いく くら つか から まで
    ため こと よう うな たか んだ だっ れる られ せる くだ ださ
    さい てく だけ しい さん
    """
)
_FREQUENT_HAN = frozenset("何時方事")
_KOREAN_PARTICLE = re.compile("[가-힣][은는이가을를에의도와과로만]")
_SHORTEST_STEM = 2
_HEBREW_PREFIXES = ("ו", "כש", "ש", "מ", "ב", "כ", "ל", "ה")
_HEBREW_SUFFIXES = ("ימ", "ות", "ינו", "הימ", "יה", "ה", "ת", "י", "ו", "נו")
_ARABIC_PREFIXES = ("و", "ف", "ب", "ك", "ل", "س", "ال", "لل")
_ARABIC_SUFFIXES = ("ات", "ون", "ين", "ان", "ها", "هم", "نا", "كم", "تي", "ته", "تها", "يه", "ه", "ي", "ا", "ك")
_MOST_PREFIXES = 3


def grams_of(run: str) -> Iterator[str]:
    """The terms of a run of letters of one of the scripts above.

    >>> list(grams_of("绿茶")), list(grams_of("猫の毛")), list(grams_of("게임을"))
    (['绿', '茶', '绿茶'], ['猫', '毛', '猫の', 'の毛'], ['게임을', '게임', '임을'])
    >>> list(grams_of("กิน"))
    ['กิ', 'ิน', 'กิน']
    """
    if _IS_BRAHMIC.match(run):
        yield from _pieces(run, 2)
        yield from _pieces(run, 3)
    elif _IS_HANGUL.match(run):
        yield from _korean(run)
    else:
        yield from (letter for letter in run if _IS_HAN.match(letter) and letter not in _FREQUENT_HAN)
        yield from (pair for pair in _pieces(run, 2) if pair not in _ENDINGS and not _BESIDE_PARTICLE.fullmatch(pair))


def _pieces(run: str, size: int) -> Iterator[str]:
    return (run[place : place + size] for place in range(len(run) - size + 1))


def _korean(run: str) -> Iterator[str]:
    """A word, its pairs of syllables, and a word of one syllable before its particle."""
    if len(run) != _SHORTEST_STEM:
        yield run
    yield from _pieces(run, 2)
    if _KOREAN_PARTICLE.fullmatch(run):
        yield run[0]


def stems_of(word: str) -> Iterator[str]:
    """What a Hebrew or Arabic word in base letters may be without its prefixes and its ending, as far as letters tell.

    >>> list(stems_of("בחיפה")), list(stems_of("مهندسا")), list(stems_of("boat"))
    (['חיפה', 'בחיפ', 'חיפ'], ['مهندس'], [])
    """
    if _HEBREW.fullmatch(word):
        yield from _without_affixes(word, _HEBREW_PREFIXES, _HEBREW_SUFFIXES)
    elif _ARABIC.fullmatch(word):
        yield from _without_affixes(word, _ARABIC_PREFIXES, _ARABIC_SUFFIXES)


def _without_affixes(word: str, prefixes: tuple[str, ...], suffixes: tuple[str, ...]) -> Iterator[str]:
    found = dict.fromkeys((word,))
    last = [word]
    for _ in range(_MOST_PREFIXES):
        last = [one.removeprefix(prefix) for one in last for prefix in prefixes if one.startswith(prefix)]
        found |= dict.fromkeys(last)
    for one in list(found):
        found |= dict.fromkeys(one.removesuffix(suffix) for suffix in suffixes if one.endswith(suffix))
    yield from sorted((one for one in found if one != word and len(one) >= _SHORTEST_STEM), key=len, reverse=True)
