"""Harness of the first sentences: a newcomer's chats, what is remembered of them, and what a new chat is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.accounts.selectors import policy_for_workspace
from apps.common.tenancy import workspace
from apps.context.services.embedded_queries import query_embed
from apps.context.services.packs import context_preview
from apps.conversations.records import MessageDraft
from apps.conversations.services.conversations import conversation_create
from apps.engine.memory.categories import RELATIONAL_PROFILE
from apps.engine.pack.context_pack import ContextPack
from apps.extraction.services.request import extraction_request
from apps.inbox.selectors.open_items import current, open_pairs, waiting_count
from apps.jobs.services import claim_due, run_job
from apps.memory.models import MemNode, NodeType
from apps.turns.services.messages import messages_store
from studies.first.checks import Checks, Newcomer, Remembered, Sent
from studies.retrieval_harness import run_due_jobs
from studies.workspaces import alice

_BEGIN = datetime(2026, 9, 1, 18, tzinfo=UTC)
_MINUTE = timedelta(minutes=1)


def checks_of(people: Sequence[Newcomer]) -> dict[str, Checks]:
    """Let newcomers say everything, and check what became of it."""
    actors = [alice(person.name) for person in people]
    for person, actor in zip(people, actors, strict=True):
        for chat in _told(actor, person.steps):
            with workspace(actor.workspace_id):
                extraction_request(actor, conversation_id=chat, policy=policy_for_workspace())
    run_due_jobs()
    return {person.name: _checked(person, actor) for person, actor in zip(people, actors, strict=True)}


def _checked(person: Newcomer, actor: Actor) -> Checks:
    checks = Checks()
    with workspace(actor.workspace_id):
        checks.note_memories(person, list(_remembered(actor)))
        checks.note_inbox(person, waiting_count(actor), open_pairs(actor).count())
        asked = conversation_create(actor, title="A new chat").id
    for question in person.questions:
        checks.note_sent(question, _sent(actor, asked, question["ask"]))
    return checks


def _told(actor: Actor, steps: Sequence[Mapping[str, Any]]) -> list[UUID]:
    """Store the steps, each read before the next; return the chats."""
    chats: list[UUID] = []
    for place, step in enumerate(steps):
        with workspace(actor.workspace_id):
            if not chats or "new_chat" in step:
                chats.append(conversation_create(actor, title="First sentences").id)
            if "new_chat" not in step:
                at = _BEGIN + timedelta(days=step.get("day", 0)) + place * _MINUTE
                role, content = ("user", step["say"]) if "say" in step else ("assistant", step["reply"])
                messages_store(actor, conversation_id=chats[-1], drafts=[MessageDraft(role, content, created_at=at)])
        _run_what_is_due_now()
    return chats


def _run_what_is_due_now() -> None:
    while claims := claim_due(10):
        for claim in claims:
            run_job(claim.job_id, claim.token)


def _remembered(actor: Actor) -> Iterator[Remembered]:
    """The memories; an archive of a chat is none."""
    leaves = MemNode.objects.filter(owner_id=actor.person_id, node_type=NodeType.LEAF, archived_at=None)
    leaves = leaves.exclude(uri=RELATIONAL_PROFILE.text).exclude(uri__startswith="mem://sessions/")
    valid = set(leaves.filter(current()).values_list("pk", flat=True))
    for row in leaves:
        state = "current" if row.id in valid else "proposed" if row.arrival == "proposed" else "superseded"
        yield Remembered(str(row.id), row.l2_content, state, str(row.superseded_by_id or ""))


def _sent(actor: Actor, chat: UUID, question: str) -> Sent:
    embedded = query_embed(actor, chat, MessageDraft("user", question))
    with workspace(actor.workspace_id):
        pack = context_preview(actor, chat, question, None, embedded_query=embedded)[0].pack
    return Sent([one.text for one in _lasting(pack)], [one.text for one in pack.retrieved])


def _lasting(pack: ContextPack) -> Iterator[Any]:
    yield from (*pack.identity, *pack.preference_memories, *pack.topics, *pack.entities)
