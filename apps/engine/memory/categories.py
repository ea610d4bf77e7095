"""Categories of the memory tree: root, owner, and the rules for extraction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from apps.engine.memory.addresses import Address, AddressError, slug


class Category(StrEnum):
    PROFILE = "profile"
    PREFERENCES = "preferences"
    ENTITIES = "entities"
    EVENTS = "events"
    PATTERNS = "patterns"
    CASES = "cases"
    SESSION = "session"


class Owner(StrEnum):
    """The owner of a memory: a user, the workspace (agent), or the user of a session."""

    USER = "user"
    AGENT = "agent"
    SESSION = "session"


class Merging(StrEnum):
    """Whether extraction merges into an existing memory: always, into a similar one, or never."""

    ALWAYS = "always"
    ALIKE = "alike"
    NEVER = "never"


class Writer(StrEnum):
    PERSON = "person"
    EXTRACTION = "extraction"


@dataclass(frozen=True, slots=True)
class CategoryRules:
    """Rules of a category; `names` is the number of names below its root in an extracted memory's address."""

    root: Address
    merging: Merging
    names: int = 1

    @property
    def owner(self) -> Owner:
        return _OWNERS[self.root.root]

    @property
    def directories(self) -> tuple[Address, ...]:
        """Its fixed folders, from the root of the tree down."""
        return (*self.root.ancestors, self.root)


_OWNERS = {"user": Owner.USER, "agent": Owner.AGENT, "sessions": Owner.SESSION}
RULES: Mapping[Category, CategoryRules] = MappingProxyType(
    {
        Category.PROFILE: CategoryRules(Address("mem://user/profile"), Merging.ALWAYS),
        Category.PREFERENCES: CategoryRules(Address("mem://user/preferences"), Merging.ALIKE),
        # An entity is a directory of memories.
        Category.ENTITIES: CategoryRules(Address("mem://user/entities"), Merging.NEVER, names=2),
        Category.EVENTS: CategoryRules(Address("mem://user/events"), Merging.NEVER),
        Category.PATTERNS: CategoryRules(Address("mem://agent/patterns"), Merging.ALIKE),
        Category.CASES: CategoryRules(Address("mem://agent/cases"), Merging.NEVER),
        Category.SESSION: CategoryRules(Address("mem://sessions"), Merging.NEVER, names=2),
    }
)
_ROOTED = {rules.root.text: category for category, rules in RULES.items()}
# Communication preferences do not decay.
RELATIONAL_PROFILE = Address("mem://user/profile/communication")
PREFERENCES_OVERVIEW = Address("mem://user/profile/preferences")
FIXED = frozenset(directory for rules in RULES.values() for directory in rules.directories)


def category_of(address: Address) -> Category | None:
    """The category of an address; none for `mem://user` and `mem://agent`, which contain several.

    >>> str(category_of(Address("mem://user/events/2026-02-25-deploy"))), category_of(Address("mem://user"))
    ('events', None)
    """
    for above in (*address.ancestors[:2], address):
        if above.text in _ROOTED:
            return _ROOTED[above.text]
    if address in FIXED:
        return None
    raise AddressError(f"an address must be inside one of {', '.join(str(rules.root) for rules in RULES.values())}")


def owner_of(address: Address) -> Owner:
    """The owner of memories at an address.

    >>> str(owner_of(Address("mem://agent/cases/sqlite")))
    'agent'
    """
    return _OWNERS[address.root]


def may_rewrite(category: Category, writer: Writer) -> bool:
    """Whether a writer may change a memory; add-only categories restrict extraction, never a person.

    >>> [may_rewrite(Category.EVENTS, writer) for writer in Writer]
    [True, False]
    """
    return writer is Writer.PERSON or RULES[category].merging is not Merging.NEVER


def decays(address: Address, *, is_directory: bool) -> bool:
    """Whether a node loses relevance over time.

    >>> decays(Address("mem://user/profile/coding-style"), is_directory=False)
    True
    >>> decays(RELATIONAL_PROFILE, is_directory=False), decays(Address("mem://user/entities/acme"), is_directory=True)
    (False, False)
    """
    return not is_directory and address != RELATIONAL_PROFILE


def memory_address(category: Category, *names: str) -> Address:
    """Address of an extracted memory; an entity or session precedes its own name.

    >>> str(memory_address(Category.ENTITIES, "Acme API", "Rate limit"))
    'mem://user/entities/acme-api/rate-limit'
    """
    rules = RULES[category]
    if len(names) != rules.names:
        raise AddressError(f"an address in {category} takes {rules.names} name(s)")
    address = rules.root
    for name in names:
        address = address.child(slug(name))
    return address


def named_address(category: Category, name: str) -> Address:
    """Address of a memory given one name; the name of an entity or session ends at the first slash.

    >>> str(named_address(Category.PREFERENCES, "CI/CD")), str(named_address(Category.ENTITIES, "Acme API/CI/CD"))
    ('mem://user/preferences/ci-cd', 'mem://user/entities/acme-api/ci-cd')
    """
    return memory_address(category, *name.split("/", RULES[category].names - 1))


def entity_of(address: Address) -> Address | None:
    """The entity directory that an address belongs to; its overview depends on the memory.

    >>> str(entity_of(Address("mem://user/entities/acme-api/rate-limit")))
    'mem://user/entities/acme-api'
    >>> entity_of(Address("mem://user/events/deploy")), entity_of(Address("mem://user/entities"))
    (None, None)
    """
    root = RULES[Category.ENTITIES].root
    if address == root or not address.is_within(root):
        return None
    return root.child(address.segments[root.depth + 1])
