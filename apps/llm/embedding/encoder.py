"""Transformer encoders, run by CTranslate2: the vectors of a text's tokens, and their mean as the text's vector.

Several encoders can be loaded, each once per process and on first use. Their calls release the interpreter's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, TypeVar, cast

import structlog
from django.conf import settings

from apps.llm.embedding.encoder_files import TOKENIZER, EncoderSource, converted
from apps.llm.errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy import float32
    from numpy.typing import NDArray
    from tokenizers import Encoding

    from apps.llm.embedding.base import Vector

    Array = NDArray[float32]

_SPECIAL_TOKENS = 2
_CHARACTERS_PER_TOKEN = 32
_BATCH_TOKENS = 512
# A share of the characters. Of statements in 32 languages, the sentence that one was made of is nearest or among the
# next two in 93 % of the cases if up to 0.6 is unknown, in 76 % up to 0.7, in 56 % up to 0.9.
_MOST_UNKNOWN = 0.6
# Of an alphabet with fewer known letters the vocabulary knows some words by chance: of Thai, กิน but hardly any other.
_LEAST_KNOWN = 1 / 3
_ALPHABET = 0x80
_ALPHABETS = range(0x900, 0x1080, _ALPHABET)
"""Blocks of characters with an alphabet each: from Devanagari to Burmese."""


class TokenEncoder:
    """An encoder in memory that reads tokens by their ids; threads may share it."""

    def __init__(self, folder: Path, source: EncoderSource) -> None:
        from ctranslate2 import Encoder as Model  # noqa: PLC0415  # only imported in processes that embed

        self._with_positions = source.architecture.relative_positions
        self._model = Model(str(folder), inter_threads=settings.EMBEDDING_THREADS, intra_threads=1)

    def hidden_states(self, ids: Sequence[Sequence[int]]) -> list[Array]:
        """Return the vectors of the tokens of each input, which is given by their ids."""
        values = dict(self._hidden_states(ids, range(len(ids))))
        return [values[place] for place in range(len(ids))]

    def _hidden_states(self, ids: Sequence[Sequence[int]], places: Sequence[int]) -> Iterator[tuple[int, Array]]:
        """Yield these places among the inputs with the vectors of their tokens, batch by batch."""
        import numpy as np  # noqa: PLC0415  # only imported in processes that embed

        for batch in _batches(places, lambda place: len(ids[place])):
            inputs = [ids[place] for place in batch]
            # `encoder_specs.py` says why as types of the tokens.
            positions = [list(range(len(one))) for one in inputs] if self._with_positions else None
            output = np.asarray(self._model.forward_batch(inputs, token_type_ids=positions).last_hidden_state)
            for place, rows, tokens in zip(batch, output, inputs, strict=True):
                yield place, rows[: len(tokens)]


class Encoder(TokenEncoder):
    """An encoder of texts, with their tokenizer."""

    def __init__(self, folder: Path, source: EncoderSource) -> None:
        from tokenizers import Tokenizer  # noqa: PLC0415  # only imported in processes that embed

        super().__init__(folder, source)
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(source.longest_tokens)
        self._unknown = self._tokenizer.token_to_id(source.unknown_token)
        self._by_chance = letters_known_by_chance(self._tokenizer.get_vocab())
        self._longest = source.longest_tokens * _CHARACTERS_PER_TOKEN

    def embed(self, texts: Sequence[str], dimension: int) -> list[Vector]:
        """Return the mean of each text's token vectors with length 1; the zero vector if the text cannot be read."""
        import numpy as np  # noqa: PLC0415  # only imported in processes that embed

        encodings = self._tokens(texts)
        by_text = zip(texts, encodings, strict=True)
        vectors = [np.zeros(dimension, dtype=np.float32)] * len(texts)
        readable = [place for place, (text, encoding) in enumerate(by_text) if self._is_readable(text, encoding)]
        for place, values in self._hidden_states([encoding.ids for encoding in encodings], readable):
            mean = values.mean(axis=0)
            vectors[place] = mean / np.linalg.norm(mean)
        return vectors

    def token_ids(self, text: str) -> list[int]:
        """Return the ids of the text's tokens."""
        ids: list[int] = self._tokens([text])[0].ids
        return ids

    def _tokens(self, texts: Sequence[str]) -> list[Encoding]:
        return self._tokenizer.encode_batch([text[: self._longest] for text in texts])

    def _is_readable(self, text: str, encoding: Encoding) -> bool:
        """Whether there are tokens, and the vocabulary knows most of the text.

        Texts in an unknown script would all get about the same vector.
        """
        ids, characters, unknown = encoding.ids, 0, 0
        if self._unknown not in ids and self._by_chance.isdisjoint(text):
            return len(ids) > _SPECIAL_TOKENS
        for token, (begin, end) in zip(ids, encoding.offsets, strict=True):
            characters += end - begin
            is_unknown = token == self._unknown or not self._by_chance.isdisjoint(text[begin:end])
            unknown += end - begin if is_unknown else 0
        return unknown <= _MOST_UNKNOWN * characters


