"""Addresses: parsing, hierarchy, and slugs derived from any text."""

from __future__ import annotations

import unicodedata
from itertools import islice

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from apps.engine.memory.addresses import (
    LONGEST_ADDRESS,
    LONGEST_SEGMENT,
    ROOTS,
    SCHEME,
    Address,
    AddressError,
    numbered_siblings,
    slug,
    slugs,
)

# Characters next to the separator and to each other, to test ranges and prefixes at their boundaries.
names = st.text("ab-.0!é语🦉 ", min_size=1, max_size=6).filter(lambda name: name == name.strip() and name.strip("."))
addresses = st.builds(
    lambda root, rest: Address("/".join([SCHEME + root, *rest])), st.sampled_from(ROOTS), st.lists(names, max_size=4)
)


@given(st.text() | st.text("mem:/user.-a\n").map(lambda rest: SCHEME + "user" + rest))
def test_any_text_is_an_address_or_rejected_with_a_reason(text: str) -> None:
    try:
        address = Address.parse(text)
    except AddressError as rejected:
        assert str(rejected)
    else:
        assert address.root in ROOTS
        assert Address.parse(str(address)) == Address(str(address)) == address


@given(addresses)
def test_an_address_consists_of_its_parent_and_its_name(address: Address) -> None:
    if address.parent is None:
        assert (address.depth, address.ancestors) == (0, ())
    else:
        assert address.parent.child(address.name) == address
        assert address.ancestors == (*address.parent.ancestors, address.parent)
        assert [ancestor.depth for ancestor in address.ancestors] == list(range(address.depth))


@given(addresses, addresses)
def test_the_range_matches_exactly_the_descendants(ancestor: Address, other: Address) -> None:
    first, end = ancestor.descendant_range
    # The collation "C" compares bytes.
    in_range = first.encode() <= other.text.encode() < end.encode()
    assert in_range == (ancestor in other.ancestors)
    assert other.is_within(ancestor) == (in_range or other == ancestor)


@given(addresses, names)
def test_a_child_is_in_its_parents_range(ancestor: Address, name: str) -> None:
    first, end = ancestor.descendant_range
    assert first <= ancestor.child(name).text < end
    assert ancestor.child(name).is_within(ancestor)
    assert not ancestor.is_within(ancestor.child(name))


@given(addresses, st.sampled_from("-.0!~é"))
def test_a_sibling_with_the_same_prefix_is_not_in_the_range(address: Address, ending: str) -> None:
    ancestor = address.child("a")
    first, end = ancestor.descendant_range
    sibling = Address(ancestor.text + ending)
    assert not first <= sibling.text < end
    assert not sibling.is_within(ancestor)


@given(st.lists(addresses))
def test_addresses_sort_by_their_bytes(unsorted: list[Address]) -> None:
    assert [address.text for address in sorted(unsorted)] == sorted(
        (address.text for address in unsorted), key=str.encode
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "begin with mem://"),
        ("user/profile", "begin with mem://"),
        ("MEM://user", "begin with mem://"),
        (" mem://user", "begin with mem://"),
        ("mem://", "must begin with"),
        ("mem:///user", "begin with one of mem://user"),
        ("mem://users/profile", "begin with one of mem://user"),
        ("mem://User/profile", "begin with one of mem://user"),
        ("mem://user//profile", "not be empty"),
        ("mem://user/profile//", "not be empty"),
        ("mem://user/./profile", "not be . or .."),
        ("mem://user/..", "not be . or .."),
        ("mem://user/ profile", "white space"),
        ("mem://user/pro\u0000file", "control characters"),
        ("mem://user/pro\u202efile", "control characters"),
        ("mem://user/pro\ud800file", "control characters"),
        ("mem://user/pro\u2028file", "control characters"),
        ("mem://user/" + "a" * (LONGEST_SEGMENT + 1), "64 characters"),
        ("mem://user" + "/ab" * 200, "500 characters"),
    ],
)
def test_an_invalid_address_is_rejected_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(AddressError, match=reason):
        Address.parse(text)


