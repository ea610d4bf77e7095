"""Names in our own export as ids here: the messages, observations and memories that an import stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard
from uuid import UUID

from django.db.models import QuerySet

from apps.agents.models import Observation
from apps.common.models import Json
from apps.memory.models import SourceKind
from apps.memory.records.tree import SourceRecord
from apps.memory.services.tree.node_snapshot import sources_json
from apps.transfer.formats.fields import Fields
from apps.transfer.models import ImportedItem, ImportStatus
from apps.transfer.services.imports.batch import Batch
from apps.transfer.services.imports.outcomes import NotImported
from apps.transfer.services.imports.restore.conversations import messages_named, named_conversation
from apps.transfer.services.imports.restore.session_archives import session_address

OWNER, TEAM = "owner", "team"
"""Whoever exported the file, and the workspace's team."""
_NODE, _LONGEST_REFERENCE = "node:", 200
_Name = tuple[str, str, str]


def sources_in(fields: Any) -> Iterator[Fields]:
    """The sources that an object lists, as far as they can be read."""
    listed = fields.get("sources") if isinstance(fields, dict) else None
    yield from (one for one in (listed if isinstance(listed, list) else ()) if isinstance(one, dict))


class References:
    """Resolves what the items of one batch name."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._names: dict[_Name, str] = {}
        self._nodes: dict[str, ImportedItem | None] = {}
        self._conversations: dict[str, UUID | None] = {}
        self._fresh = {new.outcome.key.removeprefix(_NODE): new.outcome for new in batch.nodes}

    def load(self, sources: Iterable[Fields]) -> None:
        """Look up the messages and observations that sources name, by conversation."""
        wanted: dict[str, set[_Name]] = defaultdict(set)
        for source in sources:
            if (name := _name(source)) and name not in self._names:
                wanted[name[1]].add(name)
        for conversation, names in wanted.items():
            self._load(conversation, names)

    def load_nodes(self, exported_ids: Collection[str]) -> None:
        """Look up what these exported memories became."""
        keys = {f"{_NODE}{one}" for one in exported_ids if one}
        found = {item.key.removeprefix(_NODE): item for item in self._items().filter(key__in=keys)} if keys else {}
        self._nodes |= {one: found.get(one) for one in exported_ids}

    def _items(self) -> QuerySet[ImportedItem]:
        return ImportedItem.objects.filter(user_id=self._batch.actor.user_id, source=self._batch.source.value)

    def _load(self, conversation: str, names: set[_Name]) -> None:
        row = named_conversation(self._batch, conversation)
        if row is None:
            return
        messages = messages_named(row, {one for kind, _, one in names if kind == SourceKind.MESSAGE})
        self._names |= {(SourceKind.MESSAGE.value, conversation, one): str(found.id) for one, found in messages.items()}
        keys = [one for kind, _, one in names if kind == SourceKind.HOOK]
        observed = Observation.objects.filter(session__conversation=row, event_key__in=keys) if keys else ()
        self._names |= {(SourceKind.HOOK.value, conversation, one.event_key): str(one.id) for one in observed}

    def sources(self, listed: Any) -> Any:
        """The sources with references of this workspace; those that are not here are left out."""
        if not isinstance(listed, list):
            return listed
        known = [self._source(one) if isinstance(one, dict) else one for one in listed]
        return [one for one in known if one is not None]

    def source_records(self, listed: Iterable[Fields]) -> Iterator[SourceRecord]:
        for one in self.sources(list(listed)):
            if isinstance(one.get("reference"), str) and one.get("kind") in SourceKind.values:
                yield SourceRecord(one["kind"], one["reference"][:_LONGEST_REFERENCE])

    def _source(self, source: Fields) -> Fields | None:
        kind = source.get("kind")
        if name := _name(source):
            reference = self._names.get(name)
        elif kind == SourceKind.NODE:
            node = self.node(str(source.get("reference")))
            reference = str(node) if node else None
        elif kind == SourceKind.PERSON and source.get("reference") == OWNER:
            reference = str(self._batch.actor.user_id)
        else:
            return source
        return None if reference is None else {"kind": kind, "reference": reference}

    def snapshot(self, state: Fields, own: Sequence[SourceRecord]) -> Json:
        """A revision's values with ids of this workspace; `own` sources are added to all that it lists."""
        values = dict(state)
        for name in ("superseded_by", "merged_into"):
            if name in values:
                node = self.node(str(values[name] or ""))
                values[name] = str(node) if node else None
        if isinstance(values.get("merged_from"), list):
            found = [self.node(str(one)) for one in values["merged_from"]]
            values["merged_from"] = [str(one) for one in found if one]
        if "sources" in values:
            known = [*self.source_records(sources_in(state)), *own]
            values["sources"] = sources_json(dict.fromkeys(known))
        return self._with_owner(self._with_place(values))

    def _with_place(self, values: Json) -> Json:
        """The values with an address in the folder of a conversation as it is here, if that is."""
        name, uri = values.pop("conversation", None), values.get("uri")
        if not _is_name(name) or not isinstance(uri, str):
            return values
        if name not in self._conversations:
            row = named_conversation(self._batch, name)
            self._conversations[name] = row.id if row else None
        conversation_id = self._conversations[name]
        return values | {"uri": session_address(uri, conversation_id).text} if conversation_id else values

    def _with_owner(self, values: Json) -> Json:
        owners: Mapping[Any, str | None] = {OWNER: str(self._batch.actor.user_id), TEAM: None}
        owner = values.pop("owner", "")
        return values | {"owner": owners[owner]} if isinstance(owner, str) and owner in owners else values

    def node(self, exported_id: str) -> UUID | None:
        """The memory that an exported one became, or was here already."""
        fresh = self._fresh.get(exported_id)
        item = None if fresh else self._item(exported_id)
        return fresh.node_id if fresh else item.node if item else None

    def imported(self, exported_id: str) -> UUID:
        """The memory that an import created for an exported one; raise `NotImported` if none did."""
        fresh = self._fresh.get(exported_id)
        item = fresh.earlier if fresh else self._item(exported_id)
        is_created = fresh is not None and fresh.status is ImportStatus.CREATED
        node_id = self.node(exported_id)
        if node_id is None:
            raise NotImported(ImportStatus.SKIPPED, "memory_not_imported")
        if not is_created and (item is None or item.run is None):
            raise NotImported(ImportStatus.EXISTING, "known_memory")
        return node_id

    def _item(self, exported_id: str) -> ImportedItem | None:
        if _is_name(exported_id) and exported_id not in self._nodes:
            self.load_nodes([exported_id])
        return self._nodes.get(exported_id)


def _name(source: Fields) -> _Name | None:
    """The kind, the conversation and the name in it, if a source has these."""
    kind, conversation = source.get("kind"), source.get("conversation")
    name = source.get("message" if kind == SourceKind.MESSAGE else "event_key")
    if isinstance(kind, str) and _is_name(conversation) and _is_name(name):
        return kind, conversation, name
    return None


def _is_name(value: Any) -> TypeGuard[str]:
    """Whether the database can be asked for it: PostgreSQL refuses a NUL character even in a condition."""
    return isinstance(value, str) and value != "" and "\x00" not in value
