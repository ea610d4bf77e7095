"""The normal form in which two memories that say the same in certainly the same words are equal.

Only what changes no meaning is left out: letter case, white space, compatibility characters, typographic apostrophes,
English contractions that have one reading, and the full stop at the end. Inflection, the order of words and little
words are kept: "I lived in Rome" is not "I live in Rome", "Tom is taller than Ann" not "Ann is taller than Tom". A
question mark stays.
"""

from __future__ import annotations

import re
from hashlib import sha256

from apps.engine.language.similarity import nfkc, normalized

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ`´", "'"))
_IRREGULAR = {"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not", "i'm": "i am"}
_REGULAR = (("n't", " not"), ("'re", " are"), ("'ve", " have"), ("'ll", " will"))
_CONTRACTED = re.compile(r"\b(?:cannot|[a-z]+'(?:t|m|re|ve|ll))\b")
_ENDING = " .!。।۔։።"


def same_text_form(text: str) -> str:
    """The normal form of a memory's text; empty if it has nothing but full stops and white space.

    >>> same_text_form("I’m  a vegetarian!") == same_text_form("i am a vegetarian")
    True
    >>> same_text_form("Ｉ don't eat meat。") == same_text_form("I do not eat meat")
    True
    >>> same_text_form("Do we deploy on Fridays?") == same_text_form("Do we deploy on Fridays")
    False
    """
    plain = normalized(nfkc(text).casefold()).translate(_APOSTROPHES)
    return _CONTRACTED.sub(lambda found: _expanded(found.group()), plain).rstrip(_ENDING)


def same_text_hash(text: str) -> str:
    """The hash of the normal form, equal for texts that are the same; empty where that is.

    >>> same_text_hash("Tea."), len(same_text_hash("Tea.")), same_text_hash(" . ")
    ('a9f74d1ec36ebdeb2da3f6e5868090cd', 32, '')
    """
    form = same_text_form(text)
    return sha256(form.encode()).hexdigest()[:32] if form else ""


def _expanded(word: str) -> str:
    """
    >>> [_expanded(one) for one in ("won't", "doesn't", "they'll", "ma'm")]
    ['will not', 'does not', 'they will', "ma'm"]
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending, full in _REGULAR:
        if word.endswith(ending):
            return word.removesuffix(ending) + full
    return word
