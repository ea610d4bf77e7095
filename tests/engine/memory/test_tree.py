"""The memory tree: moves, merges and diffs preserve addresses, parents and trust."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from apps.engine.memory.addresses import LONGEST_ADDRESS, Address, AddressError
from apps.engine.memory.categories import FIXED, RULES, Category, Writer, category_of
from apps.engine.memory.decay import DAY, Strength
from apps.engine.memory.tree import (
    DiffLine,
    Hunk,
    LineKind,
    Memory,
    Node,
    TreeError,
    check_move,
    check_new,
    diff,
    merge_contents,
    missing_parents,
    plan_merge,
    renames,
)
from apps.engine.memory.trust import Trust, may_merge
from apps.engine.policy import Policy

EVENTS = RULES[Category.EVENTS].root
PROFILE = RULES[Category.PROFILE].root
CASES = RULES[Category.CASES].root
STRONG, WEAK = Strength(1.0, 100 * DAY), Strength(0.5, 0.0)


def directory(address: Address) -> Node:
    return Node(address, is_directory=True)


def leaf(address: Address) -> Node:
    return Node(address, is_directory=False)


def existing(*nodes: Node) -> dict[Address, Node]:
    return {node.address: node for node in nodes}


def memory(name: str, trust: Trust = Trust.DIRECT_USER, *, content: str = "", root: Address = PROFILE) -> Memory:
    return Memory(name, root.child(name), content, trust, STRONG)


# Few names, so that addresses collide.
addresses = st.builds(
    lambda root, names: Address("/".join([str(root), *names])),
    st.sampled_from([rules.root for rules in RULES.values()]),
    st.lists(st.sampled_from(["a", "b", "a-", "a0"]), max_size=4),
)


@dataclass
class Row:
    node: Node
    parent: int | None


class AnyOperations(RuleBasedStateMachine):
    """Apply operations that the engine accepts to rows that reference their parents by number, like a table."""

    @initialize()
    def set_up(self) -> None:
        self.rows: dict[int, Row] = {}
        self.row_count = 0

    def existing(self) -> dict[Address, Node]:
        return {row.node.address: row.node for row in self.rows.values()}

    def number(self, address: Address | None) -> int | None:
        return next((number for number, row in self.rows.items() if row.node.address == address), None)

    def insert(self, node: Node) -> None:
        self.rows[self.row_count] = Row(node, self.number(node.address.parent))
        self.row_count += 1

    @rule(address=addresses, is_directory=st.booleans())
    def create(self, address: Address, is_directory: bool) -> None:
        try:
            check_new(address, self.existing())
        except TreeError:
            return
        self.insert_above(address)
        self.insert(Node(address, is_directory))

    def insert_above(self, address: Address) -> None:
        for parent_address in missing_parents(address, self.existing()):
            self.insert(directory(parent_address))

    @rule(data=st.data(), to=addresses)
    def move(self, data: st.DataObject, to: Address) -> None:
        if not self.rows:
            return
        moved = data.draw(st.sampled_from(sorted(self.existing())))
        try:
            check_move(moved, to, self.existing())
        except TreeError:
            return
        self.apply_move(moved, to)

    def apply_move(self, moved: Address, to: Address) -> None:
        self.insert_above(to)
        first, end = moved.descendant_range
        subtree = [address for address in self.existing() if first <= address.text < end]
        new = {rename.old: rename.new for rename in renames(moved, to, subtree)}
        top = self.number(moved)
        for row in self.rows.values():
            if row.node.address in new:
                row.node = replace(row.node, address=new[row.node.address])
        if top is not None:
            self.rows[top].parent = self.number(to.parent)

    @rule(data=st.data(), to=addresses)
    def move_and_undo(self, data: st.DataObject, to: Address) -> None:
        if not self.rows:
            return
        before = {number: replace(row) for number, row in self.rows.items()}
        moved = data.draw(st.sampled_from(sorted(self.existing())))
        try:
            check_move(moved, to, self.existing())
        except TreeError:
            return
        self.apply_move(moved, to)
        check_move(to, moved, self.existing())
        self.apply_move(to, moved)
        created = {row.node.address for number, row in self.rows.items() if number not in before}
        assert created == set(missing_parents(to, {row.node.address for row in before.values()}))
        self.rows = {number: row for number, row in self.rows.items() if number in before}
        assert self.rows == before

    @rule(data=st.data())
    def erase(self, data: st.DataObject) -> None:
        free = sorted(self.existing().keys() - FIXED)
        if free:
            erased = data.draw(st.sampled_from(free))
            self.rows = {number: row for number, row in self.rows.items() if not row.node.address.is_within(erased)}

    @invariant()
    def addresses_are_unique(self) -> None:
        assert len(self.existing()) == len(self.rows)

    @invariant()
    def each_parent_is_the_directory_of_its_child(self) -> None:
        for row in self.rows.values():
            if row.parent is None:
                assert row.node.address.depth == 0
            else:
                assert self.rows[row.parent].node == directory(row.node.address.parent or row.node.address)

    @invariant()
    def every_chain_of_parents_ends_at_a_root(self) -> None:
        for row in self.rows.values():
            steps, parent = 0, row.parent
            while parent is not None:
                steps, parent = steps + 1, self.rows[parent].parent
                assert steps <= len(self.rows)
            assert steps == row.node.address.depth

    @invariant()
    def each_node_is_in_a_category_or_above_one(self) -> None:
        for address in self.existing():
            assert category_of(address) is not None or address in FIXED


TestAnyOperations = AnyOperations.TestCase


@pytest.mark.parametrize(
    ("moved", "to", "reason"),
    [
        (EVENTS.child("a"), EVENTS.child("a"), "into itself"),
        (EVENTS.child("a"), EVENTS.child("a").child("b"), "into itself"),
        (EVENTS, PROFILE.child("events"), "top-level folders"),
        (Address("mem://user"), PROFILE.child("user"), "top-level folders"),
        (EVENTS.child("a"), CASES.child("a"), "cannot change the owner"),
        (EVENTS.child("a"), PROFILE, "top-level folders"),
        (EVENTS.child("a"), EVENTS.child("taken"), "address is already in use"),
        (EVENTS.child("a"), EVENTS.child("taken").child("b"), "only a folder can contain"),
        (EVENTS.child("a"), EVENTS.child("taken").child("b").child("c"), "only a folder can contain"),
    ],
)
def test_a_move_that_would_break_the_tree_is_rejected(moved: Address, to: Address, reason: str) -> None:
    nodes = existing(directory(EVENTS), directory(PROFILE), directory(CASES), leaf(EVENTS.child("taken")))
    with pytest.raises(TreeError, match=reason):
        check_move(moved, to, nodes)


def test_a_move_into_a_missing_directory_is_accepted() -> None:
    check_move(EVENTS.child("a"), EVENTS.child("2026").child("may").child("a"), existing(directory(EVENTS)))


def test_a_move_out_of_every_category_is_rejected() -> None:
    user = Address("mem://user")
    with pytest.raises(AddressError, match="must be inside"):
        check_move(EVENTS.child("a"), user.child("recipes"), existing(directory(user)))


def test_a_sibling_with_the_same_prefix_is_not_in_the_subtree() -> None:
    check_move(EVENTS.child("a"), EVENTS.child("ab"), existing(directory(EVENTS)))
    with pytest.raises(TreeError, match="contents of a node"):
        renames(EVENTS.child("a"), EVENTS.child("b"), [EVENTS.child("ab")])


@given(addresses, addresses, st.lists(addresses, max_size=8))
def test_renaming_back_restores_all_addresses(moved: Address, to: Address, others: list[Address]) -> None:
    subtree = [address for address in others if address.is_within(moved)]
    renamed = renames(moved, to, subtree)
    restored = renames(to, moved, [rename.new for rename in renamed])
    assert [(rename.new, rename.old) for rename in restored] == [(rename.old, rename.new) for rename in renamed]
    assert len({rename.new for rename in renamed}) == len(renamed) == len({moved, *subtree})
    assert all(rename.new.is_within(to) for rename in renamed)


def test_a_move_that_makes_an_address_too_long_is_rejected() -> None:
    deep = Address(EVENTS.child("a").text + "/b" * 235)
    with pytest.raises(AddressError, match=str(LONGEST_ADDRESS)):
        renames(EVENTS.child("a"), EVENTS.child("a" * 64), [deep])


@given(addresses, st.sets(addresses))
def test_with_the_missing_parents_every_ancestor_exists(address: Address, existing: set[Address]) -> None:
    missing = missing_parents(address, existing)
    assert {*missing, *existing} >= set(address.ancestors)
    assert not {*missing} & existing
    assert list(missing) == sorted(missing)


trusts = st.sampled_from(Trust)


@given(trusts, st.lists(trusts, min_size=1, max_size=6))
def test_extraction_never_lowers_trust_and_loses_no_source(target: Trust, others: list[Trust]) -> None:
    sources = [memory(f"s{number}", trust) for number, trust in enumerate(others)]
    plan = plan_merge(memory("target", target), sources, Writer.EXTRACTION, Policy())
    assert plan.trust is target
    assert sorted((*plan.merged, *plan.waiting)) == [source.id for source in sources]
    assert list(plan.merged) == [source.id for source in sources if may_merge(source.trust, target)]


@given(trusts, st.lists(trusts, min_size=1, max_size=6))
def test_a_merge_by_a_person_takes_all_sources_and_the_lowest_trust(target: Trust, others: list[Trust]) -> None:
    sources = [memory(f"s{number}", trust) for number, trust in enumerate(others)]
    plan = plan_merge(memory("target", target), sources, Writer.PERSON, Policy())
    assert not plan.waiting
    assert plan.trust is max([target, *others], key=list(Trust).index)


def test_a_merge_combines_lineage_strength_and_access_counts() -> None:
    target = replace(memory("a", content="Tabs."), strength=WEAK, access_count=2, merged_from=("x",))
    sources = [
        replace(memory("b", content="tabs\nNo comments."), access_count=3, merged_from=("x", "y")),
        replace(memory("c", content="Short names."), strength=WEAK),
    ]
    plan = plan_merge(target, sources, Writer.EXTRACTION, Policy())
    assert plan.content == "Tabs.\n\nNo comments.\n\nShort names."
    assert (plan.strength, plan.access_count) == (STRONG, 5)
    assert (plan.merged_from, plan.merged) == (("x", "y", "b", "c"), ("b", "c"))


def test_add_only_applies_to_extraction_and_never_to_a_person() -> None:
    first, second = memory("a", root=EVENTS), memory("b", root=EVENTS)
    with pytest.raises(TreeError, match="only a person"):
        plan_merge(first, [second], Writer.EXTRACTION, Policy())
    assert plan_merge(first, [second], Writer.PERSON, Policy()).merged == ("b",)


@pytest.mark.parametrize(
    ("sources", "reason"),
    [
        ([], "at least two different"),
        ([memory("a")], "at least two different"),
        ([memory("b"), memory("b")], "at least two different"),
        ([memory("b", root=CASES)], "different owners"),
    ],
)
def test_an_invalid_merge_is_rejected(sources: list[Memory], reason: str) -> None:
    with pytest.raises(TreeError, match=reason):
        plan_merge(memory("a"), sources, Writer.PERSON, Policy())


lines = st.sampled_from(["Tabs.", "tabs", "- Tabs", "Use C", "Use C++", "Do not use C", "```", "}", "", "  x"])
texts = st.lists(lines, max_size=8).map("\n".join)


@given(st.lists(texts, min_size=1, max_size=4))
def test_merged_texts_lose_and_gain_no_line(contents: list[str]) -> None:
    def normalized_lines(text: str) -> set[str]:
        return {line.strip("- ").rstrip(".").lower() for line in text.splitlines()} - {""}

    assert normalized_lines(merge_contents(contents)) == set().union(*map(normalized_lines, contents))
    assert merge_contents(contents).startswith(contents[0].strip())


@given(texts)
def test_a_text_merged_with_itself_does_not_change(text: str) -> None:
    if "```" not in text:
        assert merge_contents([text, text]) == text.strip()


def test_contradicting_lines_and_whole_code_blocks_remain_after_a_merge() -> None:
    assert merge_contents(["Use C.", "Do not use C."]) == "Use C.\n\nDo not use C."
    code = "```\nx = 1\n}\n```"
    assert merge_contents([code, "So:\n" + code]) == f"{code}\n\nSo:\n{code}"


def rebuild(old: str, hunks: tuple[Hunk, ...]) -> str:
    """Apply the hunks to the old text by their line numbers, like a patch."""
    before, after, read = old.split("\n"), list[str](), 0
    for hunk in hunks:
        start = next((line.old - 1 for line in hunk if line.old), read)
        after += before[read:start]
        read = start + sum(line.old > 0 for line in hunk)
        after += [line.text for line in hunk if line.new]
    return "\n".join(after + before[read:])


small_texts = st.lists(st.sampled_from(["a", "b", "", "c"]), max_size=30).map("\n".join)


@given(small_texts, small_texts)
@example("a\n" * 10, "a\n" * 20)
def test_applying_the_hunks_to_the_old_text_gives_the_new_one(old: str, new: str) -> None:
    hunks = diff(old, new)
    assert rebuild(old, hunks) == new
    assert (hunks == ()) == (old == new)


@given(st.integers(5, 60), st.data())
def test_distant_changes_are_in_separate_hunks(count: int, data: st.DataObject) -> None:
    before = [f"line {number}" for number in range(count)]
    changed = sorted(data.draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=4)))
    after = [f"{text}!" if place in changed else text for place, text in enumerate(before)]
    hunks = diff("\n".join(before), "\n".join(after))
    gaps = [second - first for first, second in pairwise(changed)]
    assert len(hunks) == 1 + sum(gap > 7 for gap in gaps)
    shown = [line for hunk in hunks for line in hunk]
    assert [line.old - 1 for line in shown if line.kind is LineKind.REMOVED] == changed
    assert all(line.text == before[line.old - 1] for line in shown if line.old)
    assert all(line.text == after[line.new - 1] for line in shown if line.new)


def test_the_diff_of_very_long_texts_is_still_correct() -> None:
    old = "\n".join(str(number) for number in range(3_000))
    new = "\n".join(str(number * 2) for number in range(3_000))
    assert rebuild(old, diff(old, new)) == new


def test_one_line_changed_in_a_long_text_is_one_small_hunk() -> None:
    before = [str(number) for number in range(50_000)]
    after = [*before[:40_000], "new", *before[40_000:]]
    (hunk,) = diff("\n".join(before), "\n".join(after))
    assert hunk[3] == DiffLine(LineKind.ADDED, "new", new=40_001)
    assert len(hunk) == 7
