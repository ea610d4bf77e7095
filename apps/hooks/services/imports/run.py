"""Imports of items from other stores, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.db import DataError, transaction

from apps.accounts.actors import Actor, require_write
from apps.common.errors import ContinuityError
from apps.conversations.imports.field_checks import BadMessage
from apps.hooks.import_records import ImportedResult
from apps.hooks.imports import items, own_items
from apps.hooks.imports.items import ImportSource
from apps.hooks.imports.readers import item_of
from apps.hooks.models import ImportStatus
from apps.hooks.services.imports import conversations, own_export, session_items, transcripts
from apps.hooks.services.imports.archives import archives_write
from apps.hooks.services.imports.batch import Batch
from apps.hooks.services.imports.ledger import Ledger, addresses_fill
from apps.hooks.services.imports.memories import memories_write, memory_store
from apps.hooks.services.imports.outcomes import NotImported, Outcome
from apps.memory.selectors.tree_locks import tree_lock

_Store = Callable[[Batch, Outcome, Any], None]


def items_import(
    actor: Actor, *, source: ImportSource, import_id: UUID, batch_items: Sequence[Any], dry_run: bool = False
) -> list[ImportedResult]:
    """Store a batch and return a result for each item. Runs in the caller's unit of work.

    A dry run does the same and is rolled back, so that its results are exact as far as they do not depend on other
    batches. A batch that is sent again gets the same results.
    """
    require_write(actor)
    with transaction.atomic():
        outcomes = _stored(actor, source, import_id, batch_items)
        transaction.set_rollback(dry_run)
    return [outcome.result(without_ids=dry_run) for outcome in outcomes]


def _stored(actor: Actor, source: ImportSource, import_id: UUID, batch_items: Sequence[Any]) -> list[Outcome]:
    ledger = Ledger(actor, source, import_id, batch_items)
    batch = Batch(actor, source, import_id)
    outcomes: dict[str, Outcome] = {}
    results = [_store_one(batch, ledger, item, outcomes) for item in batch_items]
    if batch.memories or batch.nodes or batch.summaries:
        tree_lock(actor.person_id)
        memories_write(batch)
        archives_write(batch)
    batch.finish()
    addresses_fill(results)
    ledger.store(outcomes.values())
    return results


def _store_one(batch: Batch, ledger: Ledger, item: Any, outcomes: dict[str, Outcome]) -> Outcome:
    """Store one item in a savepoint of its own; what waits for the batch's end is dropped with it."""
    outcome = ledger.begin(item)
    if not outcome.key:
        outcome.refuse("bad_key", f"An item needs a key of 1 to {items.LONGEST_KEY} characters.")
        return outcome
    if outcome.key in outcomes:
        outcome.end(ImportStatus.EXISTING, "repeated_key")
        return outcome
    outcomes[outcome.key] = outcome
    if not ledger.is_known(outcome):
        _try(batch, outcome, item)
    return outcome


def _try(batch: Batch, outcome: Outcome, item: Any) -> None:
    state = batch.state()
    try:
        with transaction.atomic():
            _store(batch, outcome, item)
        return
    except NotImported as reason:
        outcome.end(reason.status, reason.reason)
    except BadMessage as bad:
        outcome.refuse(bad.code, bad.detail)
    except ContinuityError as error:
        outcome.refuse(error.code, error.detail)
    except DataError:
        outcome.refuse("not_storable", "One of its values cannot be stored.")
    outcome.messages = 0
    batch.restore(state)


def _store(batch: Batch, outcome: Outcome, fields: Any) -> None:
    item = item_of(fields)
    if isinstance(item, items.OmittedItem):
        outcome.detail = item.detail
        outcome.end(ImportStatus.REFUSED if item.is_refused else ImportStatus.SKIPPED, item.reason)
    elif isinstance(item, items.NodeItem):
        batch.nodes.append((outcome, item.node))
    else:
        _STORES[type(item)](batch, outcome, item)


_STORES: Mapping[type, _Store] = MappingProxyType(
    {
        items.SessionItem: session_items.session_store,
        items.PromptItem: session_items.prompt_store,
        items.ToolUseItem: session_items.tool_use_store,
        items.ObservationItem: session_items.imported_observation_store,
        items.SummaryItem: session_items.summary_store,
        items.MemoryItem: memory_store,
        items.ConversationItem: conversations.imported_conversation_store,
        items.TranscriptItem: transcripts.transcript_store,
        own_items.UserMemoryItem: own_export.user_memory_item_store,
        own_items.PinItem: own_export.pin_store,
        own_items.AgentSessionItem: own_export.agent_session_store,
        own_items.AgentObservationItem: own_export.agent_observation_store,
    }
)
