"""Rules of the memory tree (create, move, merge, diff) as pure functions over plain data."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum

from apps.engine.language.sentences import plain
from apps.engine.language.truncation import FENCE
from apps.engine.memory.addresses import Address
from apps.engine.memory.categories import FIXED, Writer, category_of, may_rewrite
from apps.engine.memory.decay import Strength, sort_key
from apps.engine.memory.trust import Trust, lowest, may_merge
from apps.engine.policy import Policy

_CONTEXT_LINES = 3
# Longer texts are not compared by line, because the time is quadratic.
_COMPARED_LINES = 4_000


class TreeError(ValueError):
    """An operation that would violate the rules of the tree; the message says why."""


@dataclass(frozen=True, slots=True)
class Node:
    """A memory or directory at an address."""

    address: Address
    is_directory: bool


@dataclass(frozen=True, slots=True)
class Rename:
    old: Address
    new: Address


@dataclass(frozen=True, slots=True)
class Memory:
    """The fields of a memory that a merge needs; `merged_from` are the ids of all memories merged into it before."""

    id: str
    address: Address
    content: str
    trust: Trust
    strength: Strength
    access_count: int = 0
    merged_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MergePlan:
    """The merged target, the sources it replaces, and the sources that wait as proposed revisions.

    `content` has every line of the target and the new lines of the sources, verbatim; a model may write a better text.
    The abstract, the overview and the embeddings are regenerated from it.
    """

    content: str
    trust: Trust
    strength: Strength
    access_count: int
    merged_from: tuple[str, ...]
    merged: tuple[str, ...]
    waiting: tuple[str, ...]


class LineKind(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line with its 1-based numbers in the old and the new text; zero if it is absent there."""

    kind: LineKind
    text: str
    old: int = 0
    new: int = 0


Hunk = tuple[DiffLine, ...]
_Code = tuple[str, int, int, int, int]


def missing_parents(address: Address, existing: Collection[Address]) -> tuple[Address, ...]:
    """The directories to create before the address, from the top down.

    >>> [str(address) for address in missing_parents(Address("mem://user/events/2026/deploy"), {Address("mem://user")})]
    ['mem://user/events', 'mem://user/events/2026']
    """
    return tuple(above for above in address.ancestors if above not in existing)


def check_new(address: Address, around: Mapping[Address, Node]) -> None:
    """Raise `TreeError` if no memory can be created there; `around` has the existing node and its parents.

    >>> check_new(Address("mem://user/events"), {})
    Traceback (most recent call last):
    apps.engine.memory.tree.TreeError: top-level folders cannot be changed
    """
    category_of(address)
    if address in FIXED:
        raise TreeError("top-level folders cannot be changed")
    if address in around:
        raise TreeError("this address is already in use")
    for above in address.ancestors:
        if above in around and not around[above].is_directory:
            raise TreeError("only a folder can contain other memories")


def check_move(moved: Address, to: Address, around: Mapping[Address, Node]) -> None:
    """Raise `TreeError` if the move is invalid; `around` has the existing node at the new address and its parents.

    >>> events = Address("mem://user/events")
    >>> check_move(events.child("a"), events.child("a").child("b"), {})
    Traceback (most recent call last):
    apps.engine.memory.tree.TreeError: a folder cannot be moved into itself
    """
    if moved in FIXED:
        raise TreeError("top-level folders cannot be changed")
    if to.is_within(moved):
        raise TreeError("a folder cannot be moved into itself")
    if to.root != moved.root:
        raise TreeError("a move cannot change the owner of a memory")
    check_new(to, around)


def renames(moved: Address, to: Address, subtree: Iterable[Address]) -> tuple[Rename, ...]:
    """Old and new addresses of a moved node and its descendants, parents first.

    >>> events = Address("mem://user/events")
    >>> [str(rename.new) for rename in renames(events.child("a"), events.child("b"), [events.child("a").child("x")])]
    ['mem://user/events/b', 'mem://user/events/b/x']
    """
    below = sorted({moved, *subtree})
    if not all(address.is_within(moved) for address in below):
        raise TreeError("only the contents of a node can move with it")
    return tuple(Rename(old, Address(to.text + old.text[len(moved.text) :])) for old in below)


def plan_merge(target: Memory, sources: Sequence[Memory], writer: Writer, policy: Policy) -> MergePlan:
    """Plan a merge: the result has the lowest trust and the highest strength of its parts.

    Extraction never lowers a node's trust, so less trusted sources wait for a person. A person's merge lowers it.

    >>> events = Address("mem://user/events")
    >>> first, second = [Memory(name, events.child(name), f"Line {name}.", Trust.TOOL, Strength(1, 0)) for name in "ab"]
    >>> plan = plan_merge(first, [second], Writer.PERSON, Policy())
    >>> plan.content, plan.merged
    ('Line a.\\n\\nLine b.', ('b',))
    """
    _check_merge(target, sources, writer)
    merged = [source for source in sources if writer is Writer.PERSON or may_merge(source.trust, target.trust)]
    parts = [target, *merged]
    lineage = (*target.merged_from, *(known for source in merged for known in (*source.merged_from, source.id)))
    return MergePlan(
        content=merge_contents([part.content for part in parts]),
        trust=lowest(part.trust for part in parts),
        strength=max((part.strength for part in parts), key=lambda strength: sort_key(strength, policy)),
        access_count=sum(part.access_count for part in parts),
        merged_from=tuple(dict.fromkeys(lineage)),
        merged=tuple(source.id for source in merged),
        waiting=tuple(source.id for source in sources if source not in merged),
    )


