"""Words between two statements: before a reason, and those that only join."""

from __future__ import annotations

import re

_REASON = """
because|'cause|cuz|coz|since|weil|denn|porque|parce que|perché|perche|poiché|omdat|doordat|fordi
|eftersom|därför att|koska|mert|bo|ponieważ|gdyż|protože|потому что|так как|бо|тому що|çünkü|επειδή|γιατί|لأن
|لأنّ|כי|क्योंकि|কারণ|karena|vì|bởi vì|dahil|kasi|kwa sababu|pentru că|fiindcă|perquè|چون|کیونکہ|ஏனெனில்|เพราะ|因为|因為
|왜냐하면
""".replace("\n", "")
# No single letters: "Ben and I".
_JOINING = """
and|but|or|und|aber|oder|sondern|pero|sino|mas|ou|et|mais|donc|però|maar|dus|og|men|eller|och
|mutta|tai|és|vagy|ale|lub|oraz|nebo|и|но|или|а|та|але|або|ve|ama|veya|και|αλλά|ή|و|أو|ولكن|אבל|और|लेकिन|या|এবং
|কিন্তু|dan|tapi|atau|và|nhưng|ngunit|lakini|și|dar|sau|اور|لیکن
""".replace("\n", "")
_LONGEST = 24
_ENDS_BEFORE_REASON = re.compile(rf"(?:^|[\s,;–-])(?:{_REASON})[\s,]*$", re.IGNORECASE)
_ENDS_JOINING = re.compile(rf"(?<=[\s,;])(?:{_JOINING})\s*$", re.IGNORECASE)


def announces_reason(text: str) -> bool:
    """Whether a reason must follow a text.

    >>> [announces_reason(text) for text in ("we use Decimal because ", "kein Zucker, weil", "it broke and")]
    [True, True, False]
    """
    return bool(_ENDS_BEFORE_REASON.search(text[-_LONGEST:]))


def ends_joining(text: str, end: int) -> bool:
    """Whether a word that joins what follows stands just before a place of a text."""
    return bool(_ENDS_JOINING.search(text[max(0, end - _LONGEST) : end]))


def without_joining(text: str) -> int:
    """The length of a text without a last word that only joins it to what follows.

    >>> text = "Priya writes the recurrence and "
    >>> text[: without_joining(text)]
    'Priya writes the recurrence'
    """
    found = _ENDS_JOINING.search(text, max(0, len(text) - _LONGEST))
    return len(text[: found.start()].rstrip(" \t\n,;")) if found else len(text)
