"""References of memories to messages, observations, people and memories, as names that another server can resolve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from apps.accounts.actors import Actor
from apps.agents.models import Observation
from apps.common.ids import parse_id
from apps.compaction.selectors.session_archives import session_of
from apps.conversations.models import Conversation, Message
from apps.engine.memory.addresses import Address
from apps.memory.models import MemRevision, SourceKind
from apps.memory.records.tree import NodeRecord, SourceRecord
from apps.transfer.services.export.names import name_of
from apps.transfer.services.export.pages import Line
from apps.transfer.services.imports.restore.references import OWNER, TEAM


class References:
    """What the ids of some memories' sources name; other people are not named."""

    def __init__(self, actor: Actor, sources: Iterable[SourceRecord], addresses: Iterable[str] = ()) -> None:
        self._user_id = actor.user_id
        known = list(sources)
        self._messages = _messages(actor, _ids(known, SourceKind.MESSAGE))
        self._observations = _observations(actor, _ids(known, SourceKind.HOOK))
        self._sessions = _sessions(actor, addresses)

    @classmethod
    def of_records(cls, actor: Actor, records: Sequence[NodeRecord]) -> References:
        sources = [source for one in records for source in one.sources]
        return cls(actor, sources, [one.uri for one in records])

    @classmethod
    def of_revisions(cls, actor: Actor, rows: Sequence[MemRevision]) -> References:
        states = [state for row in rows for state in (row.before, row.after)]
        listed = [SourceRecord(*pair) for state in states for pair in state.get("sources", ())]
        return cls(actor, listed, [state["uri"] for state in states if "uri" in state])

    def named(self, kind: str, reference: str) -> Line:
        """A source; one that is not in the file keeps its id."""
        if kind == SourceKind.MESSAGE and reference in self._messages:
            return {"kind": kind, **self._messages[reference]}
        if kind == SourceKind.HOOK and reference in self._observations:
            return {"kind": kind, **self._observations[reference]}
        if kind == SourceKind.PERSON and reference == str(self._user_id):
            return {"kind": kind, "reference": OWNER}
        return {"kind": kind, "reference": reference}

    def session(self, address: str) -> str:
        """The name of the conversation in whose folder the address is; empty if none in the file is."""
        return self._sessions.get(address, "")

    def person(self, user_id: UUID | None) -> str:
        return OWNER if user_id == self._user_id else ""

    def snapshot(self, state: Mapping[str, Any]) -> Line:
        values = dict(state)
        if "owner" in values:
            values["owner"] = self._owner(values["owner"])
        if "sources" in values:
            values["sources"] = [self.named(kind, reference) for kind, reference in values["sources"]]
        if name := self.session(values.get("uri", "")):
            values["conversation"] = name
        return values

    def _owner(self, owner: str | None) -> str:
        return TEAM if owner is None else OWNER if owner == str(self._user_id) else ""


def _messages(actor: Actor, ids: Sequence[UUID]) -> dict[str, Line]:
    if not ids:
        return {}
    rows = Message.objects.filter(pk__in=ids, conversation__owner_id=actor.user_id, conversation__temporary=False)
    fields = ("pk", "external_id", "conversation_id", "conversation__external_id")
    return {
        str(pk): {"conversation": name_of(conversation, conversation_id), "message": name_of(external_id, pk)}
        for pk, external_id, conversation_id, conversation in rows.values_list(*fields)
    }


def _observations(actor: Actor, ids: Sequence[UUID]) -> dict[str, Line]:
    if not ids:
        return {}
    rows = Observation.objects.filter(pk__in=ids, session__user_id=actor.user_id)
    fields = ("pk", "event_key", "session__conversation_id", "session__conversation__external_id")
    return {
        str(pk): {"conversation": name_of(conversation, conversation_id), "event_key": key}
        for pk, key, conversation_id, conversation in rows.values_list(*fields)
    }


def _sessions(actor: Actor, addresses: Iterable[str]) -> dict[str, str]:
    """By address, the name of the conversation in whose folder it is."""
    places = {one: found for one in set(addresses) if (found := session_of(Address.stored(one)))}
    if not places:
        return {}
    rows = Conversation.objects.filter(pk__in=places.values(), owner_id=actor.user_id, temporary=False)
    names = {pk: name_of(external_id, pk) for pk, external_id in rows.values_list("pk", "external_id")}
    return {address: names[found] for address, found in places.items() if found in names}


def _ids(sources: Iterable[SourceRecord], kind: SourceKind) -> list[UUID]:
    return [found for one in sources if one.kind == kind and (found := parse_id(one.reference))]