def merge_contents(contents: Sequence[str]) -> str:
    """Append to the first text the lines of the others that are new; code blocks stay complete.

    >>> print(merge_contents(["Deploys on Fridays.", "- deploys on Fridays\\nNever at noon."]))
    Deploys on Fridays.
    <BLANKLINE>
    Never at noon.
    """
    texts: list[str] = []
    known: set[str] = set()
    for content in contents:
        texts.append(_without_known(content, known) if texts else content.strip())
        known |= {_normalized(line) for line in content.splitlines()}
    return "\n\n".join(filter(None, texts))


def diff(old: str, new: str) -> tuple[Hunk, ...]:
    """Diff two texts by line, with three lines of context.

    >>> [[(str(line.kind), line.text) for line in hunk] for hunk in diff("a\\nb", "a\\nc")]
    [[('same', 'a'), ('removed', 'b'), ('added', 'c')]]
    """
    return tuple(map(tuple, _hunks(old, new)))


def diff_begin(old: str, new: str, limit: int) -> tuple[tuple[Hunk, ...], bool]:
    """Diff up to `limit` characters; also return whether the diff was cut.

    >>> [[(str(line.kind), line.text) for line in hunk] for hunk in diff_begin("one", "two", 4)[0]]
    [[('removed', 'one')]]
    """
    hunks: list[list[DiffLine]] = []
    remaining = limit
    for hunk in _hunks(old, new):
        hunks.append([])
        for line in hunk:
            if remaining <= 0:
                return tuple(map(tuple, filter(None, hunks))), True
            hunks[-1].append(replace(line, text=line.text[:remaining]))
            remaining -= len(line.text) + 1
    return tuple(map(tuple, hunks)), remaining < -1


def _hunks(old: str, new: str) -> Iterator[Iterator[DiffLine]]:
    if old == new:
        return
    before, after = old.split("\n"), new.split("\n")
    same = _common_prefix(before, after)
    rest = max(0, _common_prefix(before[same:][::-1], after[same:][::-1]) - _CONTEXT_LINES)
    first = max(0, same - _CONTEXT_LINES)
    before, after = before[first : len(before) - rest], after[first : len(after) - rest]
    for codes in _grouped(before, after):
        yield _hunk(codes, before, after, first + 1)


def _check_merge(target: Memory, sources: Sequence[Memory], writer: Writer) -> None:
    ids = [target.id, *(source.id for source in sources)]
    if not sources or len(set(ids)) < len(ids):
        raise TreeError("a merge needs at least two different memories")
    if any(source.address.root != target.address.root for source in sources):
        raise TreeError("memories of different owners cannot be merged")
    category = category_of(target.address)
    if category is None or not may_rewrite(category, writer):
        raise TreeError("only a person can merge memories of this category")


def _without_known(content: str, known: set[str]) -> str:
    lines: list[str] = []
    in_code = False
    for line in content.splitlines():
        fence = line.lstrip().startswith(FENCE)
        if in_code or fence or not line.strip() or _normalized(line) not in known:
            lines.append(line)
        in_code ^= fence
    return "\n".join(lines).strip()


def _normalized(line: str) -> str:
    """A line without its list marker, case and final period, for comparison."""
    return plain(line).casefold().rstrip(".")


def _common_prefix(before: Sequence[str], after: Sequence[str]) -> int:
    """Number of leading lines that both have in common."""
    differing = (place for place, (old, new) in enumerate(zip(before, after, strict=False)) if old != new)
    return next(differing, min(len(before), len(after)))


def _grouped(before: Sequence[str], after: Sequence[str]) -> Iterable[list[_Code]]:
    if len(before) + len(after) > _COMPARED_LINES:
        return [[("replace", 0, len(before), 0, len(after))]]
    return SequenceMatcher(None, before, after).get_grouped_opcodes(_CONTEXT_LINES)


def _hunk(codes: Iterable[_Code], before: Sequence[str], after: Sequence[str], first: int) -> Iterator[DiffLine]:
    """Yield the lines of a hunk, numbered from `first`."""
    for tag, old, old_end, new, new_end in codes:
        if tag == "equal":
            for one, two in zip(range(old, old_end), range(new, new_end), strict=True):
                yield DiffLine(LineKind.SAME, before[one], one + first, two + first)
        else:
            yield from (DiffLine(LineKind.REMOVED, before[one], old=one + first) for one in range(old, old_end))
            yield from (DiffLine(LineKind.ADDED, after[two], new=two + first) for two in range(new, new_end))
