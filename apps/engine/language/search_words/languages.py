"""The language of a text, by its function words: English, German, Spanish or French; others by their script."""

from __future__ import annotations

import re
from collections.abc import Iterable

from apps.engine.language.word_lists import listed

ENGLISH, GERMAN, SPANISH, FRENCH = "en", "de", "es", "fr"
_FUNCTION_WORDS = {
    ENGLISH: listed(
        """
        a an the of and or to in on at is are was were be been has have had it its that this these for with from by as
        not no he she i we you they my your his her our their me him us them ya what when where which who whose why
        how do does did can could should would will must may if but so there here s t
        """
    ),
    GERMAN: listed(
        """
        der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war waren hat
        haben hatte wird wurde werden kann muss soll sollen im in am an zum zur zu mit für auf von vom aus bei nach
        seit über unter bis ohne sich er sie es wir ihr ich du mich mir mein meine sein seine ihre unser unsere was
        wann wo wohin woran wer wen wem wessen wie warum welche welcher welches welchen welchem dass wenn weil noch
        nur mehr als man so
        """
    ),
    SPANISH: listed(
        """
        el la los las un una unos unas de del al a y o e no ni que qué es son está están fue era ha han hay en con por
        para sin sobre desde hasta su sus mi mis tu nuestro nuestra nuestros nuestras se lo le les me te nos como cómo
        cuando cuándo donde dónde adónde quién quiénes cuál cuáles cuánto cuánta cuántos pero más muy ya porque si
        """
    ),
    FRENCH: listed(
        """
        le la les l un une des du de d et ou ne n pas ni est sont était a ont dans en avec pour par sans sur chez au
        aux à il elle ils elles on nous vous je j tu me se s son sa ses leur leurs mon ma mes notre nos ce cette ces
        que qu qui quoi quel quelle quels quelles quand où comment pourquoi combien c y mais plus très depuis
        """
    ),
}
ASKING = {
    GERMAN: listed("wann wo wohin wer wen wem wessen warum woran wie viel welche welcher welches welchen welchem"),
    SPANISH: listed(
        "qué cuándo dónde donde adónde quién quiénes quien cuál cuáles cual cuánto cuánta cuántos cuanto cuando cómo"
    ),
    FRENCH: listed("comment quel quelle quels quelles quand où pourquoi combien"),
}
"""Words that only ask, and are in no list of stop words."""
_OF_SCRIPTS = (
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("hi", re.compile("[\u0900-\u097f]")),
)


def language_of(words: Iterable[str]) -> str:
    """The language of most of the distinct lower case words, by its function words; English if they do not tell.

    >>> language_of(["wo", "läuft", "die", "datenbank"]), language_of(["ledgerd"])
    ('de', 'en')
    """
    distinct = frozenset(words)
    return min(_FUNCTION_WORDS, key=lambda language: len(distinct - _FUNCTION_WORDS[language]))


def language_of_script(word: str) -> str:
    """The language whose endings a word of another script than the Latin one may have; empty for others.

    >>> language_of_script("книги"), language_of_script("boats")
    ('ru', '')
    """
    return next((language for language, letters in _OF_SCRIPTS if letters.match(word)), "")
