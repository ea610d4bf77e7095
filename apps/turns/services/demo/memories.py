"""Memories of the demo user: some of every category, one edited twice, one merged."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.errors import Conflict
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.memory.records.tree import NodeRecord, SourceRecord
from apps.memory.selectors.tree import node_at
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.edit import node_edit
from apps.memory.services.tree.merge import nodes_merge
from apps.memory.services.tree.node_drafts import NodeDraft


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory of the demo; `message` is the index of its source message in the demo's conversation."""

    uri: str
    content: str
    day: int
    message: int
    tags: Sequence[str] = ()

    @property
    def shared(self) -> bool:
        return Address(self.uri).root == "agent"


_ENTITIES, _EVENTS = "mem://user/entities", "mem://user/events"
_VIENNA, _VIENNA_TWICE = f"{_ENTITIES}/vienna-hosting/machines", f"{_ENTITIES}/vienna-hosting/price"
_LEAVING_OUT = "mem://user/preferences/leaving-things-out"
MEMORIES = (
    Remembered("mem://user/profile/work", "Lena leads a team of four that builds a booking service for a chain of "
               "eleven climbing gyms: Jonas and Priya write Python, Tomas the front end, Ines runs the servers.", 2, 3),
    Remembered("mem://user/profile/communication", "Settles one subject at a time and wants every decision kept with "
               "its reason. Says so when something was right, and asks for short answers first.", 2, 1),
    Remembered("mem://user/preferences/few-alarms", "Few alarms, but the right ones: what rings too often gets "
               "ignored.", 5, 76, ["operations"]),
    Remembered(_LEAVING_OUT, "Likes to leave out of a first version what hardly anybody needs.", 6, 85),
    Remembered(f"{_ENTITIES}/marta/role", "Marta speaks for the gyms; Lena asks her what they disagree about.", 3, 40),
    Remembered(f"{_ENTITIES}/marta/fees", "The gym pays the payment fee when a guest cancels within the free period, "
               "which ends 24 hours before the slot.", 5, 60, ["payment"]),
    Remembered(f"{_ENTITIES}/lisbon-gym/time-zone", "One gym is in Lisbon, the others are in Berlin and Vienna; each "
               "has a named zone, and all moments are stored in UTC.", 3, 24),
    Remembered(_VIENNA, "Two machines with 8 cores and 32 GB at a small provider in Vienna, with daily backups.", 5,
               64),
    Remembered(_VIENNA_TWICE, "Each of the two machines costs 64 euros a month; somebody answers the phone.", 5, 64),
    Remembered(f"{_EVENTS}/2026-03-02-postgresql", "Decided on PostgreSQL for everything: seat counts need "
               "transactions, and the whole team knows it.", 2, 5, ["decision"]),
    Remembered(f"{_EVENTS}/2026-03-05-week-view", "The week view went from 2.3 seconds to 41 ms with the counts from "
               "the booked column, commit 7f3c9e1, ticket BOOK-112.", 5, 72),
    Remembered(f"{_EVENTS}/2026-03-06-holds-merged", "Jonas merged the booking transaction with holds, the first item "
               "of the plan.", 6, 77),
    Remembered("mem://agent/patterns/outbox", "A mail goes out by way of an outbox table, so that none is ever sent "
               "for a booking that was rolled back.", 3, 30, ["mail"]),
    Remembered("mem://agent/patterns/lock-order", "Locks are taken in the order booking, then slot, everywhere; it is "
               "written at the top of services/booking/core/transactions.py.", 6, 79),
    Remembered("mem://agent/cases/release-meets-webhook", "Problem: the release job and a webhook ran at the same "
               "moment, and a booking was confirmed whose place was given back. Solution: one order of locks, "
               "BOOK-118.", 6, 79),
)  # fmt: skip
_REWRITTEN = (
    ("Likes to leave out of a first version what hardly anybody needs, such as a waiting list.", "Say what."),
    ("Leaves out of a first version what hardly anybody needs, such as a waiting list, and looks at it again later.",
     "It is put off, not dropped."),
)  # fmt: skip
MERGED = "Two machines with 8 cores and 32 GB at a small provider in Vienna, 64 euros a month each, with daily backups."


def memories_fill(actor: Actor, *, message_ids: Sequence[UUID]) -> None:
    """Create the missing memories in units of work of its own. `message_ids` are the conversation's, in order."""
    for one in MEMORIES:
        source = SourceRecord("message", str(message_ids[one.message - 1]))
        with workspace(actor.workspace_id), suppress(Conflict):
            node_create(actor, draft=_draft(one, source), reason="From the conversation on the booking service.")
    with workspace(actor.workspace_id):
        _rewrite(actor, node_at(actor, Address(_LEAVING_OUT)))
        _merge(actor, node_at(actor, Address(_VIENNA)), node_at(actor, Address(_VIENNA_TWICE)))


def _draft(one: Remembered, source: SourceRecord) -> NodeDraft:
    return NodeDraft(
        address=Address(one.uri),
        content=one.content,
        tags=one.tags,
        occurred_at=datetime(2026, 3, one.day, 12, tzinfo=UTC),
        sources=[source],
        shared=one.shared,
    )


def _rewrite(actor: Actor, node: NodeRecord) -> None:
    for version, (content, reason) in enumerate(_REWRITTEN, start=1):
        if node.version == version:
            changes = {"content": content}
            node = node_edit(actor, node_id=node.id, changes=changes, version=version, reason=reason)


def _merge(actor: Actor, target: NodeRecord, source: NodeRecord) -> None:
    if source.archived_at is None and target.archived_at is None:
        nodes_merge(
            actor,
            target_id=target.id,
            source_ids=[source.id],
            version=target.version,
            content=MERGED,
            reason="Both tell of the same machines.",
        )
