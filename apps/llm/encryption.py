"""Sealing what must be stored and never be read where it lies: with keys made from the installation's secret.

Every workspace and backend has a key of its own, so that a sealed value does not open anywhere else.
"""

from __future__ import annotations

import base64
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


class Unreadable(ValueError):
    """It was sealed elsewhere, or with a secret that the installation does not have any more."""


def encrypt(secret: str, *, workspace_id: UUID, backend: str) -> bytes:
    """With the newest secret."""
    return _box(workspace_id, backend).encrypt(secret.encode())


def decrypt(stored: bytes, *, workspace_id: UUID, backend: str) -> str:
    """What was sealed for this workspace and backend, by this secret or an older one that is still told."""
    try:
        return _box(workspace_id, backend).decrypt(stored).decode()
    except InvalidToken:
        raise Unreadable("enter it again") from None


def reencrypt(stored: bytes, *, workspace_id: UUID, backend: str) -> bytes:
    """The same with the newest secret, so that the older ones need not be told any more."""
    return encrypt(
        decrypt(stored, workspace_id=workspace_id, backend=backend), workspace_id=workspace_id, backend=backend
    )


def _box(workspace_id: UUID, backend: str) -> MultiFernet:
    place = f"continuity provider key {workspace_id} {backend}".encode()
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_derived(secret, place)) for secret in secrets])


def _derived(secret: str, place: bytes) -> bytes:
    made = HKDF(algorithm=SHA256(), length=32, salt=None, info=place).derive(secret.encode())
    return base64.urlsafe_b64encode(made)
