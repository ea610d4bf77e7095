"""Words that make a reply wait for the reader."""

from __future__ import annotations

import pytest

from apps.engine.reading.forget_words import may_ask_to_forget


@pytest.mark.parametrize(
    "text",
    [
        "Ignore what I said about the rent",
        "I take it back",
        "vergiss meine PIN",
        "Efface ça",
        "Забудь про кота",
        "それは忘れて",
    ],
)
def test_requests_have_one(text: str) -> None:
    assert may_ask_to_forget(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ich bin 30 Jahre alt",
        "Wir wissen es nicht",
        "basil and tomatoes",
        "my newsletter",
        "Lewis plays the guitar",
        "the unknown",
    ],
)
def test_words_that_only_contain_one_have_none(text: str) -> None:
    assert not may_ask_to_forget(text)
