"""Questions that ask for several things, such as “Which books did Ann read?”: their answers are in several places.

In English, German, Spanish, French and Japanese.
"""

from __future__ import annotations

import re

_ASKS = r"(?:^|[.,;:!?]\s+|\b(?:in|on|at|for|from|with|to|by)\s+)"
_VERB = r"(?:has|have|had|did|does|do|are|were|is|was|can|could|will|would)"
_PLURAL = r"(?:[a-z]+s|people|children|men|women)"
# Words that end like a plural and are none.
_NO_PLURAL = r"(?!(?:is|was|does|has|his|this|its|hers|us|yes|always|means|news|as|plus|less|unless|perhaps)\b)"
_DONE = r"(?:[a-z]+ed|been|done|gone|made|had|seen|read|bought|won|taken|given|written|met|got|lost)"
# German feminine nouns that end like a plural, whose article is that of the plural.
_GERMAN_SINGULAR = (
    r"(?!\w*(?:nummer|mutter|tochter|schwester|steuer|leiter|feder|kammer|dauer|person|version|region|frau)\b)"
)
# After a Spanish plural comes its verb or the person; after a verb that ends like a plural, something else.
_SPANISH_VERB = (
    r"(?:le|les|me|nos|se|te|ha|han|he|hemos|hay|había|tiene|tienen|tenemos|tengo|son|eran|fueron|\w+[óé]|\w+ron)"
)
_ONE = re.compile(r"\bhow (?:long|much|often)\b", re.IGNORECASE)
_SEVERAL = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_ASKS}(?:what|which|whose)\s+(?:[^\s?]+\s+){{0,4}}?{_NO_PLURAL}{_PLURAL}\s+{_VERB}\b",
        rf"{_ASKS}(?:what|who|which|where)\s+(?:are|were)\b[^?]{{0,200}}?\b{_NO_PLURAL}{_PLURAL}\b",
        rf"{_ASKS}(?:what|which|who|where|how)\b[^?]{{0,200}}?\b(?:has|have)\s+"
        rf"(?:[^\s?]+(?:\s+and\s+[^\s?]+)?\s+)?{_DONE}\b",
        rf"\bwelche\s+(?:\w+en\s+)?{_GERMAN_SINGULAR}\w+(?:en|er|n|s)\b",
        r"\bwelche\s+(?:\w+\s+){1,2}(?:sind|waren|gibt es|gab es)\b|\bwer (?:sind|waren)\b",
        r"\b(?:in|an|auf|bei|mit|von|aus|zu)\s+welchen\s+\w+n\b",
        r"\b(?:was|wen|wer|wo|womit|wohin)\b[^?]{0,100}?\b(?:alles|überall|schon)\b",
        r"\b(?:cuáles|quiénes)\b",
        rf"\bqué\s+(?:otr[oa]s\s+)?(?!(?:nos|los|las|es|has|más)\b)\w+[aeo]s\s+{_SPANISH_VERB}\b",
        r"\b(?:quels|quelles|lesquels|lesquelles)\b|\bqui (?:sont|étaient)\b",
        r"何と何|誰と誰|どことどこ|どれとどれ|(?:これまで|今まで)に?(?:何|誰|どこ|どんな|どの)|全部|すべて|全て|一覧",
    )
)


def asks_for_several(question: str) -> bool:
    """Whether a question asks for several things: by a plural, or for all that has been so far.

    >>> asks_for_several("Which books did Ann read?"), asks_for_several("Where has Al been?")
    (True, True)
    >>> asks_for_several("Welche Bücher hat Ann gelesen?"), asks_for_several("¿Qué libros leyó Ana?")
    (True, True)
    >>> asks_for_several("When did Ann move?"), asks_for_several("How long has Al run?")
    (False, False)
    """
    return not _ONE.search(question) and any(pattern.search(question) for pattern in _SEVERAL)
