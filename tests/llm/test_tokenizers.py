"""Token estimators: byte-pair encodings, and the visible fallback without a vocabulary."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from apps.engine.pack.estimators import HEURISTIC, WORDS
from apps.engine.policy import Policy
from apps.llm import tokenizers
from apps.llm.tokenizers import VOCABULARIES, Vocabulary, encoding_name, estimator_of, token_counter
from config.env import Environment

BPE = Policy(token_estimator="bpe")
NAMES = sorted(VOCABULARIES)
MODELS = {"cl100k_base": "claude-sonnet-5-5", "o200k_base": "gpt-4o"}
# All bytes, and a few words as tokens of their own.
RANKS = {bytes([byte]): byte for byte in range(256)} | {b"th": 256, b"the": 257, b" t": 258, b"aa": 259, b"aaaa": 260}
FILE = b"".join(base64.b64encode(token) + b" " + str(rank).encode() + b"\n" for token, rank in RANKS.items())
# Where the real files are on this machine, if they are.
REAL = os.environ.get("TIKTOKEN_CACHE_DIR", "")
with_real_files = pytest.mark.skipif(not REAL, reason="TIKTOKEN_CACHE_DIR names no folder with the real vocabularies")
BENT = ["a" * 1_000_000, " " * 1_000_000, "\n" * 1_000_000, "." * 1_000_000, "a" + "\u0301" * 500_000, "中" * 300_000]


@pytest.fixture(autouse=True)
def fresh_cache() -> Iterator[None]:
    """Clear the cache of loaded encodings around each test."""
    tokenizers._loaded.cache_clear()
    yield
    tokenizers._loaded.cache_clear()


@pytest.fixture
def tiny(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small vocabularies under the names of the real ones."""
    settings.VOCABULARY_ROOT = tmp_path
    for name, vocabulary in VOCABULARIES.items():
        monkeypatch.setitem(VOCABULARIES, name, fits(vocabulary, FILE))
        vocabulary.file.write_bytes(FILE)
    return tmp_path


@pytest.fixture
def without_files(tmp_path: Path, settings: Settings) -> Path:
    settings.VOCABULARY_ROOT = tmp_path
    return tmp_path


def fits(vocabulary: Vocabulary, data: bytes) -> Vocabulary:
    return replace(vocabulary, sha256=hashlib.sha256(data).hexdigest())


def small(name: str = "cl100k_base") -> Callable[[str], int]:
    tiktoken = pytest.importorskip("tiktoken")
    pattern = VOCABULARIES[name].pattern
    return token_counter(tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=RANKS, special_tokens={}))


@pytest.mark.parametrize(
    ("choice", "name"),
    [
        ("heuristic", "characters by script"),
        ("characters", "characters/4"),
        ("words", "words/0.75"),
        ("bpe", "cl100k_base"),
    ],
)
def test_the_policy_chooses_the_estimator(tiny: Path, choice: str, name: str) -> None:
    chosen = estimator_of(Policy(token_estimator=choice), "claude-sonnet-5-5")
    assert (chosen.name, chosen.percent, chosen.fallback_from) == (name, 100, "")
    assert chosen.count("the cat") == {"heuristic": 2, "characters": 2, "words": 3, "bpe": 5}[choice]


def test_a_file_is_needed_only_if_its_encoding_is_chosen(without_files: Path) -> None:
    assert estimator_of(Policy(), "gpt-4o") == HEURISTIC
    assert estimator_of(Policy(token_estimator="words"), "gpt-4o") == WORDS


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-sonnet-5-5", "cl100k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4o-mini", "o200k_base"),
        ("openai/gpt-4.1", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("offline", "cl100k_base"),
        ("", "cl100k_base"),
    ],
)
def test_a_model_is_counted_by_its_own_encoding_or_the_nearest_public_one(model: str, name: str) -> None:
    assert encoding_name(model) == name


