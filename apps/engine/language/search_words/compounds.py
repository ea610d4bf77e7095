"""Parts of identifiers, paths, versions and numbers, beside the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.engine.language.search_words.letters import base_letters

JOINING = r"./\\:@=?&#~,>+-"
"""The signs between the words of a compound beside the underscore, as in a class of characters."""
LONGEST = 64
"""A longer term would be a passage of a text, or encoded data."""
SHORTEST = 2
"""A shorter part says nothing: the 0 of 127.0.0.1, the x of a path."""

# What a path or an address consists of, and what a name of a file or a host consists of.
_SIGNS = re.compile(f"[_{JOINING}]+")
_LEVELS = (re.compile(r"[/\\:@=?&#~,>]+"), re.compile(r"\.+"), _SIGNS)
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CODE = re.compile(r"([^\W\d_]+)(\d+)|(\d+)([^\W\d_]+)")
_VERSION = re.compile(r"(?<!\d)\d++(?:\.\d++)+")


def parts_of(compound: str) -> Iterator[str]:
    """The smallest parts of a compound, which are words of their own.

    >>> list(parts_of("src/utils/parseDate_v2.py"))
    ['src', 'utils', 'parse', 'Date', 'v2', 'py']
    """
    for part in _SIGNS.split(compound):
        humps = _HUMPS.split(part)
        for hump in humps:
            if len(hump) >= SHORTEST:
                yield hump
            if (code := _CODE.fullmatch(hump)) is not None:
                yield from (piece for piece in code.groups() if piece and len(piece) >= SHORTEST)


def wholes_of(compound: str) -> Iterator[str]:
    """The compound and its larger parts, each without the signs between its words, and the versions in it.

    >>> list(wholes_of("src/utils/parse_date.py"))
    ['srcutilsparsedatepy', 'parsedatepy', 'parsedate']
    >>> list(wholes_of("v2.13.0")), list(wholes_of("parseDate")), list(wholes_of("boat"))
    (['v2130', '2.13.0', '2.13'], ['parsedate'], [])
    """
    parts = [compound]
    yield from _joined(compound)
    for level in _LEVELS:
        parts = [piece for part in parts for piece in level.split(part)]
        yield from (whole for part in parts for whole in _joined(part) if len(parts) > 1)
    yield from _versions(compound)


def _joined(part: str) -> Iterator[str]:
    """The part in one word, if it has several; numbers have forms of their own."""
    words = [word for word in _SIGNS.split(part) if word]
    whole = "".join(words)
    if len(whole) <= LONGEST and not whole.isdigit() and (len(words) > 1 or _HUMPS.search(whole)):
        yield base_letters(whole)


def _versions(compound: str) -> Iterator[str]:
    """A version, and what it is a patch of."""
    for version in _VERSION.findall(compound):
        if len(version) <= LONGEST:
            yield base_letters(version)
            yield ".".join(base_letters(version).split(".")[:2])
