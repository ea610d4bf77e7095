"""One row of every table in a workspace, so that no page is tested with an empty list."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db.models import Model
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import (
    ApiKey,
    ContextSettings,
    EndUser,
    IdempotencyKey,
    Installation,
    Invitation,
    PairedClient,
    Pairing,
    WorkspacePolicy,
)
from apps.agents.models import AgentSession, Observation
from apps.common.ids import uuid7
from apps.common.tenancy import workspace
from apps.compaction.models import CompactionRun, ConversationContext, SegmentSummary, SummaryVersion
from apps.context.models import PackEpoch, UsedItems
from apps.conversations.models import Conversation, ConversationShare, ConversationTombstone, Message
from apps.engine.memory.addresses import Address
from apps.engine.tokens.counting import count_message
from apps.extraction.models import ExtractionCandidate, ReadPosition, RelationalEvidence
from apps.jobs.models import DueJob, Operation, RunCount, Schedule
from apps.llm.encryption import encrypt
from apps.llm.models import ModelCalibration, ModelSettings, ModelUsage, ProviderKey, RejectedAnswer, SpendDay
from apps.memory.models import (
    Embedding,
    EmbeddingBatch,
    EmbeddingSpace,
    MemAccess,
    MemConflict,
    MemNode,
    MemSweep,
    MemTombstone,
    Passage,
    PinnedMemory,
    Proposal,
    UserMemory,
)
from apps.memory.services.tree.create import node_create
from apps.memory.services.tree.node_drafts import NodeDraft
from apps.transfer.models import ImportedItem, ImportRun

DIGEST = "d19e57" * 10 + "abcd"
SECRET = "never-on-any-page-f00d"
ANSWERED = "an answer that nobody could use"
SAID = ("Which budget did we agree on?", "We agreed on 40,000 euros, because the grant ends in June.")


def rows_of(actor: Actor, word: str) -> dict[str, Model]:
    """Create rows, returned by model name; their contents include `word`, so that a page shows whose row it is."""
    with workspace(actor.workspace_id):
        talk = _talk(actor, word)
        messages = [_message(talk, index, text) for index, text in enumerate(SAID)]
        made: list[Model] = [talk, *messages, *_context(talk, messages[1], word), *_memories(actor, talk, word)]
        made += [*_work(actor, talk, word), *_access(actor, word), _call(talk, word), _calibration(word)]
        made += [*_extraction(talk, messages[0]), *_agent(talk, messages[1], word)]
        made += [*_choice(actor, word), *_spending(talk, word)]
        made.append(ConversationTombstone.objects.create(owner_id=actor.user_id, external_digest=f"{word} digest"))
        return {type(row).__name__: row for row in made}


def _talk(actor: Actor, word: str) -> Conversation:
    return Conversation.objects.create(owner_id=actor.user_id, title=f"{word} talk", message_count=2, live_count=1)


def _message(talk: Conversation, index: int, text: str) -> Message:
    tokens = count_message(text)
    return Message.objects.create(
        conversation=talk,
        index=index,
        role=("user", "assistant")[index % 2],
        content=text,
        token_count=tokens,
        tokens_through=tokens * (index + 1),
        live_cost=tokens,
        created_at=timezone.now(),
        compacted_in=1 if index else None,
    )


def _context(talk: Conversation, source: Message, word: str) -> list[Model]:
    sources = [str(source.id)]
    summary = {
        "goals": [{"text": f"{word} goal", "sources": sources}],
        "decisions": [{"text": "Spend 40,000 euros", "reason": "the grant ends in June", "sources": sources}],
        "definitions": {"grant": {"text": "the money of the city", "sources": sources}},
        "references": [{"type": "url", "value": "https://example.org", "note": "the call", "sources": sources}],
    }
    stored: dict[str, Any] = {"rolling_summary": summary, "summary_tokens": 30, "version": 1}
    return [
        ConversationContext.objects.create(
            conversation=talk, total_token_count=200, compressed_token_count=120, **stored
        ),
        SummaryVersion.objects.create(conversation=talk, cause="compaction", covers_through=1, **stored),
        _segment(talk, word),
        _epoch(talk),
        _used(talk),
        CompactionRun.objects.create(
            conversation=talk,
            trigger="auto",
            level="light",
            state="failed",
            error_code="timeout",
            compacted_from=0,
            compacted_through=1,
            compacted_count=2,
            tokens_before=9000,
            tokens_after=6000,
            version=1,
            started_at=timezone.now(),
            finished_at=timezone.now(),
        ),
    ]


def _extraction(talk: Conversation, message: Message) -> list[Model]:
    return [
        ReadPosition.objects.create(conversation=talk, extractor="rules-1", next_index=2),
        ExtractionCandidate.objects.create(
            run=uuid7(), conversation=talk, message=message, start=0, end=5, outcome="refused", reason="question"
        ),
        RelationalEvidence.objects.create(
            owner_id=talk.owner_id,
            trait="length",
            value="short",
            fingerprint="1",
            session="1",
            message_id=message.id,
            index=message.index,
            start=0,
            end=5,
            occurred_at=timezone.now(),
        ),
    ]


def _agent(talk: Conversation, message: Message, word: str) -> list[Model]:
    now = timezone.now()
    session = AgentSession.objects.create(
        user_id=talk.owner_id,
        conversation=talk,
        client="claude-code",
        client_session_id=f"{word} session",
        project=f"{word} project",
        started_at=now,
        last_event_at=now,
        received_at=now,
    )
    title = f"Bash {word}"
    seen = {"kind": "tool", "event_key": "tool:t1", "tool_name": "Bash", "title": title, "digest": "12 passed"}
    observation = Observation.objects.create(session=session, message=message, occurred_at=now, **seen)
    return [session, observation, *_import(talk, word)]


def _import(talk: Conversation, word: str) -> list[Model]:
    run = ImportRun.objects.create(user_id=talk.owner_id, import_id=uuid7(), source="json")
    ids = {"run": run.import_id, "last_run": run.import_id, "conversation": talk.id}
    item = {"source": "json", "key": f"{word} key", "kind": "conversation", "digest": "0" * 64, "status": "created"}
    return [run, ImportedItem.objects.create(user_id=talk.owner_id, **item, **ids)]


def _epoch(talk: Conversation) -> Model:
    now = timezone.now()
    pieces = [["d19e57", 120]]
    return PackEpoch.objects.create(
        conversation=talk, user_id=talk.owner_id, budget=12_000, began_at=now, used_at=now, pieces=pieces
    )


def _used(talk: Conversation) -> Model:
    item = {"kind": "memory", "id": str(uuid7()), "version": 1, "layer": "L5_jit", "tokens": 18}
    return UsedItems.objects.create(
        conversation=talk,
        user_id=talk.owner_id,
        reply_id=uuid7(),
        items=[{**item, "score": 3.05, "similarity": 0.71}],
    )


def _segment(talk: Conversation, word: str) -> Model:
    return SegmentSummary.objects.create(
        conversation=talk,
        level=1,
        ordinal=0,
        first_index=0,
        last_index=19,
        tokens_through=2000,
        text=f"Decisions:\n- {word} spends 40,000 euros",
        source_hash="5e9" * 10,
        model="offline",
    )


def _call(talk: Conversation, word: str) -> Model:
    return ModelUsage.objects.create(
        purpose="chat",
        provider="anthropic",
        model=f"{word}-model",
        input_tokens=900,
        output_tokens=80,
        source="reported",
        cost_micros=2_900,
        latency_ms=2300,
        outcome="cut",
        conversation_id=talk.id,
    )


def _calibration(word: str) -> Model:
    return ModelCalibration.objects.create(
        model=f"{word}-model",
        estimator="characters/4",
        reported_tokens=5900,
        estimated_tokens=5000,
        calls=5,
        percent=120,
    )


def _spending(talk: Conversation, word: str) -> list[Model]:
    return [
        SpendDay.objects.create(day=timezone.now().date(), tokens=980, cost_micros=2_900),
        RejectedAnswer.objects.create(
            purpose="compaction",
            model=f"{word}-model",
            problem="It has no lines.",
            text=f"{ANSWERED} {word}",
            conversation_id=talk.id,
        ),
    ]


def _choice(actor: Actor, word: str) -> list[Model]:
    held = encrypt(f"sk-{word}-{SECRET}", workspace_id=actor.workspace_id, backend="anthropic")
    return [
        ModelSettings.objects.create(backend="anthropic", by_purpose={"chat": f"{word}-model"}, version=1),
        ProviderKey.objects.create(backend="anthropic", encrypted_key=held, last_four="f00d", tested_at=timezone.now()),
    ]


def _memories(actor: Actor, talk: Conversation, word: str) -> list[Model]:
    user = {"user_id": actor.user_id}
    return [
        PinnedMemory.objects.create(
            conversation=talk, content=f"{word} pin", token_count=3, pinned_by_id=actor.user_id
        ),
        UserMemory.objects.create(type="fact", key=f"{word} key", content="Works in Lisbon", token_count=4, **user),
        *_tree(actor, word),
    ]


def _inbox(actor: Actor, node: MemNode, word: str) -> list[Model]:
    """Create a proposal that may replace the memory, and their conflict."""
    address = Address(f"mem://user/preferences/{word}-replies")
    made = node_create(actor, draft=NodeDraft(address, f"Prefers {word} replies"))
    MemNode.objects.filter(pk=made.id).update(arrival="proposed", trust="tool")
    Passage.objects.filter(node_id=made.id).delete()
    return [
        Proposal.objects.get(pk=made.id),
        MemConflict.objects.create(earlier=node, later_id=made.id, reason="other_value"),
    ]


def _tree(actor: Actor, word: str) -> list[Model]:
    """Create a memory by its service, with its dependent rows."""
    now = timezone.now()
    address = Address(f"mem://user/preferences/{word}-answers")
    made = node_create(actor, draft=NodeDraft(address, f"Prefers {word} answers"))
    node = MemNode.objects.get(pk=made.id)
    grave = {"owner_id": actor.user_id, "address_digest": "67a5e" * 12, "content_digest": "", "erased_at": now}
    return [
        node,
        *node.revisions.all(),
        *node.sources.all(),
        *_inbox(actor, node, word),
        MemAccess.objects.create(node=node, accessed_at=now),
        MemTombstone.objects.create(erased_by_id=actor.user_id, **grave),
        *_vectors(node, word),
    ]


def _vectors(node: MemNode, word: str) -> list[Model]:
    passage = Passage.objects.get(node=node)
    now = timezone.now()
    space = EmbeddingSpace.objects.create(model=f"{word}-vectors", dimension=3, state="serving", since=now)
    vector = Embedding.objects.create(passage=passage, bank=passage.bank, space=space, vector=[0.6, 0.8, 0.0])
    batch = EmbeddingBatch.objects.create(key=f"{word} vectors", size=16, began_at=now, expires_at=now)
    return [passage, space, vector, batch, MemSweep.objects.create(step="nodes", after=node.id)]


def _work(actor: Actor, talk: Conversation, word: str) -> list[Model]:
    now = timezone.now()
    return [
        DueJob.objects.create(
            workspace_id=actor.workspace_id,
            kind="compaction",
            key=str(talk.id),
            due_at=now - timedelta(minutes=5),
            deadline_at=now,
            attempts=5,
            state="dead",
            last_error=f"{word} error",
        ),
        Operation.objects.create(user_id=actor.user_id, kind="import", subject=word, result={"stored": 3}),
        Schedule.objects.create(kind=f"{word} sweep", period=now),
        RunCount.objects.create(kind=f"{word} sweep", at=now, finished=1),
    ]


def _access(actor: Actor, word: str) -> list[Model]:
    user = {"user_id": actor.user_id}
    key = ApiKey.objects.create(
        workspace_id=actor.workspace_id, name=f"{word} key", prefix=word, digest=DIGEST, scopes=["read"], **user
    )
    return [
        key,
        EndUser.objects.create(external_id=f"{word} customer", **user),
        PairedClient.objects.create(api_key=key, client="claude-code", name=f"{word} laptop", **user),
        Pairing.objects.create(
            user_code=word.upper()[:8],
            device_digest=sha256(word.encode()).hexdigest(),
            client="claude-code",
            name=f"{word} laptop",
            expires_at=timezone.now() + timedelta(minutes=10),
        ),
        Installation.objects.get_or_create(only=True)[0],
        Invitation.objects.create(
            workspace_id=actor.workspace_id,
            email=f"{word}@example.org",
            role="member",
            invited_by_id=actor.user_id,
            digest=sha256(word.encode()).hexdigest(),
            expires_at=timezone.now() + timedelta(days=7),
        ),
        WorkspacePolicy.objects.create(overrides={"recent_message_count": 30}),
        ContextSettings.objects.create(knowledge_depth="deep", **user),
        IdempotencyKey.objects.create(key=f"{word} once", request_digest="ab" * 32, status=201, body={}, **user),
    ]


def share(talk: Conversation, person: Actor) -> ConversationShare:
    with workspace(talk.workspace.id):
        return ConversationShare.objects.create(conversation=talk, user_id=person.user_id)
