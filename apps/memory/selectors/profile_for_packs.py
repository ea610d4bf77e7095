"""Memories of the tree that describe a person in every pack: their profile and their preferences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.time_zones import local_day
from apps.common.reads import fetch_rows
from apps.engine.memory.categories import RELATIONAL_PROFILE, RULES, Category
from apps.engine.memory.decay import Strength, relevance_at
from apps.engine.memory.trust import Trust
from apps.engine.memory.worth import DescribingMemory, most_worth
from apps.engine.pack.profile import ProfileMemory
from apps.engine.policy import Policy

# Memories read for each of the two layers, of which those worth most are chosen.
_MOST_READ = 200
# The relational profile is short by design and included as a whole; of others the abstract says enough.
_BELOW = """
SELECT node.id::text, uri, l0_abstract, CASE WHEN uri = %(whole)s THEN l1_overview ELSE '' END AS overview,
    '{layer}' AS layer, base_relevance, extract(epoch FROM coalesce(last_access, occurred_at))::float8, access_count,
    trust, coalesce(valid_from, least(occurred_at, created_at)),
    (SELECT count(*) FROM mem_sources AS source WHERE source.node_id = node.id)
FROM mem_nodes AS node
WHERE workspace_id = %(workspace)s AND owner_id = %(person)s AND uri >= %({layer}_first)s AND uri < %({layer}_end)s
    AND node_type = 'leaf' AND arrival = 'accepted' AND archived_at IS NULL AND l0_abstract <> ''
    AND (valid_to IS NULL OR (valid_to > %(at)s AND (superseded_by_id IS NULL OR %(is_past)s)))
    AND (NOT %(is_past)s OR coalesce(valid_from, least(occurred_at, created_at)) <= %(at)s)
ORDER BY uri <> %(whole)s, occurred_at DESC, node.id DESC LIMIT %(most)s
"""
_PROFILE = f"({_BELOW.format(layer='identity')}) UNION ALL ({_BELOW.format(layer='preferences')})"


class _Row(NamedTuple):
    """What the statement selects, in its order; `last_access` is a Unix timestamp."""

    id: str
    uri: str
    abstract: str
    overview: str
    layer: str
    base_relevance: float
    last_access: float
    uses: int
    trust: str
    stated_at: datetime
    sources: int

    @property
    def is_own_words(self) -> bool:
        return self.trust == Trust.DIRECT_USER


@dataclass(frozen=True, slots=True)
class Profile:
    """Who a person is, the relational profile first, and what they prefer; otherwise the newest first."""

    identity: tuple[ProfileMemory, ...] = ()
    preferences: tuple[ProfileMemory, ...] = ()


def profile_for_pack(actor: Actor, policy: Policy, *, as_of: datetime | None = None) -> Profile:
    """The accepted memories that are worth most among those that hold now, or held at a time."""
    places = {"identity": Category.PROFILE, "preferences": Category.PREFERENCES}
    ranges = {layer: RULES[category].root.descendant_range for layer, category in places.items()}
    found = fetch_rows(
        _PROFILE,
        person=actor.person_id,
        whole=RELATIONAL_PROFILE.text,
        at=as_of or timezone.now(),
        is_past=as_of is not None,
        most=_MOST_READ,
        **{f"{layer}_first": first for layer, (first, _) in ranges.items()},
        **{f"{layer}_end": end for layer, (_, end) in ranges.items()},
    )
    rows = [_Row(*one) for one in found]
    now = (as_of or timezone.now()).timestamp()
    worth_most = set(most_worth(_describing(row, now, policy) for row in rows))
    # Not in the order of their worth: using one would change the text before the messages.
    chosen = [row for row in rows if row.id in worth_most]
    return Profile(*(tuple(_memory(row) for row in chosen if row.layer == layer) for layer in places))


def _describing(row: _Row, now: float, policy: Policy) -> DescribingMemory:
    # The relational profile is short, and says how to talk: it comes before everything.
    is_whole = row.uri == RELATIONAL_PROFILE.text
    relevance = math.inf if is_whole else relevance_at(Strength(row.base_relevance, row.last_access), now, policy)
    return DescribingMemory(row.id, row.abstract, relevance, row.sources, row.uses, row.is_own_words)


def _memory(row: _Row) -> ProfileMemory:
    """The memory; only what is not a person's own words says when it was stated, so that the others are short."""
    return ProfileMemory(
        id=row.id,
        address=row.uri,
        text=row.overview or row.abstract,
        short=row.abstract if row.overview else "",
        date="" if row.is_own_words else local_day(row.stated_at),
        trust=Trust(row.trust),
    )
