"""Memory categories: at most one per address, and add-only rules that apply to extraction only."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.memory.addresses import ROOTS, SCHEME, Address, AddressError
from apps.engine.memory.categories import (
    FIXED,
    PREFERENCES_OVERVIEW,
    RELATIONAL_PROFILE,
    RULES,
    Category,
    Merging,
    Owner,
    Writer,
    category_of,
    decays,
    entity_of,
    may_rewrite,
    memory_address,
    owner_of,
)

categories = st.sampled_from(Category)
texts = st.text(max_size=80)


@pytest.mark.parametrize(
    ("category", "root", "owner", "merging"),
    [
        (Category.PROFILE, "mem://user/profile", Owner.USER, Merging.ALWAYS),
        (Category.PREFERENCES, "mem://user/preferences", Owner.USER, Merging.ALIKE),
        (Category.ENTITIES, "mem://user/entities", Owner.USER, Merging.NEVER),
        (Category.EVENTS, "mem://user/events", Owner.USER, Merging.NEVER),
        (Category.PATTERNS, "mem://agent/patterns", Owner.AGENT, Merging.ALIKE),
        (Category.CASES, "mem://agent/cases", Owner.AGENT, Merging.NEVER),
        (Category.SESSION, "mem://sessions", Owner.SESSION, Merging.NEVER),
    ],
)
def test_the_categories_match_the_design(category: Category, root: str, owner: Owner, merging: Merging) -> None:
    rules = RULES[category]
    assert (str(rules.root), rules.owner, rules.merging) == (root, owner, merging)


def test_no_category_is_within_another() -> None:
    assert not any(first.root.is_within(second.root) for first, second in permutations(RULES.values(), 2))


@given(categories, st.lists(texts, min_size=2, max_size=2))
def test_a_memory_address_is_in_its_category(category: Category, names: list[str]) -> None:
    rules = RULES[category]
    address = memory_address(category, *names[: rules.names])
    assert category_of(address) is category
    assert owner_of(address) is rules.owner
    assert address.depth == rules.root.depth + rules.names


@given(categories, st.integers(0, 4))
def test_a_memory_address_needs_as_many_names_as_its_category(category: Category, count: int) -> None:
    if count != RULES[category].names:
        with pytest.raises(AddressError, match="name"):
            memory_address(category, *["a"] * count)


@pytest.mark.parametrize("text", ["mem://user/recipes", "mem://agent/profile/x", "mem://user/profiles"])
def test_an_address_outside_every_category_is_rejected(text: str) -> None:
    with pytest.raises(AddressError, match="mem://user/profile"):
        category_of(Address(text))


def test_a_root_shared_by_several_categories_has_none() -> None:
    assert [category_of(Address(SCHEME + root)) for root in ROOTS] == [None, None, Category.SESSION]


def test_the_roots_and_the_roots_of_the_categories_are_fixed() -> None:
    assert {Address(SCHEME + root) for root in ROOTS} | {rules.root for rules in RULES.values()} == FIXED


def test_add_only_applies_to_extraction_and_never_to_a_person() -> None:
    assert all(may_rewrite(category, Writer.PERSON) for category in Category)
    rewritten = [category for category in Category if may_rewrite(category, Writer.EXTRACTION)]
    assert rewritten == [Category.PROFILE, Category.PREFERENCES, Category.PATTERNS]


def test_only_directories_and_the_relational_profile_do_not_decay() -> None:
    assert not decays(RELATIONAL_PROFILE, is_directory=False)
    for category in Category:
        leaf = memory_address(category, *["a"] * RULES[category].names)
        assert decays(leaf, is_directory=False)
        assert not decays(leaf, is_directory=True)
    assert decays(PREFERENCES_OVERVIEW, is_directory=False)


def test_an_address_within_an_entity_resolves_to_it() -> None:
    acme = Address("mem://user/entities/acme")
    addresses = (acme, acme.child("limit"), acme.child("team").child("ann"))
    assert {entity_of(address) for address in addresses} == {acme}
    assert entity_of(Address("mem://user/profile/acme")) is None
