"""Facts for tests: learned from words at a date, and read as a search or a history shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

from apps.accounts.actors import Actor
from apps.common.tenancy import workspace
from apps.engine.memory.addresses import Address
from apps.engine.memory.slots import USER, Slot
from apps.engine.memory.trust import Arrival, Source, trust_of
from apps.memory.models import MemNode, NodeType
from apps.memory.records.tree import SourceRecord
from apps.memory.services.bulk.learn import LearnedResult, memories_learn
from apps.memory.services.bulk.learned_draft import LearnedDraft
from apps.memory.services.tree.node_drafts import NodeDraft, Origin
from tests.memory.recall import look

CITY = "lives_in"


def day(number: int) -> datetime:
    """A day of 2026."""
    return datetime(2026, 1 + number // 28, 1 + number % 28, tzinfo=UTC)


def learned(
    value: str,
    on: int,
    *,
    attribute: str = CITY,
    source: Source = Source.QUOTED,
    many: bool = False,
    subject: str = USER,
    words: str = "",
) -> LearnedDraft:
    arrival = Arrival.ACCEPTED if source is Source.QUOTED else Arrival.PROPOSED
    draft = NodeDraft(
        address=Address(f"mem://user/profile/{attribute.replace('_', '-')}"),
        content=words or f"I live in {value}",
        occurred_at=day(on),
        slot=Slot(subject, attribute, value, many),
        valid_from=day(on),
        sources=[SourceRecord("message", f"message-{on}-{value}")],
        numbered=True,
    )
    return LearnedDraft(draft, Origin(trust_of(source), arrival, by_model=False), made_by="rules")


def said(value: str, on: int, message_id: UUID) -> LearnedDraft:
    """What a message of a conversation states."""
    one = learned(value, on)
    return replace(one, draft=replace(one.draft, sources=[SourceRecord("message", str(message_id))]))


def learn(actor: Actor, *drafts: LearnedDraft, nearby: Sequence[UUID] = ()) -> list[LearnedResult]:
    with workspace(actor.workspace_id):
        return memories_learn(actor, drafts=drafts, nearby=nearby)


def states(results: list[LearnedResult]) -> list[str]:
    return [one.state for one in results]


def current(actor: Actor, attribute: str = CITY) -> list[str]:
    """The values in use, in alphabetical order."""
    with workspace(actor.workspace_id):
        rows = MemNode.objects.filter(attribute=attribute, node_type=NodeType.LEAF, arrival="accepted")
        return sorted(rows.filter(valid_to=None, archived_at=None).values_list("value", flat=True))


def fact(actor: Actor, value: str) -> MemNode:
    with workspace(actor.workspace_id):
        return MemNode.objects.filter(value=value).latest("created_at")


def found(actor: Actor, question: str = "Where do I live?", as_of: datetime | None = None) -> list[str]:
    return [hit.abstract for hit in look(actor, question, as_of=as_of).hits]


def change_of(results: list[LearnedResult]) -> UUID:
    [result] = results
    assert result.change is not None
    return result.change
