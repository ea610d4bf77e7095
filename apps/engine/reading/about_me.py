"""Questions for all that is known about the person who asks, in many languages."""

from __future__ import annotations

from apps.engine.language.similarity import nfkc

_LONGEST = 120
"""Characters of such a question; a longer message asks for something else too."""
_QUESTION_MARKS = ("?", "？", "؟")
_PHRASES = (
    "know about me", "remember about me", "learned about me", "learnt about me", "know of me", "have on me",
    "über mich", "von mir", "sur moi", "de moi", "sobre mí", "de mí", "sobre mim", "de mim", "di me", "su di me",
    "over mij", "om mig", "om meg", "minusta", "o mnie", "o mně", "o mne", "обо мне", "про мене", "за мен", "rólam",
    "despre mine", "για μένα", "hakkımda", "عني", "درباره من", "עליי", "मेरे बारे", "আমার সম্পর্কে", "เกี่ยวกับฉัน",
    "về tôi", "tentang saya", "tentang aku", "tungkol sa akin", "kunihusu", "私について", "关于我",
    "關於我", "나에 대해",
)  # fmt: skip


def asks_about_self(text: str) -> bool:
    """Whether a message asks what is known about its author.

    >>> asks_about_self("What do you know about me?"), asks_about_self("Tell my boss about my move to Rome.")
    (True, False)
    """
    read = nfkc(text[: 2 * _LONGEST]).strip().casefold()
    is_question = len(read) <= _LONGEST and read.endswith(_QUESTION_MARKS)
    return is_question and any(phrase in read for phrase in _PHRASES)
