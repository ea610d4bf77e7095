"""Encryption of stored credentials with keys derived from the installation's secret.

Each workspace and backend has its own key, so that a value cannot be decrypted anywhere else.
"""

from __future__ import annotations

import base64
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


class Unreadable(ValueError):
    """The value was encrypted elsewhere, or with a secret that the installation no longer has."""


def encrypt(secret: str, *, workspace_id: UUID, backend: str) -> bytes:
    """Encrypt with the newest secret."""
    return _box(workspace_id, backend).encrypt(secret.encode())


def decrypt(stored: bytes, *, workspace_id: UUID, backend: str) -> str:
    """Decrypt a value of this workspace and backend with the newest or a fallback secret; raise `Unreadable`."""
    try:
        return _box(workspace_id, backend).decrypt(stored).decode()
    except InvalidToken:
        raise Unreadable("enter it again") from None


def reencrypt(stored: bytes, *, workspace_id: UUID, backend: str) -> bytes:
    """Encrypt again with the newest secret, so that the fallback secrets can be removed."""
    return encrypt(
        decrypt(stored, workspace_id=workspace_id, backend=backend), workspace_id=workspace_id, backend=backend
    )


def _box(workspace_id: UUID, backend: str) -> MultiFernet:
    context = f"continuity provider key {workspace_id} {backend}".encode()
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_derive(secret, context)) for secret in secrets])


def _derive(secret: str, context: bytes) -> bytes:
    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=context).derive(secret.encode())
    return base64.urlsafe_b64encode(key)
