"""Secrets of many kinds in what carries them: none is in a text that was redacted."""

from __future__ import annotations

import argparse
import base64
import inspect
import json
import re
import typing
from collections import Counter
from collections.abc import Sequence
from email import message as email_message
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.common.secrets.redaction import has_secret, redacted, redacted_texts, secrets_in, secrets_of
from tests.common.secrets.samples import CARRIERS, Sample, samples, telling_piece

_RECALL = 0.95
_ORDINARY_MODULES = (argparse, base64, email_message, inspect, json.decoder, typing)
SENTENCES = [
    "I prefer short answers, two paragraphs at most.",
    "The password field is required and the token expires after 3600 seconds.",
    "We moved the API to version 2.14.1 on 2026-03-04 at 07:25 UTC.",
    "Order FF-88213 was booked as RT-50177.",
    "Our budget is 46,000 euros for 230 square metres.",
    "The commit 3f786850e387550fdab836ed7e6dc881de23001b broke the build.",
    "My flight is LH 1234 on 4 May, seat 23A.",
    "The id is 123e4567-e89b-12d3-a456-426614174000.",
    "Das Passwort ist zu kurz, es muss acht Zeichen haben.",
    "La clave es practicar todos los días.",
    "The key is to keep it simple, and the secret is patience.",
    "On se retrouve le 20 mars, le mot de passe est oublié.",
    "The token count is 4096 and the key size is 2048 bits.",
    "パスワードは毎月変えます。",
    "The cast needs CVE-2026-12345 fixed in libfoo-1.2.3.",
    "Call me on +49 151 2345 6789 after six.",
    "The parcel 00340434161094042557 arrives on Monday.",
    "sk-learn and task-runner are packages that we use.",
    "See https://example.org/docs/getting-started?lang=en&page=2 for more.",
    "She said the pass is open until October.",
]


def is_hidden(sample: Sample, texts: Sequence[str]) -> bool:
    """Whether no text, read as it is or decoded, has the secret's words."""
    left = redacted_texts(texts)
    seen = "\n".join([*left, *map(unquote, left), *map(_decoded, left)])
    return telling_piece(sample) not in seen


def _decoded(text: str) -> str:
    words = [base64.b64decode(word + "=" * (-len(word) % 4)) for word in re.findall(r"[A-Za-z0-9+/]{16,}", text)]
    return " ".join(word.decode(errors="ignore") for word in words)


@pytest.mark.parametrize("carrier", CARRIERS)
def test_at_least_95_of_100_secrets_are_redacted_in_each_carrier(carrier: str) -> None:
    every = list(samples())
    assert len(every) >= 100
    missed = Counter(sample.kind for sample in every if not is_hidden(sample, CARRIERS[carrier](sample)))
    assert missed.total() <= (1 - _RECALL) * len(every), missed


def test_the_halves_of_a_secret_in_two_messages_are_both_redacted() -> None:
    first, second = redacted_texts(["The token is ghp_abcdefGH1234567", "89ijklmnopqrstuvwxyzABCDE done"])
    assert "ghp_" not in first and "ijkl" not in second and second.endswith("done")


def test_a_password_in_the_message_after_its_announcement_is_redacted() -> None:
    assert redacted_texts(["My password is", "Blue!42horse"]) == ["My password is", "[redacted:password]"]


@pytest.mark.parametrize("text", SENTENCES)
def test_ordinary_sentences_are_unchanged(text: str) -> None:
    assert redacted(text) == text


def test_the_words_after_a_secret_are_not_part_of_it() -> None:
    assert redacted_texts(["key AKIAIOSFODNN7EXAMPLE", "Put it in the vault"])[1] == "Put it in the vault"


def test_less_than_one_line_of_ordinary_code_in_a_hundred_is_changed() -> None:
    lines = [line for module in _ORDINARY_MODULES for line in inspect.getsource(module).splitlines() if line.strip()]
    assert len(lines) > 5_000
    assert sum(map(has_secret, lines)) < 0.01 * len(lines)


def test_a_redacted_text_has_no_secret() -> None:
    for sample in samples():
        for carried in CARRIERS.values():
            assert not has_secret(*redacted_texts(carried(sample))), sample


@given(st.text(alphabet='ab1A:=-_ /@.%\n"eyJpassword', max_size=300))
def test_places_are_ordered_and_within_the_text(text: str) -> None:
    end = 0
    for one in secrets_in(text):
        assert end <= one.start < one.end <= len(text)
        end = one.end


UNENDED_KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk"
TOGETHER = [
    ("ok, and the password is Hunter2!x", "Hunter2!x"),
    ("use AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    ("kod do alarmu to 6135", "6135"),
    ("ovikoodi on 7798", "7798"),
    ("can you remember that my pasword is Tangerine!Boat7 thx", "Tangerine!Boat7"),
]


@pytest.mark.parametrize(("text", "secret"), TOGETHER)
def test_what_is_secret_in_a_text_is_secret_among_others(text: str, secret: str) -> None:
    for texts in ([UNENDED_KEY, "oops", text], [text, "thanks"], ["hello", text, "ok", UNENDED_KEY]):
        assert secret not in "".join(redacted_texts(texts))


def test_a_word_of_another_message_makes_no_secret() -> None:
    texts = ["My private key is lost", "the tx is 0x" + "ab" * 32]
    assert redacted_texts(texts) == texts


@given(st.lists(st.sampled_from([*SENTENCES, *(text for text, _ in TOGETHER), UNENDED_KEY]), max_size=6))
def test_texts_together_have_at_least_the_secrets_of_each(texts: list[str]) -> None:
    for text, together in zip(texts, secrets_of(texts), strict=True):
        for one in secrets_in(text):
            assert any(all_.start <= one.start and one.end <= all_.end for all_ in together)
