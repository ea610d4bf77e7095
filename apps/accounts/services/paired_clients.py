"""Writes of paired clients: their last event, and the revocation of their keys."""

from __future__ import annotations

from uuid import UUID

from django.db.models import F
from django.db.models.functions import Now

from apps.accounts.actors import Actor
from apps.accounts.models import PairedClient
from apps.accounts.records import PairedClientRecord
from apps.accounts.selectors.paired_clients import paired_client_get
from apps.accounts.services.keys import api_key_revoke

_LONGEST_EVENT, _LONGEST_VERSION = 60, 40


def client_event_record(actor: Actor, event_name: str, version: str = "", *, count: int = 1) -> None:
    """Record that the actor's paired client sent events, in one statement; does nothing for other actors.

    `event_name` is the last of `count` events. Call it late in the unit of work: it locks the client's row.
    """
    if actor.key_id is None:
        return
    event_name, version = _printable(event_name)[:_LONGEST_EVENT], _printable(version)[:_LONGEST_VERSION]
    named = {"version": version} if version else {}
    PairedClient.objects.filter(workspace_id=actor.workspace_id, api_key_id=actor.key_id).update(
        last_event=event_name, last_event_at=Now(), event_count=F("event_count") + count, **named
    )


def paired_client_revoke(actor: Actor, *, paired_client_id: UUID) -> PairedClientRecord:
    """Revoke a client's key, effective with its next request. Idempotent."""
    paired = paired_client_get(actor, paired_client_id)
    api_key_revoke(actor, key_id=paired.key_id)
    return paired_client_get(actor, paired_client_id)


def _printable(text: str) -> str:
    """Both come from the client as they are; a name with a NUL, for example, cannot be stored."""
    return "".join(letter for letter in text if letter.isprintable())