def test_the_longest_name_and_address_are_accepted() -> None:
    assert Address("mem://user/" + "a" * LONGEST_SEGMENT).name == "a" * LONGEST_SEGMENT
    longest = "mem://user" + "/a" * ((LONGEST_ADDRESS - len("mem://user")) // 2)
    assert len(Address(longest).text) == LONGEST_ADDRESS


def test_a_trailing_slash_and_decomposed_accents_are_accepted() -> None:
    assert Address.parse("mem://user/cafe\u0301/") == Address("mem://user/café")
    assert Address("mem://user").child("cafe\u0301") == Address("mem://user/café")
    with pytest.raises(AddressError, match="composed"):
        Address("mem://user/cafe\u0301")


def test_a_child_name_cannot_contain_a_slash() -> None:
    with pytest.raises(AddressError, match="slash"):
        Address("mem://user").child("a/b")


@given(st.text(max_size=200))
@example("İ")
@example("J\u030c")
@example("ǅ Σας ΑΣ")
@example("❤️ me")
@example("ﷺ" * 9)
def test_slugs_are_idempotent(text: str) -> None:
    assert slug(slug(text)) == slug(text)


@given(st.text(max_size=200))
def test_a_slug_is_a_valid_name(text: str) -> None:
    name = slug(text)
    assert Address("mem://user").child(name).name == name
    assert 1 <= len(name) <= LONGEST_SEGMENT
    assert unicodedata.is_normalized("NFKC", name)
    assert "--" not in name
    assert name == name.strip("-")
    assert all(character == "-" or unicodedata.category(character)[0] in "LMN" for character in name)


@given(st.text(st.characters(categories=["Lo", "Nd"]), min_size=1, max_size=20))
def test_letters_and_digits_of_every_script_are_preserved(text: str) -> None:
    plain = unicodedata.normalize("NFKC", text).lower()
    assume(all(unicodedata.category(character) in ("Lo", "Nd") for character in plain))
    assert slug(text) == plain[:LONGEST_SEGMENT]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Coding Style", "coding-style"),
        ("2026-02-25: deploy!", "2026-02-25-deploy"),
        ("日本語 の 名前", "日本語-の-名前"),
        ("हिन्दी", "हिन्दी"),
        ("ＦＵＬＬ　ｗｉｄｔｈ", "full-width"),
        ("❤️ tea", "tea"),
        ("a/b\\c.d", "a-b-c-d"),
        ("", "unnamed"),
        ("---", "unnamed"),
    ],
)
def test_slugs_of_typical_texts(text: str, name: str) -> None:
    assert slug(text) == name


@given(st.text(max_size=100), st.integers(0, 120))
def test_numbered_slugs_are_unique_slugs(wanted: str, taken: int) -> None:
    names = list(islice(slugs(wanted), taken + 1))
    assert len(set(names)) == len(names)
    assert names[0] == slug(wanted)
    assert all(slug(name) == name for name in names)


def test_a_long_name_is_cut_to_fit_its_number() -> None:
    longest, hyphenated = "a" * LONGEST_SEGMENT, "a" * 61 + "-bb"
    assert list(islice(slugs(longest), 2)) == [longest, "a" * 62 + "-2"]
    assert list(islice(slugs(hyphenated), 2)) == [hyphenated, "a" * 61 + "-2"]


def test_numbered_siblings_use_the_slugs_of_the_name() -> None:
    events = Address("mem://user/events")
    assert [address.name for address in islice(numbered_siblings(events.child("Big Day")), 2)] == [
        "big-day",
        "big-day-2",
    ]
    assert [address.name for address in islice(numbered_siblings(events.child("day")), 2)] == ["day-2", "day-3"]
    assert list(numbered_siblings(Address("mem://user"))) == []
