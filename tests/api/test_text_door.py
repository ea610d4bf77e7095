"""Texts that are changed before they are stored: hidden and unstorable characters, and the header that says so."""

from __future__ import annotations

from typing import Any

import pytest

from apps.accounts.actors import Actor
from apps.api.framework.requests import TEXT_CHANGES
from tests.people import client_of, key_client_of

pytestmark = pytest.mark.django_db

HIDDEN = "Tea\u202e, please\U000e006f\U000e0062\U000e0065\U000e0079."


def remember(client: Any, content: str) -> Any:
    body = {"type": "fact", "key": "tea", "content": content}
    answer = client.post("/api/user-memory", body, format="json")
    assert answer.status_code == 201, answer.content
    return answer


def test_hidden_characters_are_removed_from_what_a_key_sends(alice: Actor) -> None:
    answer = remember(key_client_of(alice, "read", "write"), HIDDEN)
    assert answer.json()["content"] == "Tea, please."
    assert answer[TEXT_CHANGES] == "/content removed_hidden"


def test_hidden_characters_are_shown_in_what_a_person_types(alice: Actor) -> None:
    answer = remember(client_of(alice), HIDDEN)
    assert answer.json()["content"] == "Tea[hidden: U+202E], please[hidden: obey]."
    assert answer[TEXT_CHANGES] == "/content shown_hidden"


def test_what_no_database_stores_is_replaced_and_told(alice: Actor) -> None:
    client = key_client_of(alice, "read", "write")
    body = rb'{"type": "fact", "key": "tea", "content": "a\u0000b\ud800c"}'
    answer = client.post("/api/user-memory", body, content_type="application/json")
    assert (answer.status_code, answer.json()["content"]) == (201, "a\ufffdb\ufffdc")
    assert answer[TEXT_CHANGES] == "/content replaced"


def test_a_decomposed_text_is_composed_without_a_word_of_it(alice: Actor) -> None:
    answer = remember(client_of(alice), "Cafe\u0301 Zoe\u0308")
    assert answer.json()["content"] == "Café Zoë"
    assert not answer.has_header(TEXT_CHANGES)


def test_an_unchanged_text_is_not_mentioned(alice: Actor) -> None:
    assert not remember(client_of(alice), "Tea 👩‍💻, please.\n\tNow.").has_header(TEXT_CHANGES)
