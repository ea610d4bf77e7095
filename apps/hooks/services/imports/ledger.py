"""The record of imported items: what each of them became, so that none becomes it twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

import orjson
from django.db import connection

from apps.accounts.actors import Actor
from apps.common.tenancy import current_workspace_id
from apps.hooks.imports.items import ImportSource, key_of
from apps.hooks.models import ImportedItem, ImportRun, ImportStatus
from apps.hooks.services.imports.outcomes import Outcome, problems_json, problems_of
from apps.memory.models import MemNode

_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_LONGEST_KIND = 32
_UPDATED = (
    *("kind", "digest", "status", "reason", "run", "last_run", "node", "conversation", "session"),
    *("message_count", "problems"),
)


class Ledger:
    """The rows of one person's items in a batch, locked against other imports of this person."""

    def __init__(self, actor: Actor, source: ImportSource, import_id: UUID, items: Sequence[Any]) -> None:
        self._actor, self._source, self._import_id = actor, source, import_id
        with connection.cursor() as cursor:
            cursor.execute(_LOCK, [f"imports {current_workspace_id()} {actor.user_id}"])
        keys = [key for item in items if (key := key_of(item))]
        rows = ImportedItem.objects.filter(user_id=actor.user_id, source=source.value, key__in=keys)
        self._rows = {row.key: row for row in rows}

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
        return outcome.earlier is not None and outcome.earlier.digest == outcome.digest

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


def addresses_fill(outcomes: Sequence[Outcome]) -> None:
    """Look up the present addresses of memories that an earlier import created."""
    wanted = {outcome.node_id for outcome in outcomes if outcome.node_id and not outcome.address}
    uris = dict(MemNode.objects.filter(pk__in=wanted).values_list("pk", "uri")) if wanted else {}
    for outcome in outcomes:
        if outcome.node_id in uris:
            outcome.address = uris[outcome.node_id]


def _kind(item: Any) -> str:
    kind = item.get("kind") if isinstance(item, dict) else None
    return kind[:_LONGEST_KIND] if isinstance(kind, str) else ""


def _digest(item: Any) -> str:
    return hashlib.sha256(orjson.dumps(item, option=orjson.OPT_SORT_KEYS)).hexdigest()
