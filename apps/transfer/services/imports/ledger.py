"""The record of imported items: what each of them became, so that none becomes it twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from django.db import connection

from apps.common.tenancy import current_workspace_id
from apps.inbox.selectors.open_items import imports_waiting, waiting_of
from apps.memory.models import MemNode
from apps.transfer.formats.items import key_of
from apps.transfer.models import ImportedItem, ImportRun, ImportStatus
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.outcomes import WAITING, Outcome, problems_json, problems_of

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_LONGEST_KIND = 32
_UPDATED = (
    *("kind", "digest", "status", "reason", "run", "last_run", "node", "conversation", "session"),
    *("message_count", "problems"),
)


class Ledger:
    """The rows of one person's items in a batch, locked against other imports of this person."""

    def __init__(self, batch: Batch, items: Sequence[Any]) -> None:
        actor = batch.actor
        self._actor, self._source, self._import_id = actor, batch.source, batch.import_id
        with connection.cursor() as cursor:
            cursor.execute(_LOCK, [f"imports {current_workspace_id()} {actor.user_id}"])
        keys = [key for item in items if (key := key_of(item))]
        rows = ImportedItem.objects.filter(user_id=actor.user_id, source=batch.source.value, key__in=keys)
        self._rows = {row.key: row for row in rows}
        nodes = [row.node for row in self._rows.values() if row.node]
        self._to_accept = imports_waiting(nodes) if batch.confirmed else frozenset()

    def begin(self, item: Any) -> Outcome:
        """The outcome of an item so far: that of an unchanged one is known."""
        outcome = Outcome(key_of(item), _kind(item), _digest(item))
        row = self._rows.get(outcome.key)
        if row is None or row.run is None:
            return outcome
        outcome.earlier, outcome.node_id = row, row.node
        outcome.conversation_id, outcome.session_id = row.conversation, row.session
        outcome.problems = problems_of(row.problems)
        is_repeated = row.run == self._import_id
        outcome.status = ImportStatus.CREATED if is_repeated else ImportStatus.EXISTING
        outcome.messages = row.message_count if is_repeated and self.is_known(outcome) else 0
        return outcome

    def is_known(self, outcome: Outcome) -> bool:
        """Whether it is unchanged and nothing remains to be done: a memory that waits can be confirmed."""
        earlier = outcome.earlier
        return earlier is not None and earlier.digest == outcome.digest and earlier.node not in self._to_accept

    def store(self, outcomes: Iterable[Outcome]) -> None:
        """Write the run and a row for each item with a key."""
        run, _ = ImportRun.objects.get_or_create(
            user_id=self._actor.user_id, import_id=self._import_id, defaults={"source": self._source.value}
        )
        run.save(update_fields=["updated_at"])
        rows = {outcome.key: self._row(outcome) for outcome in outcomes if outcome.key}
        ImportedItem.objects.bulk_create(
            rows.values(),
            batch_size=500,
            update_conflicts=True,
            unique_fields=["workspace", "user", "source", "key"],
            update_fields=_UPDATED,
        )

    def _row(self, outcome: Outcome) -> ImportedItem:
        earlier = outcome.earlier
        created_in = earlier.run if earlier else None
        counted = earlier.message_count if earlier else 0
        counted += 0 if self.is_known(outcome) else outcome.messages
        if created_in is None and outcome.status is ImportStatus.CREATED:
            created_in = self._import_id
        return ImportedItem(
            user_id=self._actor.user_id,
            source=self._source.value,
            key=outcome.key,
            kind=outcome.kind,
            digest=outcome.digest,
            status=outcome.status,
            reason=outcome.reason,
            run=created_in,
            last_run=self._import_id,
            node=outcome.node_id,
            conversation=outcome.conversation_id,
            session=outcome.session_id,
            message_count=counted,
            problems=problems_json(outcome.problems),
        )


def nodes_note(outcomes: Sequence[Outcome]) -> None:
    """Note the present addresses of memories that an earlier import created, and which memories wait for a decision."""
    node_ids = {outcome.node_id for outcome in outcomes if outcome.node_id}
    if not node_ids:
        return
    uris = dict(MemNode.objects.filter(pk__in=node_ids).values_list("pk", "uri"))
    waiting = waiting_of(node_ids)
    for outcome in outcomes:
        if outcome.node_id in uris:
            outcome.address = outcome.address or uris[outcome.node_id]
        if outcome.node_id in waiting and not outcome.reason:
            outcome.reason = WAITING


def _kind(item: Any) -> str:
    kind = item.get("kind") if isinstance(item, dict) else None
    return kind[:_LONGEST_KIND] if isinstance(kind, str) else ""


def _digest(item: Any) -> str:
    return hashlib.sha256(orjson.dumps(item, option=orjson.OPT_SORT_KEYS)).hexdigest()
