"""Bulk creation of memories without a chosen address: a number is appended to a name that is taken."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice
from uuid import UUID

from apps.accounts.actors import Actor, require_write
from apps.common.errors import TooLarge
from apps.engine.memory.addresses import Address, numbered_siblings
from apps.engine.memory.same_text import same_text_hash
from apps.memory.models import MemNode, NodeType
from apps.memory.records.tree import ItemResult
from apps.memory.selectors.nodes import in_tree
from apps.memory.selectors.repeated import RepeatedMemories
from apps.memory.selectors.tree_locks import texts_lock
from apps.memory.services.bulk.create import MOST_ITEMS, nodes_create_bulk
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.tree.node_snapshot import content_hash

_MOST_TRIES = 20
_LOOKUP_BATCH = 100
_NOTHING, _DIRECTORY, _OTHER = "", "directory", "other"


def nodes_create_named(actor: Actor, *, drafts: Sequence[NodeDraft]) -> list[ItemResult]:
    """Create memories like `nodes_create_bulk`, but store each `numbered` one at its first free numbered address.

    What a memory, or an earlier draft, says already is `unchanged`, unless a draft may repeat it. If a concurrent
    transaction takes an address first, retry with the next one.
    """
    require_write(actor)
    if len(drafts) > MOST_ITEMS:
        raise TooLarge(f"At most {MOST_ITEMS:,} memories at once.", code="too_many_items")
    repeated = _Repeated(actor, drafts)
    new = [position for position in range(len(drafts)) if position not in repeated.positions]
    stored = _created(actor, [drafts[position] for position in new])
    results = {position: replace(one, position=position) for position, one in zip(new, stored, strict=True)}
    return [results.get(position) or repeated.result(position, results) for position in range(len(drafts))]


def _created(actor: Actor, drafts: Sequence[NodeDraft]) -> list[ItemResult]:
    results = nodes_create_bulk(actor, drafts=_placed(actor, drafts))
    for _ in range(_MOST_TRIES):
        conflicting = [one.position for one in results if one.code == "address_taken" and drafts[one.position].numbered]
        if not conflicting:
            break
        again = nodes_create_bulk(actor, drafts=_placed(actor, [drafts[position] for position in conflicting]))
        for position, result in zip(conflicting, again, strict=True):
            results[position] = replace(result, position=position)
    return results


class _Repeated:
    """The drafts that say what a memory in use, or an earlier draft, says in the same folder."""

    def __init__(self, actor: Actor, drafts: Sequence[NodeDraft]) -> None:
        self.positions: dict[int, MemNode | int] = {}
        for shared in (False, True):
            own = {position: one for position, one in enumerate(drafts) if one.shared is shared and not one.may_repeat}
            if own:
                self._look_up(None if shared else actor.person_id, own)

    def _look_up(self, owner_id: UUID | None, drafts: Mapping[int, NodeDraft]) -> None:
        texts = [one.content for one in drafts.values()]
        texts_lock(owner_id, {same_text_hash(text) for text in texts})
        known, first = RepeatedMemories(owner_id, texts), dict[tuple[str, str], int]()
        for position, one in drafts.items():
            key = (str(one.address.parent), same_text_hash(one.content))
            earlier = first.setdefault(key, position) if key[1] else position
            row = known.of(one.address, one.content, any_name=one.numbered)
            if row is not None or (one.numbered and earlier != position):
                self.positions[position] = earlier if row is None else row

    def result(self, position: int, stored: Mapping[int, ItemResult]) -> ItemResult:
        """The memory that has the text; a repetition of a draft that was refused is refused, too."""
        same = self.positions[position]
        if isinstance(same, MemNode):
            return ItemResult(position, "unchanged", same.id, same.uri)
        first = stored[same]
        return replace(first, position=position, state="unchanged" if first.node_id else first.state)


def _placed(actor: Actor, drafts: Sequence[NodeDraft]) -> list[NodeDraft]:
    own, team = ([one for one in drafts if one.shared is shared] for shared in (False, True))
    trees = {False: _Names(actor.person_id, own), True: _Names(None, team)}
    return [replace(one, address=trees[one.shared].give(one)) if one.numbered else one for one in drafts]


class _Names:
    """Free addresses of one tree, given its existing nodes and the drafts placed so far."""

    def __init__(self, owner_id: UUID | None, drafts: Sequence[NodeDraft]) -> None:
        self._owner_id = owner_id
        chosen = [one.address for one in drafts if not one.numbered]
        self._given = {place.text: _OTHER for address in chosen for place in (address, *address.ancestors)}
        self._existing = self._digests_at([one.address for one in drafts if one.numbered])
        self._seen: dict[Address, dict[str, Address]] = {}
        self._names: dict[Address, Iterator[Address]] = {}
        self._repetitions = count()

    def give(self, draft: NodeDraft) -> Address:
        """Return the first address that is free or, unless it may be repeated, has the same content already."""
        key = _content_key(draft.is_directory, content_hash(draft.content))
        if draft.may_repeat:
            key = f"{key} {next(self._repetitions)}"
        seen = self._seen.setdefault(draft.address, {})
        names = self._names.setdefault(draft.address, self._walk(draft.address))
        while key not in seen:
            address = next(names)
            occupant = self._given.get(address.text) or self._existing.get(address.text, _NOTHING)
            seen.setdefault(occupant or key, address)
        self._given[seen[key].text] = key
        return seen[key]

    def _walk(self, address: Address) -> Iterator[Address]:
        yield address
        names = numbered_siblings(address)
        while siblings := list(islice(names, _LOOKUP_BATCH)):
            self._existing |= self._digests_at(siblings)
            yield from siblings

    def _digests_at(self, addresses: Collection[Address]) -> dict[str, str]:
        if not addresses:
            return {}
        rows = in_tree(self._owner_id).filter(uri__in={one.text for one in addresses})
        return {
            uri: _OTHER if archived_at else _content_key(node_type == NodeType.DIRECTORY, digest)
            for uri, node_type, digest, archived_at in rows.values_list(
                "uri", "node_type", "content_hash", "archived_at"
            )
        }


def _content_key(is_directory: bool, digest: str) -> str:
    return _DIRECTORY if is_directory else digest
