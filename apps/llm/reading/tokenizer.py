"""The reader's tokenizer: the unigram model of multilingual-e5, run by SentencePiece.

In the package `tokenizers` the same 250,000 pieces take 280 MB of every process that reads, here 60.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from apps.llm.reading.e5 import Vocabulary

TOKENIZER = "sentencepiece.model"
_WORD = re.compile(r"\S+")
SPACE = "▁"
"""Stands for a space at the beginning of a piece."""


class ReaderTokenizer:
    """The tokenizer in memory; threads may share it."""

    def __init__(self, model: Path | bytes) -> None:
        from sentencepiece import SentencePieceProcessor  # noqa: PLC0415  # only imported in processes that read

        content = model if isinstance(model, bytes) else model.read_bytes()
        self._processor = SentencePieceProcessor.from_proto(content)
        self.begin, self.end = self._processor.bos_id(), self._processor.eos_id()

    def encode(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Return the ids of a text's tokens, and of each its first character and the one after its last.

        The spaces before a word are none of its characters.
        """
        normalized, places = _with_single_spaces(*_normalized(text))
        encoded = self._processor.encode(normalized, return_type="offset_mapping")
        pairs = zip(encoded["pieces"], encoded["offsets"], strict=True)
        return encoded["ids"], [_without_spaces(text, piece, *_original(places, *pair)) for piece, pair in pairs]


def pieces_of(model: Path) -> list[str]:
    """The vocabulary of a model in the order of its ids."""
    from sentencepiece import SentencePieceProcessor  # noqa: PLC0415  # only imported in processes that read

    processor = SentencePieceProcessor.from_file(str(model))
    return [processor.IdToPiece(one) for one in range(processor.GetPieceSize())]


def _normalized(text: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """The text in NFKC, and for each of its characters the original ones."""
    if unicodedata.is_normalized("NFKC", text):
        return text, [(place, place + 1) for place in range(len(text))]
    parts: list[str] = []
    places: list[tuple[int, int]] = []
    for start, end in _clusters(text):
        parts.append(unicodedata.normalize("NFKC", text[start:end]))
        is_same = parts[-1] == text[start:end]
        places += [(place, place + 1) for place in range(start, end)] if is_same else [(start, end)] * len(parts[-1])
    return "".join(parts), places


def _with_single_spaces(text: str, places: Sequence[tuple[int, int]]) -> tuple[str, Sequence[tuple[int, int]]]:
    """The text with one space for each run of white space between its words, and the places of its characters.

    The encoder knows no other texts: after one more space at the end it takes nothing for worth keeping.
    """
    words = list(_WORD.finditer(text))
    joined: list[tuple[int, int]] = []
    for word in words:
        start = places[word.start()][0]
        joined += [(start, start)] * bool(joined)
        joined += places[word.start() : word.end()]
    return " ".join(word[0] for word in words), joined


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Parts of a text that NFKC leaves apart: a character with all that may be composed with it."""
    starts = [place for place, character in enumerate(text) if not place or not _is_composed(character)]
    return pairwise([*starts, len(text)])


def _is_composed(character: str) -> bool:
    """Whether it may be composed with the character before it: a mark, or a vowel or final consonant of Hangul."""
    first = unicodedata.normalize("NFKC", character)[:1]
    return unicodedata.category(first).startswith("M") or "\u1160" <= first <= "\u11ff"


def _original(places: Sequence[tuple[int, int]], first: int, past: int) -> tuple[int, int]:
    """The characters of the text that some of the normalized ones stand for."""
    if first >= past:
        start = places[first][0] if first < len(places) else 0
        return start, start
    return places[first][0], places[past - 1][1]


def _without_spaces(text: str, piece: str, start: int, end: int) -> tuple[int, int]:
    """The characters of a token; the space before a word, which is a token at times, has none."""
    if piece == SPACE:
        return start, start
    while start < end and text[start].isspace():
        start += 1
    return start, end


_NORMAL, _UNKNOWN, _CONTROL, _UNUSED = 1, 2, 3, 5
_VARINT, _LENGTH, _FLOAT = 0, 2, 5
_UNIGRAM = 1


def sentencepiece_model(vocabulary: Vocabulary) -> bytes:
    """The vocabulary as a file of SentencePiece: a ModelProto of its `sentencepiece_model.proto`."""
    kinds = {vocabulary.unknown: _UNKNOWN} | dict.fromkeys((vocabulary.begin, vocabulary.end, vocabulary.pad), _CONTROL)
    pieces = (
        _field(1, _piece(piece, score, kinds.get(place, _UNUSED if piece.startswith("<unused") else _NORMAL)))
        for place, (piece, score) in enumerate(zip(_distinct(vocabulary.pieces), vocabulary.scores, strict=True))
    )
    ids = (vocabulary.unknown, vocabulary.begin, vocabulary.end, vocabulary.pad)
    trainer = _number(3, _UNIGRAM) + b"".join(_number(40 + place, one) for place, one in enumerate(ids))
    # A space before the first word, all spaces as they are, and pieces with a sign for a space.
    normalizer = _field(1, b"identity") + _number(3, 1) + _number(4, 0) + _number(5, 1)
    return b"".join(pieces) + _field(2, trainer) + _field(3, normalizer)


def _piece(piece: str, score: float, kind: int) -> bytes:
    return _field(1, piece.encode()) + _varint(2 << 3 | _FLOAT) + struct.pack("<f", score) + _number(3, kind)


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | _LENGTH) + _varint(len(content)) + content


def _number(number: int, value: int) -> bytes:
    return _varint(number << 3 | _VARINT) + _varint(value)


def _varint(value: int) -> bytes:
    """A number in Protocol Buffers: seven bits a byte, the lowest first."""
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*encoded, value])


def _distinct(pieces: Sequence[str]) -> Iterator[str]:
    """The pieces; what is empty or there twice gets a name that no text has."""
    seen: set[str] = set()
    for place, piece in enumerate(pieces):
        yield f"<unused{place}>" if not piece or piece in seen else piece
        seen.add(piece)
