"""Questions for all that is known about the person who asks, in many languages."""

from __future__ import annotations

from apps.engine.language.similarity import nfkc
from apps.engine.reading.phrases import phrase_pattern

_LONGEST = 120
"""Characters of such a question; a longer message asks for something else too."""
_PHRASES = (
    "you know about me", "you remember about me", "you learned about me", "you learnt about me", "you have on me",
    "weißt du über mich", "du über mich weißt", "wissen sie über mich", "du von mir weißt", "weißt du von mir",
    "tu sais de moi", "tu sais sur moi", "sais-tu de moi", "sais-tu sur moi", "savez-vous de moi", "savez-vous sur moi",
    "sabes de mí", "sabes de mi", "sabes sobre mí", "sabes sobre mi", "sabe de mí", "sai di me", "sai su di me",
    "sabe sobre mim", "sabes sobre mim", "sabe de mim", "weet je over mij", "weet je van mij", "vet du om mig",
    "vet du om meg", "ved du om mig", "tiedät minusta", "wiesz o mnie", "víš o mně", "vieš o mne", "знаешь обо мне",
    "знаєш про мене", "знаеш за мен", "tudsz rólam", "știi despre mine", "ξέρεις για μένα", "hakkımda ne biliyorsun",
    "تعرف عني", "यादों में मेरे बारे", "मेरे बारे में क्या", "biết gì về tôi", "tahu tentang saya", "alam mo tungkol sa akin",
)  # fmt: skip
_SPACELESS = (
    "私について何を", "私について教え", "私のことを何", "关于我你知道", "你了解我什么", "你知道我什么",
    "關於我你知道", "나에 대해 무엇",
    "나에 대해 뭐",
)  # fmt: skip
_ASKS = phrase_pattern(_PHRASES, _SPACELESS, end=r"(?!\w)")


def asks_about_self(text: str) -> bool:
    """Whether a message asks what is known about its author.

    >>> asks_about_self("What do you know about me?"), asks_about_self("What do you know about Mexico?")
    (True, False)
    """
    read = nfkc(text[: 2 * _LONGEST]).strip().casefold()
    return len(read) <= _LONGEST and bool(_ASKS.search(read))
