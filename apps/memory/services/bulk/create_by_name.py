"""Bulk creation of memories without a chosen address: a number is appended to a name that is taken."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from uuid import UUID

from apps.accounts.actors import Actor, require_write
from apps.engine.memory.addresses import Address, numbered_siblings
from apps.memory.models import NodeType
from apps.memory.records.tree import ItemResult
from apps.memory.selectors.nodes import in_tree
from apps.memory.services.bulk.create import nodes_create_bulk
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.memory.services.tree.node_snapshot import content_hash

_MOST_TRIES = 20
_LOOKUP_BATCH = 100
_NOTHING, _DIRECTORY, _OTHER = "", "directory", "other"


def nodes_create_named(actor: Actor, *, drafts: Sequence[NodeDraft]) -> list[ItemResult]:
    """Create memories like `nodes_create_bulk`, but store each `numbered` one at its first free numbered address.

    If a concurrent transaction takes an address first, retry with the next one.
    """
    require_write(actor)
    results = nodes_create_bulk(actor, drafts=_placed(actor, drafts))
    for _ in range(_MOST_TRIES):
        conflicting = [one.position for one in results if one.code == "address_taken" and drafts[one.position].numbered]
        if not conflicting:
            break
        again = nodes_create_bulk(actor, drafts=_placed(actor, [drafts[position] for position in conflicting]))
        for position, result in zip(conflicting, again, strict=True):
            results[position] = replace(result, position=position)
    return results


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

    def give(self, draft: NodeDraft) -> Address:
        """Return the first address that is free or already has the same content under the same name."""
        key = _content_key(draft.is_directory, content_hash(draft.content))
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
