"""What is sealed opens where it was sealed, with a secret that the installation still tells, and nowhere else."""

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
def test_what_was_sealed_opens_and_is_not_to_be_seen(secret: str) -> None:
    stored = encrypt(secret, workspace_id=HERE, backend="openai")
    assert len(secret) < 4 or secret.encode() not in stored
    assert decrypt(stored, workspace_id=HERE, backend="openai") == secret


def test_the_same_secret_never_looks_the_same() -> None:
    first, second = (encrypt(SECRET, workspace_id=HERE, backend="openai") for _ in range(2))
    assert first != second


@pytest.mark.parametrize(("workspace_id", "backend"), [(THERE, "openai"), (HERE, "gemini"), (THERE, "gemini")])
def test_a_copy_in_another_place_does_not_open(workspace_id: object, backend: str) -> None:
    stored = encrypt(SECRET, workspace_id=HERE, backend="openai")
    with pytest.raises(Unreadable):
        decrypt(stored, workspace_id=workspace_id, backend=backend)  # type: ignore[arg-type]  # a parameter's type


@pytest.mark.parametrize("stored", [b"", b"nonsense", b"gAAAAA=="])
def test_what_was_never_sealed_does_not_open(stored: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        decrypt(stored, workspace_id=HERE, backend="openai")
    assert refused.value.__cause__ is None


def test_an_older_secret_opens_as_long_as_it_is_told(settings: Settings) -> None:
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
