"""Imports of items from other stores, batch by batch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction

from apps.accounts.actors import Actor, require_write
from apps.conversations.services.confirmation import conversations_confirm
from apps.memory.selectors.tree_locks import tree_lock
from apps.transfer.formats.items import LONGEST_KEY, ImportSource
from apps.transfer.models import ImportStatus
from apps.transfer.records import ImportedResult
from apps.transfer.services.imports.archives import archives_write
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.ledger import Ledger, nodes_note
from apps.transfer.services.imports.memories import memories_write
from apps.transfer.services.imports.outcomes import CONFIRMED, Outcome, attempt
from apps.transfer.services.imports.restore.links import links_write
from apps.transfer.services.imports.restore.memories import nodes_write
from apps.transfer.services.imports.stores import item_store


def items_import(
    actor: Actor,
    *,
    source: ImportSource,
    import_id: UUID,
    batch_items: Sequence[Any],
    dry_run: bool = False,
    confirmed: bool = False,
) -> list[ImportedResult]:
    """Store a batch and return a result for each item. Runs in the caller's unit of work.

    Without a person's word that what is imported is their own (`confirmed`), every memory waits for them; with it,
    memories of an earlier import that still wait are accepted.

    A dry run does the same and is rolled back, so that its results are exact as far as they do not depend on other
    batches. A batch that is sent again gets the same results.
    """
    require_write(actor)
    with transaction.atomic():
        outcomes = _stored(Batch(actor, source, import_id, confirmed), batch_items)
        transaction.set_rollback(dry_run)
    return [outcome.result(without_ids=dry_run) for outcome in outcomes]


def _stored(batch: Batch, batch_items: Sequence[Any]) -> list[Outcome]:
    ledger = Ledger(batch, batch_items)
    outcomes: dict[str, Outcome] = {}
    results = [_store_one(batch, ledger, item, outcomes) for item in batch_items]
    # Conversations are locked before trees, as everywhere.
    batch.finish()
    _confirm_conversations(batch, results)
    if batch.memories or batch.nodes or batch.links or batch.summaries:
        tree_lock(batch.actor.person_id)
        memories_write(batch)
        nodes_write(batch)
        links_write(batch)
        archives_write(batch)
    nodes_note(results)
    ledger.store(outcomes.values())
    return results


def _confirm_conversations(batch: Batch, results: Sequence[Outcome]) -> None:
    changed = conversations_confirm(batch.own_conversations)
    for outcome in results:
        if outcome.conversation_id in changed and outcome.status is ImportStatus.EXISTING and not outcome.reason:
            outcome.reason = CONFIRMED


def _store_one(batch: Batch, ledger: Ledger, item: Any, outcomes: dict[str, Outcome]) -> Outcome:
    """Store one item in a savepoint of its own; what waits for the batch's end is dropped with it."""
    outcome = ledger.begin(item)
    if not outcome.key:
        outcome.refuse("bad_key", f"An item needs a key of 1 to {LONGEST_KEY} characters.")
        return outcome
    if outcome.key in outcomes:
        outcome.end(ImportStatus.EXISTING, "repeated_key")
        return outcome
    outcomes[outcome.key] = outcome
    if not ledger.is_known(outcome):
        _try(batch, outcome, item)
    batch.note_confirmed(item, outcome)
    return outcome


def _try(batch: Batch, outcome: Outcome, item: Any) -> None:
    state = batch.state()
    if not attempt(outcome, partial(item_store, batch, outcome, item)):
        outcome.messages = 0
        batch.restore(state)
