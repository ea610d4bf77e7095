"""Pairing of a client by a short code that a person confirms in the browser (RFC 8628, the device authorization grant).

The client holds a secret device code and shows its user code. The key is created when the client collects it, so no
secret is ever stored, and at most once.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.actors import Actor, require, require_write
from apps.accounts.models import KeyScope, PairedClient, Pairing, PairingStatus
from apps.accounts.permissions import Permission
from apps.accounts.records import NewPairing, PairedKey, PairingRecord
from apps.accounts.selectors.pairings import (
    USER_CODE_ALPHABET,
    device_code_digest,
    pairing_for_client,
    pairing_for_person,
    pairing_record,
    user_code_shown,
)
from apps.accounts.selectors.users import actor_in, user_get, workspace_get
from apps.accounts.services.keys import ApiKeyDraft, api_key_create, require_scopes
from apps.accounts.services.sign_in_limits import Attempt
from apps.common.errors import Ended, Forbidden, NotFound
from apps.common.tenancy import workspace
from apps.common.token_buckets import Rate

LIFETIME = timedelta(minutes=10)
POLL_INTERVAL_S = 2
CLIENT_SCOPES = frozenset({KeyScope.READ.value, KeyScope.WRITE.value})
"""What hooks need: write the session, and read what is known when it starts."""
# An expired pairing is still recognized for a while, so that the page can say so.
_RETENTION = timedelta(hours=1)
_GUESSES = Rate("pairing_code", 20, 600)
_POLLS = Rate("pairing_poll", 10, 10)
_DEVICE_BYTES, _USER_LETTERS, _ATTEMPTS = 32, 8, 5
DENIED = "The pairing was denied."
USED = "The key of this pairing was collected already. Start again if it was not you."


def pairing_request(*, client: str, name: str, version: str) -> NewPairing:
    """Store a client's request for a key, and return the codes that the client polls with and shows."""
    device_code = secrets.token_urlsafe(_DEVICE_BYTES)
    for _ in range(_ATTEMPTS):
        row = Pairing(
            user_code="".join(secrets.choice(USER_CODE_ALPHABET) for _ in range(_USER_LETTERS)),
            device_digest=device_code_digest(device_code),
            client=client,
            name=name,
            version=version,
            expires_at=timezone.now() + LIFETIME,
        )
        if _inserted(row):
            return NewPairing(device_code, user_code_shown(row.user_code))
    raise RuntimeError("no free user code")


def pairing_preview(actor: Actor, *, user_code: str) -> PairingRecord:
    """Return what a person decides on. Wrong codes are limited by person."""
    return pairing_record(_found(actor, user_code), workspace_id=actor.workspace_id)


@transaction.atomic
def pairing_approve(actor: Actor, *, user_code: str) -> PairingRecord:
    """Let the client collect a key of the actor in the actor's workspace, if the actor has its scopes. Idempotent."""
    require(actor, Permission.MANAGE_OWN_KEYS)
    require_write(actor)
    require_scopes(actor, CLIENT_SCOPES)
    return _decide(actor, user_code, PairingStatus.APPROVED)


@transaction.atomic
def pairing_deny(actor: Actor, *, user_code: str) -> PairingRecord:
    """Refuse the client. Idempotent; an approval can be denied until the key is collected."""
    require(actor, Permission.MANAGE_OWN_KEYS)
    return _decide(actor, user_code, PairingStatus.DENIED)


@transaction.atomic
def pairing_redeem(*, device_code: str) -> PairedKey | None:
    """Create the key of an approved pairing, once; None while nobody has decided."""
    Attempt().take(_POLLS, device_code_digest(device_code)[:32])
    row = pairing_for_client(Pairing.objects.select_for_update(), device_code)
    if row.status == PairingStatus.PENDING:
        return None
    if row.status != PairingStatus.APPROVED or row.user_id is None or row.workspace_id is None:
        raise _over(row)
    row.status = PairingStatus.USED
    row.save(update_fields=["status"])
    return _pair(row, row.user_id, row.workspace_id)


def pairing_prune() -> int:
    """Delete pairings that expired a while ago, and return their number."""
    removed, _ = Pairing.objects.filter(expires_at__lt=timezone.now() - _RETENTION).delete()
    return removed


def _inserted(row: Pairing) -> bool:
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        return False
    return True


def _found(actor: Actor, user_code: str, *, lock: bool = False) -> Pairing:
    guess = Attempt()
    guess.take(_GUESSES, str(actor.user_id))
    rows = Pairing.objects.select_for_update() if lock else Pairing.objects.all()
    row = pairing_for_person(rows, actor, user_code)
    guess.refund()
    return row


def _decide(actor: Actor, user_code: str, status: PairingStatus) -> PairingRecord:
    row = _found(actor, user_code, lock=True)
    if row.status not in (PairingStatus.PENDING, PairingStatus.APPROVED, status):
        raise _over(row)
    row.status, row.user_id, row.workspace_id = status, actor.user_id, actor.workspace_id
    row.save(update_fields=["status", "user", "workspace"])
    return pairing_record(row, workspace_id=actor.workspace_id)


def _over(row: Pairing) -> Ended:
    if row.status == PairingStatus.USED:
        return Ended(USED, code="pairing_used")
    return Ended(DENIED, code="pairing_denied")


def _pair(row: Pairing, user_id: UUID, workspace_id: UUID) -> PairedKey:
    """Create the key and the paired client, unless the person has lost the right to since the approval."""
    with workspace(workspace_id):
        try:
            actor, user = actor_in(user_id, workspace_id), user_get(user_id)
            made = api_key_create(actor, draft=ApiKeyDraft(f"{row.client} on {row.name}"[:120], CLIENT_SCOPES))
        except (NotFound, Forbidden) as error:
            raise Ended(DENIED, code="pairing_denied") from error
        PairedClient.objects.create(
            user_id=user_id, api_key_id=made.key.id, client=row.client, name=row.name, version=row.version
        )
    return PairedKey(made, workspace_get(actor), user)
