"""Trust of a memory: set by its source, carried through every rewrite, raised by a person's approval."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Trust(StrEnum):
    """Levels of trust, highest first."""

    DIRECT_USER = "direct_user"
    MODEL_INFERENCE = "model_inference"
    TOOL = "tool"
    IMPORTED = "imported"


class Source(StrEnum):
    """Origin of a memory."""

    # Added to the memory tree by a person.
    WRITTEN = "written"
    # Quoted from the user.
    QUOTED = "said"
    # Inferred by a model or a rule from the user's messages.
    INFERRED = "inferred"
    ASSISTANT = "assistant"
    TOOL = "tool"
    FILE = "file"
    OTHER_MEMBER = "other_member"
    # Import of one's own memories, and any other import.
    OWN_STORE = "own_store"
    OTHER_STORE = "other_store"


class Mode(StrEnum):
    """Policy for new memories: which ones wait for a person in addition to untrusted ones."""

    TRUSTED = "trusted"
    CONFIDENT = "confident"
    NOTHING = "nothing"


class Arrival(StrEnum):
    ACCEPTED = "accepted"
    PROPOSED = "proposed"


_RANKS = {trust: rank for rank, trust in enumerate(Trust)}
_LABELS = {
    Trust.DIRECT_USER: "",
    Trust.MODEL_INFERENCE: "inferred",
    Trust.TOOL: "from an assistant or a tool, not confirmed",
    Trust.IMPORTED: "imported, not confirmed",
}
_TRUST = {
    Source.WRITTEN: Trust.DIRECT_USER,
    Source.QUOTED: Trust.DIRECT_USER,
    Source.INFERRED: Trust.MODEL_INFERENCE,
    # An assistant repeats content of tools and web pages.
    Source.ASSISTANT: Trust.TOOL,
    Source.TOOL: Trust.TOOL,
    Source.FILE: Trust.TOOL,
    Source.OTHER_MEMBER: Trust.TOOL,
    Source.OWN_STORE: Trust.MODEL_INFERENCE,
    Source.OTHER_STORE: Trust.IMPORTED,
}


def trust_of(source: Source) -> Trust:
    """Trust of a memory from a source before any review.

    >>> str(trust_of(Source.QUOTED)), str(trust_of(Source.ASSISTANT))
    ('direct_user', 'tool')
    """
    return _TRUST[source]


def lowest(trusts: Iterable[Trust]) -> Trust:
    """Trust of a combination: that of its least trusted part.

    >>> str(lowest([Trust.DIRECT_USER, Trust.TOOL, Trust.MODEL_INFERENCE]))
    'tool'
    """
    return max(trusts, key=_RANKS.__getitem__)


def node_trust(lineage: Iterable[Trust], *, approved: bool) -> Trust:
    """Trust of a node: the lowest of its lineage, unless a person approved it; revoking restores the lowest.

    >>> [str(node_trust([Trust.TOOL], approved=approved)) for approved in (False, True)]
    ['tool', 'direct_user']
    """
    return Trust.DIRECT_USER if approved else lowest(lineage)


def is_low(trust: Trust) -> bool:
    """Whether it waits for a person, stays out of packs until then, and gains no strength from searches.

    >>> [is_low(trust) for trust in Trust]
    [False, False, True, True]
    """
    return _RANKS[trust] > _RANKS[Trust.MODEL_INFERENCE]


def is_inferred(trust: Trust) -> bool:
    """Whether it is accepted but marked as inferred.

    >>> is_inferred(Trust.MODEL_INFERENCE), is_inferred(Trust.DIRECT_USER)
    (True, False)
    """
    return trust is Trust.MODEL_INFERENCE


def trust_label(trust: Trust) -> str:
    """What a reader of a memory is told about its trust; nothing if it is a person's own words.

    >>> [trust_label(trust) for trust in (Trust.DIRECT_USER, Trust.IMPORTED)]
    ['', 'imported, not confirmed']
    """
    return _LABELS[trust]


def origin_of(address: str, trust: Trust = Trust.DIRECT_USER, date: str = "") -> str:
    """Where a quoted memory is from: its address, the day of its words in ISO format, and its trust.

    >>> origin_of("mem://user/profile/diet", Trust.MODEL_INFERENCE, "2026-03-01")
    'mem://user/profile/diet 2026-03-01, inferred'
    """
    dated = f"{address} {date}".rstrip()
    return ", ".join(filter(None, (dated, trust_label(trust))))


def may_merge(source: Trust, target: Trust) -> bool:
    """Whether a source may be merged into a node; a less trusted source becomes a proposed revision.

    >>> may_merge(Trust.DIRECT_USER, Trust.TOOL), may_merge(Trust.TOOL, Trust.DIRECT_USER)
    (True, False)
    """
    return _RANKS[source] <= _RANKS[target]


def arrives(source: Source, mode: Mode, *, confident: bool = True) -> Arrival:
    """Whether a new memory is accepted or proposed; memories added by a person are always accepted.

    >>> str(arrives(Source.INFERRED, Mode.CONFIDENT)), str(arrives(Source.INFERRED, Mode.CONFIDENT, confident=False))
    ('accepted', 'proposed')
    """
    if source is Source.WRITTEN:
        return Arrival.ACCEPTED
    waits = is_low(trust_of(source)) or mode is Mode.NOTHING or (mode is Mode.CONFIDENT and not confident)
    return Arrival.PROPOSED if waits else Arrival.ACCEPTED