def letters_known_by_chance(vocabulary: Iterable[str]) -> frozenset[str]:
    """The letters that a vocabulary of word pieces has of alphabets that it mostly does not have.

    >>> letters_known_by_chance(["##ก", "##น", "tea"]) == {"ก", "น"}
    True
    """
    known = {piece.removeprefix("##") for piece in vocabulary}
    found: set[str] = set()
    for first in _ALPHABETS:
        letters = {letter for letter in map(chr, range(first, first + _ALPHABET)) if letter.isalpha()}
        if len(letters & known) < _LEAST_KNOWN * len(letters):
            found |= letters & known
    return frozenset(found)


def _batches(places: Sequence[int], length: Callable[[int], int]) -> Iterator[list[int]]:
    """Places of texts of similar length, at most `_BATCH_TOKENS` in a batch with its padding."""
    batch: list[int] = []
    for place in sorted(places, key=length):
        if batch and (len(batch) + 1) * length(place) > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


_RETRY_S = 60.0
_loaded: dict[str, TokenEncoder] = {}
_failed: dict[str, tuple[float, str]] = {}
"""When an encoder could not be loaded, and why."""
_loading = Lock()
_log = structlog.get_logger("continuity.llm")
_Loaded = TypeVar("_Loaded", bound=TokenEncoder)


def loaded_encoder(source: EncoderSource) -> Encoder:
    """Return the process's encoder of this source; load it on first use, while other threads wait for it.

    Raises `ModelError` if it cannot be loaded, for a minute without another attempt.
    """
    return loaded_as(Encoder, source)


def loaded_as(kind: type[_Loaded], source: EncoderSource) -> _Loaded:
    """Return the process's encoder of this source, which is of this kind, as `loaded_encoder` does."""
    if source.key not in _loaded:
        with _loading:
            if source.key not in _loaded:
                _loaded[source.key] = _load_unless_failed(kind, source)
    return cast("_Loaded", _loaded[source.key])


def _load_unless_failed(kind: type[_Loaded], source: EncoderSource) -> _Loaded:
    failed_at, detail = _failed.get(source.key, (-_RETRY_S, ""))
    if monotonic() < failed_at + _RETRY_S:
        raise ModelError("not_configured", detail)
    try:
        return _load(kind, source)
    except ModelError as error:
        _failed[source.key] = monotonic(), error.detail
        raise


def _load(kind: type[_Loaded], source: EncoderSource) -> _Loaded:
    """Load the encoder; convert one whose files are damaged once more."""
    folder = converted(source)
    try:
        return kind(folder, source)
    except Exception:
        _log.exception("encoder_damaged", folder=folder.name)
    try:
        return kind(converted(source, again=True), source)
    except ModelError:
        raise
    except Exception as error:
        raise ModelError("not_configured", f"The embedding model {source.name} cannot be loaded: {error}") from error
