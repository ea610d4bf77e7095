"""Token estimators of an installation, including byte-pair encodings.

The vocabularies are files, downloaded once by `manage.py vocabulary_fetch` and never during a request. An encoding
without its file falls back to the heuristic, which names the encoding in `fallback_from`.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from django.conf import settings

from apps.engine.pack.estimators import CHARACTERS, HEURISTIC, WORDS, Estimator
from apps.engine.policy import Policy

if TYPE_CHECKING:
    from tiktoken import Encoding

_log = structlog.get_logger("continuity.llm")

# Very long runs of one character class cost the encoder time and stack; each cut adds at most one token.
_LONGEST_PIECE = 20_000
_WITH_O200K = ("gpt-4o", "gpt-4.1", "gpt-5", "chatgpt-4o", "o1", "o3", "o4")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A byte-pair vocabulary; `pattern` is the regular expression that pre-tokenizes a text."""

    url: str
    sha256: str
    pattern: str

    @property
    def file(self) -> Path:
        """The file in tiktoken's cache layout."""
        name = hashlib.sha1(self.url.encode(), usedforsecurity=False).hexdigest()
        return Path(settings.VOCABULARY_ROOT) / name

    def fits(self, data: bytes) -> bool:
        """Whether the data has the expected checksum."""
        return hashlib.sha256(data).hexdigest() == self.sha256


_BASE_URL = "https://openaipublic.blob.core.windows.net/encodings/"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_SHORT_FORM = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
VOCABULARIES = {
    "cl100k_base": Vocabulary(
        _BASE_URL + "cl100k_base.tiktoken",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    ),
    "o200k_base": Vocabulary(
        _BASE_URL + "o200k_base.tiktoken",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_SHORT_FORM}|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_SHORT_FORM}"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
}


def estimator_of(policy: Policy, model: str) -> Estimator:
    """The policy's estimator for a model, uncalibrated; the heuristic if it is not available."""
    match policy.token_estimator:
        case "characters":
            return CHARACTERS
        case "words":
            return WORDS
        case "bpe":
            return _encoding_estimator(encoding_name(model))
        case _:
            return HEURISTIC


def encoding_name(model: str) -> str:
    """The encoding of a model, or the closest public one.

    >>> encoding_name("openai/gpt-4o-mini"), encoding_name("claude-sonnet-5-5")
    ('o200k_base', 'cl100k_base')
    """
    return "o200k_base" if model.rpartition("/")[2].startswith(_WITH_O200K) else "cl100k_base"


def token_counter(encoding: Encoding) -> Callable[[str], int]:
    """A function that counts the tokens of a text; special tokens in it count as plain text."""
    return partial(_count, encoding)


def _encoding_estimator(name: str) -> Estimator:
    encoding = _encoding(name)
    return Estimator(name, token_counter(encoding)) if encoding else replace(HEURISTIC, fallback_from=name)


def _count(encoding: Encoding, text: str) -> int:
    return sum(len(encoding.encode_ordinary(piece)) for piece in _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    """Split a long text, before a space if possible, as encodings do."""
    start = 0
    while len(text) - start > _LONGEST_PIECE:
        end = start + _LONGEST_PIECE
        blank = text.rfind(" ", start + 1, end)
        cut = end if blank < 0 else blank
        yield text[start:cut]
        start = cut
    yield text[start:]


def _encoding(name: str) -> Encoding | None:
    """Load an encoding. Checks the file on every call, which is cheap, so that a later download takes effect."""
    file = VOCABULARIES[name].file
    try:
        stat = file.stat()
    except OSError:
        return _loaded(name, file, None)
    return _loaded(name, file, (stat.st_mtime_ns, stat.st_size))


@lru_cache(maxsize=8)
def _loaded(name: str, file: Path, version: tuple[int, int] | None) -> Encoding | None:
    """Load, or warn, once per `version` of the file. No problem with it may stop counting."""
    try:
        return _load(name, file)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        _log.warning("tokens.fallback", wanted=name, used=HEURISTIC.name, why=why)
        return None


def _load(name: str, file: Path) -> Encoding:
    vocabulary, data = VOCABULARIES[name], file.read_bytes()
    if not vocabulary.fits(data):
        raise ValueError(f"{file} is not the vocabulary")
    from tiktoken import Encoding  # noqa: PLC0415  # costs memory and time only if configured

    lines = (line.split() for line in data.splitlines() if line)
    ranks = {base64.b64decode(token): int(rank) for token, rank in lines}
    return Encoding(name, pat_str=vocabulary.pattern, mergeable_ranks=ranks, special_tokens={})
