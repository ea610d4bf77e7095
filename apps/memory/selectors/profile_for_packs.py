"""Memories of the tree that describe a person in every pack: their profile and their preferences."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.common.reads import fetch_rows
from apps.engine.memory.categories import RELATIONAL_PROFILE, RULES, Category
from apps.engine.pack.profile import ProfileMemory

# Memories read for each of the two layers, which hold at most 500 and 800 tokens.
_MOST = 100
# The relational profile is short by design and included as a whole; of others the abstract says enough.
_BELOW = """
SELECT id::text, uri, l0_abstract, CASE WHEN uri = %(whole)s THEN l1_overview ELSE '' END AS overview,
    '{layer}' AS layer
FROM mem_nodes
WHERE workspace_id = %(workspace)s AND owner_id = %(person)s AND uri >= %({layer}_first)s AND uri < %({layer}_end)s
    AND node_type = 'leaf' AND arrival = 'accepted' AND archived_at IS NULL AND l0_abstract <> ''
    AND (valid_to IS NULL OR (valid_to > %(at)s AND (superseded_by_id IS NULL OR %(is_past)s)))
    AND (NOT %(is_past)s OR coalesce(valid_from, least(occurred_at, created_at)) <= %(at)s)
ORDER BY uri <> %(whole)s, occurred_at DESC, id DESC LIMIT %(most)s
"""
_PROFILE = f"({_BELOW.format(layer='identity')}) UNION ALL ({_BELOW.format(layer='preferences')})"


@dataclass(frozen=True, slots=True)
class Profile:
    """Who a person is, the relational profile first, and what they prefer; otherwise the newest first."""

    identity: tuple[ProfileMemory, ...] = ()
    preferences: tuple[ProfileMemory, ...] = ()


def profile_for_pack(actor: Actor, *, as_of: datetime | None = None) -> Profile:
    """The accepted memories that hold now, or held at a time."""
    places = {"identity": Category.PROFILE, "preferences": Category.PREFERENCES}
    ranges = {layer: RULES[category].root.descendant_range for layer, category in places.items()}
    rows = fetch_rows(
        _PROFILE,
        person=actor.person_id,
        whole=RELATIONAL_PROFILE.text,
        at=as_of or timezone.now(),
        is_past=as_of is not None,
        most=_MOST,
        **{f"{layer}_first": first for layer, (first, _) in ranges.items()},
        **{f"{layer}_end": end for layer, (_, end) in ranges.items()},
    )
    found: dict[str, list[ProfileMemory]] = {layer: [] for layer in places}
    for node_id, uri, abstract, overview, layer in rows:
        found[layer].append(ProfileMemory(node_id, uri, overview or abstract, abstract if overview else ""))
    return Profile(tuple(found["identity"]), tuple(found["preferences"]))