@pytest.mark.parametrize("name", NAMES)
def test_without_the_file_the_heuristic_counts_and_logs_once(
    without_files: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    begin = time.monotonic()
    estimators = [estimator_of(BPE, MODELS[name]) for _ in range(100)]
    assert time.monotonic() - begin < 1
    assert {(it.name, it.count, it.fallback_from) for it in estimators} == {(HEURISTIC.name, HEURISTIC.count, name)}
    assert caplog.text.count("tokens.fallback") == 1


def test_a_file_that_is_not_the_vocabulary_is_not_used(tiny: Path) -> None:
    VOCABULARIES["cl100k_base"].file.write_bytes(FILE[:-20])
    assert estimator_of(BPE, "claude-sonnet-5-5").fallback_from == "cl100k_base"
    assert estimator_of(BPE, "gpt-4o").fallback_from == ""
    assert VOCABULARIES["cl100k_base"].file.exists()


def test_an_invalid_vocabulary_file_does_not_stop_counting(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rubbish = b"not base64 nor a rank\n\xff\xfe\n"
    monkeypatch.setitem(VOCABULARIES, "cl100k_base", fits(VOCABULARIES["cl100k_base"], rubbish))
    VOCABULARIES["cl100k_base"].file.write_bytes(rubbish)
    assert estimator_of(BPE, "claude-sonnet-5-5").fallback_from == "cl100k_base"


def test_a_file_added_later_takes_effect(tiny: Path) -> None:
    file = VOCABULARIES["cl100k_base"].file
    file.unlink()
    assert estimator_of(BPE, "claude-sonnet-5-5").fallback_from == "cl100k_base"
    file.write_bytes(FILE)
    assert estimator_of(BPE, "claude-sonnet-5-5").fallback_from == ""


def test_the_encoder_is_loaded_on_first_use() -> None:
    program = (
        "import django, sys; django.setup(); import apps.llm.selectors.calibration, apps.llm.services.registry;"
        "import apps.llm.tokenizers;"
        "from apps.engine.policy import Policy;"
        "apps.llm.tokenizers.estimator_of(Policy(token_estimator='bpe'), 'gpt-4o');"
        "assert 'tiktoken' not in sys.modules"
    )
    without = {**os.environ, "TIKTOKEN_CACHE_DIR": "/nowhere"}
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60, env=without)


@given(st.text())
def test_any_text_is_counted(text: str) -> None:
    for name in NAMES:
        assert 0 <= small(name)(text) <= len(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("text", ["<|endoftext|>", "a <|im_start|> b", "\ud800", "x\ud83dy", "\x00"])
def test_special_tokens_in_a_text_count_as_plain_text(text: str) -> None:
    assert small()(text) > 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", BENT, ids=lambda text: repr(text[-1]))
def test_an_adversarially_slow_text_is_counted_in_time(name: str, text: str) -> None:
    begin = time.monotonic()
    assert small(name)(text) > 0
    assert time.monotonic() - begin < 5


def test_a_long_text_counts_as_the_sum_of_its_parts() -> None:
    count = small()
    words = [" the" if number % 3 else " that" for number in range(30_000)]
    assert count("".join(words)) == sum(map(count, words))


def test_the_command_downloads_missing_files_atomically(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, other = (VOCABULARIES[name].file for name in NAMES)
    file.unlink()
    brought = {VOCABULARIES[NAMES[0]].url: FILE[:-20]}
    monkeypatch.setattr("tiktoken.load.read_file", brought.__getitem__)
    with pytest.raises(CommandError, match="expected checksum"):
        call_command("vocabulary_fetch")
    assert list(tiny.iterdir()) == [other]
    brought[VOCABULARIES[NAMES[0]].url] = FILE
    call_command("vocabulary_fetch")
    assert file.read_bytes() == other.read_bytes() == FILE


def test_the_environment_sets_the_vocabulary_folder(tmp_path: Path) -> None:
    variables: dict[str, Any] = {"continuity_home": tmp_path, "tiktoken_cache_dir": ""}
    assert Environment(**variables).vocabulary_root() == tmp_path / "vocabularies"
    assert Environment(**variables | {"tiktoken_cache_dir": "/vocabularies"}).vocabulary_root() == Path("/vocabularies")


@with_real_files
@pytest.mark.parametrize(
    ("name", "count"), [("cl100k_base", [4, 9, 4, 5, 125_000]), ("o200k_base", [4, 9, 4, 3, 125_000])]
)
def test_the_real_encodings_match_known_counts(settings: Settings, name: str, count: list[int]) -> None:
    settings.VOCABULARY_ROOT = REAL
    estimator = estimator_of(BPE, MODELS[name])
    assert (estimator.name, estimator.fallback_from) == (name, "")
    texts = [
        "Hello, wide world",
        "Antidisestablishmentarianism, no less",
        "1234567890",
        "我们决定使用",
        "a" * 1_000_000,
    ]
    assert [estimator.count(text) for text in texts] == count


@with_real_files
@pytest.mark.parametrize("name", NAMES)
def test_texts_are_split_as_in_the_library(settings: Settings, name: str) -> None:
    settings.VOCABULARY_ROOT = REAL
    tiktoken = pytest.importorskip("tiktoken")
    theirs, ours = tiktoken.get_encoding(name), estimator_of(BPE, MODELS[name])
    for text in ("It's 12,345.67 €!\r\n\n\tdef f(x):  return x  ", "ÉTÉ d’août, c'EST 'll", "https://x.org/a?b=c#d"):
        assert ours.count(text) == len(theirs.encode_ordinary(text))
