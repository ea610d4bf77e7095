"""Addresses of the memory tree (`mem://user/…`, `mem://agent/…`, `mem://sessions/…`) and their names."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import InitVar, dataclass
from functools import lru_cache
from itertools import count

from apps.engine.language.similarity import nfkc

SCHEME = "mem://"
ROOTS = ("user", "agent", "sessions")
LONGEST_ADDRESS = 500
LONGEST_SEGMENT = 64
_LONGEST_DECOMPOSED = 4 * LONGEST_ADDRESS
_SEPARATOR = "/"
_AFTER_SEPARATOR = chr(ord(_SEPARATOR) + 1)
# Control and format characters (invisible, or they change the writing direction), surrogates, line separators.
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
# Of a longer text the beginning gives the name: a letter may become eighteen when it is normalized.
_LONGEST_NAMED = 1_000
_UNNAMED = "unnamed"


class AddressError(ValueError):
    """Invalid address; the message gives the reason without repeating the text."""


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """An address in the memory tree; addresses sort like their texts under PostgreSQL's collation "C".

    >>> str(Address("mem://user/profile"))
    'mem://user/profile'
    >>> Address("mem://user//profile")
    Traceback (most recent call last):
    apps.engine.memory.addresses.AddressError: a name in an address must not be empty
    """

    text: str
    is_checked: InitVar[bool] = False

    def __post_init__(self, is_checked: bool) -> None:
        if not is_checked:
            _check(self.text)

    @classmethod
    def parse(cls, text: str) -> Address:
        """Parse an address from outside: a trailing slash and decomposed Unicode are accepted.

        >>> Address.parse("mem://user/profile/")
        Address(text='mem://user/profile')
        """
        # What is much too long is refused as it is.
        composed = unicodedata.normalize("NFC", text) if len(text) <= _LONGEST_DECOMPOSED else text
        return cls(composed.removesuffix(_SEPARATOR))

    @classmethod
    def stored(cls, text: str) -> Address:
        """An address from the database, or the parent of one, which needs no validation.

        >>> Address.stored("mem://user/profile") == Address("mem://user/profile")
        True
        """
        return cls(text, is_checked=True)

    def __str__(self) -> str:
        return self.text

    @property
    def segments(self) -> tuple[str, ...]:
        """The names, starting with the root."""
        return tuple(self.text.removeprefix(SCHEME).split(_SEPARATOR))

    @property
    def root(self) -> str:
        return self.segments[0]

    @property
    def name(self) -> str:
        return self.segments[-1]

    @property
    def depth(self) -> int:
        """Number of levels below the root; zero for a root."""
        return len(self.segments) - 1

    @property
    def parent(self) -> Address | None:
        """The parent address; none for a root.

        >>> str(Address("mem://user/profile").parent), Address("mem://user").parent
        ('mem://user', None)
        """
        return Address.stored(self.text.rpartition(_SEPARATOR)[0]) if self.depth else None

    @property
    def ancestors(self) -> tuple[Address, ...]:
        """Addresses from the root down to the parent, in creation order.

        >>> [str(address) for address in Address("mem://user/entities/acme").ancestors]
        ['mem://user', 'mem://user/entities']
        """
        return _from_root(self.text.rpartition(_SEPARATOR)[0]) if self.depth else ()

    @property
    def descendant_range(self) -> tuple[str, str]:
        """Half-open range of texts that matches exactly the descendants under collation "C".

        >>> Address("mem://user/profile").descendant_range
        ('mem://user/profile/', 'mem://user/profile0')
        """
        return self.text + _SEPARATOR, self.text + _AFTER_SEPARATOR

    def is_within(self, prefix: Address) -> bool:
        """Whether it equals the prefix or is a descendant of it.

        >>> profile = Address("mem://user/profile")
        >>> profile.is_within(profile), Address("mem://user/profiles").is_within(profile)
        (True, False)
        """
        return self == prefix or self.text.startswith(prefix.text + _SEPARATOR)

    def child(self, name: str) -> Address:
        """The address of a direct child.

        >>> str(Address("mem://user").child("profile"))
        'mem://user/profile'
        """
        if _SEPARATOR in name:
            raise AddressError("a name in an address must not contain a slash")
        return Address(f"{self.text}{_SEPARATOR}{unicodedata.normalize('NFC', name)}")


def slug(text: str) -> str:
    """Convert any text to a name: letters and digits of every script, single hyphens for everything else.

    >>> slug("  Coding Style (Python 3!) "), slug("Żółć ﬁrst"), slug("?!")
    ('coding-style-python-3', 'żółć-first', 'unnamed')
    """
    characters: list[str] = []
    for character in _lowered(text.strip()[:_LONGEST_NAMED]):
        kind = unicodedata.category(character)[0]
        follows_name = bool(characters) and characters[-1] != "-"
        # A combining mark is dropped together with its base character.
        if kind in "LN" or (kind == "M" and follows_name):
            characters.append(character)
        elif follows_name:
            characters.append("-")
    return "".join(characters)[:LONGEST_SEGMENT].strip("-") or _UNNAMED


def slugs(text: str) -> Iterator[str]:
    """Yield the slug of a text, then numbered variants from 2 on, without end.

    >>> names = slugs("Deploy!")
    >>> next(names), next(names), next(names)
    ('deploy', 'deploy-2', 'deploy-3')
    """
    name = slug(text)
    yield name
    yield from (_numbered(name, number) for number in count(2))


def numbered_siblings(address: Address) -> Iterator[Address]:
    """Yield alternative addresses under the same parent, with numbered names; none for a root.

    >>> str(next(numbered_siblings(Address("mem://user/events/deploy"))))
    'mem://user/events/deploy-2'
    """
    if parent := address.parent:
        yield from (parent.child(name) for name in slugs(address.name) if name != address.name)


def _numbered(name: str, number: int) -> str:
    ending = f"-{number}"
    return name[: LONGEST_SEGMENT - len(ending)].rstrip("-") + ending


def _lowered(text: str) -> str:
    """NFKC-normalize and lowercase until stable, because each step may undo the other."""
    before = None
    while before != text:
        before, text = text, nfkc(text).lower()
    return text


@lru_cache(maxsize=4_096)
def _from_root(text: str) -> tuple[Address, ...]:
    """An address and its ancestors, root first; cached because many addresses share them."""
    names = text.removeprefix(SCHEME).split(_SEPARATOR)
    return tuple(Address.stored(SCHEME + _SEPARATOR.join(names[:end])) for end in range(1, len(names) + 1))


@lru_cache(maxsize=4_096)
def _check(text: str) -> None:
    if not text.startswith(SCHEME):
        raise AddressError(f"an address must begin with {SCHEME}")
    if len(text) > LONGEST_ADDRESS:
        raise AddressError(f"an address must not be longer than {LONGEST_ADDRESS} characters")
    root, *names = text.removeprefix(SCHEME).split(_SEPARATOR)
    if root not in ROOTS:
        raise AddressError(f"an address must begin with one of {', '.join(SCHEME + known for known in ROOTS)}")
    if not unicodedata.is_normalized("NFC", text):
        raise AddressError("an address must be in Unicode's composed form")
    for name in names:
        _check_name(name)


def _check_name(name: str) -> None:
    if not name:
        raise AddressError("a name in an address must not be empty")
    if name in (".", ".."):
        raise AddressError("a name in an address must not be . or ..")
    if len(name) > LONGEST_SEGMENT:
        raise AddressError(f"a name in an address must not be longer than {LONGEST_SEGMENT} characters")
    if name != name.strip():
        raise AddressError("a name in an address must not begin or end with white space")
    if any(unicodedata.category(character) in _UNSEEN for character in name):
        raise AddressError("a name in an address must not contain control characters")
