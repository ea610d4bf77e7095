"""Searching for somebody: what is found of the memory tree counts as used."""

from __future__ import annotations

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.memory.records.found import FindWish, Found
from apps.memory.selectors.find import NOT_MADE, find, with_vector
from apps.memory.selectors.find_basis import basis_remembered
from apps.memory.services.access_notes import access_notes


def memories_find(actor: Actor, *, wish: FindWish) -> Found:
    """The best for the wish, which gets its vector outside of a unit: call this outside of one too."""
    known = basis_remembered(actor.workspace_id)
    found = _found(actor, wish)
    # Who remembered a space whose vectors are made here asked nobody for one.
    if found.because == NOT_MADE and basis_remembered(actor.workspace_id) != known:
        found = _found(actor, wish)
    if used := [hit.id for hit in found.hits if hit.kind == "memory"]:
        access_notes.add(actor.workspace_id, used)
    return found


def _found(actor: Actor, wish: FindWish) -> Found:
    ready = with_vector(actor, wish)
    with workspace(actor.workspace_id, plans="force_generic_plan"):
        return find(actor, ready)
