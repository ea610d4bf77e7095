"""Encrypted values decrypt only in their own workspace and backend, with a configured secret."""

from __future__ import annotations

from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from apps.llm.encryption import Unreadable, decrypt, encrypt, reencrypt

HERE, THERE = uuid4(), uuid4()
SECRET = "sk-0123456789"


@given(st.text())
def test_an_encrypted_secret_decrypts_and_is_unreadable(secret: str) -> None:
    stored = encrypt(secret, workspace_id=HERE, backend="openai")
    assert len(secret) < 4 or secret.encode() not in stored
    assert decrypt(stored, workspace_id=HERE, backend="openai") == secret


def test_encrypting_a_secret_twice_gives_different_values() -> None:
    first, second = (encrypt(SECRET, workspace_id=HERE, backend="openai") for _ in range(2))
    assert first != second


@pytest.mark.parametrize(("workspace_id", "backend"), [(THERE, "openai"), (HERE, "gemini"), (THERE, "gemini")])
def test_a_value_copied_to_another_workspace_or_backend_does_not_decrypt(workspace_id: object, backend: str) -> None:
    stored = encrypt(SECRET, workspace_id=HERE, backend="openai")
    with pytest.raises(Unreadable):
        decrypt(stored, workspace_id=workspace_id, backend=backend)  # type: ignore[arg-type]  # a parameter's type


@pytest.mark.parametrize("stored", [b"", b"nonsense", b"gAAAAA=="])
def test_a_value_that_was_never_encrypted_does_not_decrypt(stored: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        decrypt(stored, workspace_id=HERE, backend="openai")
    assert refused.value.__cause__ is None


def test_a_fallback_secret_decrypts_until_it_is_removed(settings: Settings) -> None:
    older, settings.SECRET_KEY_FALLBACKS = settings.SECRET_KEY, []
    stored = encrypt(SECRET, workspace_id=HERE, backend="openai")
    settings.SECRET_KEY = "another secret of the installation, long enough"
    with pytest.raises(Unreadable):
        decrypt(stored, workspace_id=HERE, backend="openai")
    settings.SECRET_KEY_FALLBACKS = [older]
    assert decrypt(stored, workspace_id=HERE, backend="openai") == SECRET
    fresh = encrypt(SECRET, workspace_id=HERE, backend="openai")
    again = reencrypt(stored, workspace_id=HERE, backend="openai")
    settings.SECRET_KEY_FALLBACKS = []
    assert decrypt(fresh, workspace_id=HERE, backend="openai") == SECRET
    assert decrypt(again, workspace_id=HERE, backend="openai") == SECRET
