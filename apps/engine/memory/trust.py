"""How far a memory can be trusted: by where it came from, through every rewrite, until a person approves it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Trust(StrEnum):
    """From the most trusted to the least."""

    DIRECT_USER = "direct_user"
    MODEL_INFERENCE = "model_inference"
    TOOL = "tool"
    IMPORTED = "imported"


class Source(StrEnum):
    """Where something to be remembered comes from."""

    # A person put it into the memory tree by hand.
    WRITTEN = "written"
    # The user's own words, taken over as they are.
    SAID = "said"
    # What a model or a rule concluded from the user's own messages.
    INFERRED = "inferred"
    ASSISTANT = "assistant"
    TOOL = "tool"
    FILE = "file"
    OTHER_MEMBER = "other_member"
    # An import of one's own memories, and any other import.
    OWN_STORE = "own_store"
    OTHER_STORE = "other_store"


class Mode(StrEnum):
    """What of a workspace's new memories waits for a person, beyond what always does."""

    TRUSTED = "trusted"
    CONFIDENT = "confident"
    NOTHING = "nothing"


class Arrival(StrEnum):
    ACCEPTED = "accepted"
    PROPOSED = "proposed"


_RANKS = {trust: rank for rank, trust in enumerate(Trust)}
_TRUST = {
    Source.WRITTEN: Trust.DIRECT_USER,
    Source.SAID: Trust.DIRECT_USER,
    Source.INFERRED: Trust.MODEL_INFERENCE,
    # An assistant repeats what tools and pages told it.
    Source.ASSISTANT: Trust.TOOL,
    Source.TOOL: Trust.TOOL,
    Source.FILE: Trust.TOOL,
    Source.OTHER_MEMBER: Trust.TOOL,
    Source.OWN_STORE: Trust.MODEL_INFERENCE,
    Source.OTHER_STORE: Trust.IMPORTED,
}


def trust_of(source: Source) -> Trust:
    """What a memory from there is trusted before anybody looked at it.

    >>> str(trust_of(Source.SAID)), str(trust_of(Source.ASSISTANT))
    ('direct_user', 'tool')
    """
    return _TRUST[source]


def lowest(trusts: Iterable[Trust]) -> Trust:
    """The trust of what was made of several: that of its least trusted part.

    >>> str(lowest([Trust.DIRECT_USER, Trust.TOOL, Trust.MODEL_INFERENCE]))
    'tool'
    """
    return max(trusts, key=_RANKS.__getitem__)


def node_trust(lineage: Iterable[Trust], *, approved: bool) -> Trust:
    """A node's trust: the lowest of all it was made of, unless a person approves it; undone, that is the lowest again.

    >>> [str(node_trust([Trust.TOOL], approved=approved)) for approved in (False, True)]
    ['tool', 'direct_user']
    """
    return Trust.DIRECT_USER if approved else lowest(lineage)


def is_low(trust: Trust) -> bool:
    """Whether it waits for a person, stays out of packs until then, and gains nothing by being found.

    >>> [is_low(trust) for trust in Trust]
    [False, False, True, True]
    """
    return _RANKS[trust] > _RANKS[Trust.MODEL_INFERENCE]


def is_inferred(trust: Trust) -> bool:
    """Whether it is accepted but marked as a conclusion.

    >>> is_inferred(Trust.MODEL_INFERENCE), is_inferred(Trust.DIRECT_USER)
    (True, False)
    """
    return trust is Trust.MODEL_INFERENCE


def may_merge(source: Trust, target: Trust) -> bool:
    """Whether a source may go into a node; one below the node's trust waits as a proposed revision beside it.

    >>> may_merge(Trust.DIRECT_USER, Trust.TOOL), may_merge(Trust.TOOL, Trust.DIRECT_USER)
    (True, False)
    """
    return _RANKS[source] <= _RANKS[target]


def arrives(source: Source, mode: Mode, *, confident: bool = True) -> Arrival:
    """Whether a new memory is in use at once or waits; what a person wrote there by hand never waits.

    >>> str(arrives(Source.INFERRED, Mode.CONFIDENT)), str(arrives(Source.INFERRED, Mode.CONFIDENT, confident=False))
    ('accepted', 'proposed')
    """
    if source is Source.WRITTEN:
        return Arrival.ACCEPTED
    waits = is_low(trust_of(source)) or mode is Mode.NOTHING or (mode is Mode.CONFIDENT and not confident)
    return Arrival.PROPOSED if waits else Arrival.ACCEPTED
