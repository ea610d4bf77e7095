"""Addresses of the memory tree, `mem://user/…`, `mem://agent/…`, `mem://sessions/…`, and the names in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import InitVar, dataclass
from functools import lru_cache
from itertools import count

SCHEME = "mem://"
ROOTS = ("user", "agent", "sessions")
LONGEST_ADDRESS = 500
LONGEST_SEGMENT = 64
_SEPARATOR = "/"
_AFTER_SEPARATOR = chr(ord(_SEPARATOR) + 1)
# Controls, formats (they hide, and turn the direction of writing), halves of characters, breaks of lines.
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_UNNAMED = "unnamed"


class AddressError(ValueError):
    """Text that is no address of the memory tree; it says why and repeats nothing of the text."""


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """A place in the memory tree; addresses sort as PostgreSQL's collation "C" sorts their texts.

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
        """The address that a person or a program wrote: one slash may end it, and accents may stand apart.

        >>> Address.parse("mem://user/profile/")
        Address(text='mem://user/profile')
        """
        return cls(unicodedata.normalize("NFC", text).removesuffix(_SEPARATOR))

    @classmethod
    def stored(cls, text: str) -> Address:
        """One that was checked before, itself or one below it: it stands in the tree.

        >>> Address.stored("mem://user/profile") == Address("mem://user/profile")
        True
        """
        return cls(text, is_checked=True)

    def __str__(self) -> str:
        return self.text

    @property
    def segments(self) -> tuple[str, ...]:
        """The names from the root on, which is the first of them."""
        return tuple(self.text.removeprefix(SCHEME).split(_SEPARATOR))

    @property
    def root(self) -> str:
        return self.segments[0]

    @property
    def name(self) -> str:
        return self.segments[-1]

    @property
    def depth(self) -> int:
        """How far below its root it lies: a root's depth is zero."""
        return len(self.segments) - 1

    @property
    def parent(self) -> Address | None:
        """Nothing for a root.

        >>> str(Address("mem://user/profile").parent), Address("mem://user").parent
        ('mem://user', None)
        """
        return Address.stored(self.text.rpartition(_SEPARATOR)[0]) if self.depth else None

    @property
    def ancestors(self) -> tuple[Address, ...]:
        """From the root down to the parent, which is the order in which they must come to be.

        >>> [str(address) for address in Address("mem://user/entities/acme").ancestors]
        ['mem://user', 'mem://user/entities']
        """
        return _from_root(self.text.rpartition(_SEPARATOR)[0]) if self.depth else ()

    @property
    def descendant_range(self) -> tuple[str, str]:
        """The half-open range of texts that are the descendants, and nothing else, under the collation "C".

        >>> Address("mem://user/profile").descendant_range
        ('mem://user/profile/', 'mem://user/profile0')
        """
        return self.text + _SEPARATOR, self.text + _AFTER_SEPARATOR

    def is_within(self, prefix: Address) -> bool:
        """Whether it is that address or lies below it.

        >>> profile = Address("mem://user/profile")
        >>> profile.is_within(profile), Address("mem://user/profiles").is_within(profile)
        (True, False)
        """
        return self == prefix or self.text.startswith(prefix.text + _SEPARATOR)

    def child(self, name: str) -> Address:
        """The address of that name right below.

        >>> str(Address("mem://user").child("profile"))
        'mem://user/profile'
        """
        if _SEPARATOR in name:
            raise AddressError("a name in an address must not contain a slash")
        return Address(f"{self.text}{_SEPARATOR}{unicodedata.normalize('NFC', name)}")


def slug(text: str) -> str:
    """A name for an address made of any text: letters and digits of every script, single hyphens for all else.

    >>> slug("  Coding Style (Python 3!) "), slug("Żółć ﬁrst"), slug("?!")
    ('coding-style-python-3', 'żółć-first', 'unnamed')
    """
    kept: list[str] = []
    for character in _lowered(text):
        kind = unicodedata.category(character)[0]
        follows_name = bool(kept) and kept[-1] != "-"
        # A mark belongs to what stands before it: where that went, so does the mark.
        if kind in "LN" or (kind == "M" and follows_name):
            kept.append(character)
        elif follows_name:
            kept.append("-")
    return "".join(kept)[:LONGEST_SEGMENT].strip("-") or _UNNAMED


def slugs(text: str) -> Iterator[str]:
    """The slug of a text, then the same numbered from 2 on, without an end.

    >>> names = slugs("Deploy!")
    >>> next(names), next(names), next(names)
    ('deploy', 'deploy-2', 'deploy-3')
    """
    name = slug(text)
    yield name
    yield from (_numbered(name, number) for number in count(2))


def addresses_beside(address: Address) -> Iterator[Address]:
    """The others in the same place whose names are the slugs of its own; none beside a root.

    >>> str(next(addresses_beside(Address("mem://user/events/deploy"))))
    'mem://user/events/deploy-2'
    """
    if parent := address.parent:
        yield from (parent.child(name) for name in slugs(address.name) if name != address.name)


def _numbered(name: str, number: int) -> str:
    ending = f"-{number}"
    return name[: LONGEST_SEGMENT - len(ending)].rstrip("-") + ending


def _lowered(text: str) -> str:
    """Compatible, composed and lower case at once: each of the steps may undo another, so until nothing changes."""
    before = None
    while before != text:
        before, text = text, unicodedata.normalize("NFKC", text).lower()
    return text


@lru_cache(maxsize=4_096)
def _from_root(text: str) -> tuple[Address, ...]:
    """A place and all above it, the root first: many have the same."""
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
