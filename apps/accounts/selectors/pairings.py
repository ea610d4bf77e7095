"""Pairings by their two codes: the user code that a person reads and types, and the client's secret device code."""

from __future__ import annotations

import hashlib
import hmac
import re
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.models import Pairing, PairingStatus, Workspace
from apps.accounts.records import PairingRecord
from apps.common.errors import Ended, NotFound

USER_CODE_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
"""The consonants that RFC 8628 §6.1 suggests: no digits, no vowels, so nothing to confuse and no words."""
EXPIRED = "The code has expired, or it never existed. Start again on the machine that you want to pair."
_HALF = 4


def user_code_normalized(text: str) -> str:
    """Return the stored form of a user code as typed, in any case and with or without its hyphen.

    >>> user_code_normalized(" bcdf-ghjk")
    'BCDFGHJK'
    """
    return re.sub(r"[^A-Z0-9]", "", text.upper())


def user_code_shown(code: str) -> str:
    """Return a stored user code as people read it.

    >>> user_code_shown("BCDFGHJK")
    'BCDF-GHJK'
    """
    return f"{code[:_HALF]}-{code[_HALF:]}"


def device_code_digest(device_code: str) -> str:
    """Hash a device code. A plain SHA-256 suffices, because 256 random bits cannot be guessed."""
    return hashlib.sha256(device_code.encode()).hexdigest()


def pairing_for_person(rows: QuerySet[Pairing], actor: Actor, user_code: str) -> Pairing:
    """Find a pairing that nobody has decided on, or that the actor has.

    Another person's pairing raises the same `NotFound` as a wrong code.
    """
    visible = Q(status=PairingStatus.PENDING) | Q(user_id=actor.user_id)
    row = rows.filter(visible, user_code=user_code_normalized(user_code)).first()
    if row is None:
        raise NotFound("Pairing not found.")
    if row.status != PairingStatus.USED and row.expires_at <= timezone.now():
        raise Ended(EXPIRED, code="pairing_expired")
    return row


def pairing_for_client(rows: QuerySet[Pairing], device_code: str) -> Pairing:
    """Find a pairing by the client's secret; an unknown one is answered as one that has expired."""
    digest = device_code_digest(device_code)
    row = rows.filter(device_digest=digest).first()
    if row is None or not hmac.compare_digest(row.device_digest, digest) or row.expires_at <= timezone.now():
        raise Ended(EXPIRED, code="pairing_expired")
    return row


def pairing_record(row: Pairing, *, workspace_id: UUID) -> PairingRecord:
    """Return a pairing for its own workspace or, while nobody has approved it, for the given one."""
    place = Workspace.objects.get(pk=row.workspace_id or workspace_id)
    return PairingRecord(
        user_code=user_code_shown(row.user_code),
        client=row.client,
        name=row.name,
        version=row.version,
        status=row.status,
        workspace_id=place.id,
        workspace_name=place.name,
        requested_at=row.created_at,
        expires_at=row.expires_at,
    )
