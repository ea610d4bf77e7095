"""Characters that nobody sees, and a model reads: tags, direction controls, and characters of no width.

What writing needs is kept: joiners in emoji and in scripts that join letters, word separators in scripts without
spaces, one variation selector after a letter, flags of regions, marks of direction (U+200E, U+200F, U+061C).
Source: Unicode Standard 17, sections 23.2, 23.4 and 23.9; UTS 51 (emoji); UTR 36 (security).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

_TAGS = "\U000e0001\U000e0020-\U000e007f"
_DIRECTIONS = "\u202a-\u202e\u2066-\u2069"
_NO_WIDTH = "\u180e\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\uffa0\ufff9-\ufffb\u115f\u1160\u17b4\u17b5"
_NOTATION = "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
_SELECTORS = "\ufe00-\ufe0f\u180b-\u180d\U000e0100-\U000e01ef"
_HIDDEN = f"{_TAGS}{_DIRECTIONS}{_NO_WIDTH}{_NOTATION}{_SELECTORS}"

_EMOJI = "\u00a9\u00ae\u200d\u203c-\u3299\ufe0f\U0001f000-\U0001faff"
# Arabic, Syriac, N'Ko, Mandaic, the scripts of India, Sinhala, Khmer, Mongolian.
_JOINING = "\u0600-\u08ff\u0900-\u0dff\u1780-\u18af\ua840-\ua87f"
# Thai, Lao, Tibetan, Burmese, Khmer.
_WITHOUT_SPACES = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"
_NEEDED = (
    "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
    f"|(?<=[{_EMOJI}])\u200d(?=[{_EMOJI}])"
    f"|(?<=[{_JOINING}])[\u200c\u200d]"
    f"|(?<=[{_WITHOUT_SPACES}])\u200b(?=[{_WITHOUT_SPACES}])"
    f"|(?<=[^\\s{_HIDDEN}])[{_SELECTORS}]"
    "|\u115f(?=[\u1160-\u11a7])|(?<=[\u1100-\u115f])\u1160"
)
_ANY = re.compile(f"(?P<needed>{_NEEDED})|[{_HIDDEN}]+")
# Soft hyphens and byte order marks say nothing.
_EMPTY = re.compile("[\u00ad\ufeff]")
_SOME = re.compile(f"[\u00ad\ufeff{_HIDDEN}]")
_TAG_TO_ASCII = 0xE0000
_MOST_NAMED = 3
_MOST_SHOWN = 50
"""Beyond so many places in a text the others are removed: a note is longer than what it shows."""


def has_hidden(text: str) -> bool:
    """Whether `without_hidden` would change a text."""
    return without_hidden(text) != text


def without_hidden(text: str) -> str:
    """Remove the characters that nobody sees.

    >>> without_hidden("pay\\u202e me\\U000e0069\\U000e0067 \\u200bnow"), without_hidden("👩\\u200d💻 ❤\\ufe0f")
    ('pay me now', '👩\u200d💻 ❤\ufe0f')
    """
    return _EMPTY.sub("", _ANY.sub(lambda found: found["needed"] or "", text)) if _SOME.search(text) else text


def with_hidden_shown(text: str) -> str:
    """Show the characters that nobody sees, by what they spell or by their code points.

    >>> with_hidden_shown("a\\U000e006f\\U000e0062\\U000e0065\\U000e0079 b\\u202e")
    'a[hidden: obey] b[hidden: U+202E]'
    """
    if not _SOME.search(text):
        return text
    left = count(_MOST_SHOWN, -1)
    return _EMPTY.sub("", _ANY.sub(lambda found: found["needed"] or (_note(found[0]) if next(left) > 0 else ""), text))


def _note(run: str) -> str:
    return f"[hidden: {_spelled(run) or ' '.join(_code_points(run))}]"


def _spelled(run: str) -> str:
    """What tag characters spell; brackets would end the note."""
    letters = (chr(ord(one) - _TAG_TO_ASCII) for one in run if 0xE0020 <= ord(one) < 0xE007F)
    return "".join(letters).replace("]", ")").strip()


def _code_points(run: str) -> Iterator[str]:
    kinds = list(dict.fromkeys(run))
    yield from (f"U+{ord(one):04X}" for one in kinds[:_MOST_NAMED])
    if len(kinds) > _MOST_NAMED:
        yield f"and {len(kinds) - _MOST_NAMED} others"
