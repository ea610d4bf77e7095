"""Encoders converted for CTranslate2: each is written once for an installation, and read by all its processes.

A folder has the model and its tokenizer. Its name says what it is made of, so that another version of the weights or of
CTranslate2 has a folder of its own. `manage.py encoders_convert` writes those of the product when its environment is
made; any other is written on first use.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog
from django.conf import settings

from apps.llm.embedding.encoder_specs import Architecture, encoder_spec
from apps.llm.embedding.weights import memory_mapped, package_folder
from apps.llm.errors import ModelError

WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
_log = structlog.get_logger("continuity.llm")


def _words(tokenizer: Path) -> list[str]:
    """The vocabulary in the order of its ids; a tokenizer has an id for each word, or pairs of a word and its score."""
    words = json.loads(tokenizer.read_bytes())["model"]["vocab"]
    return sorted(words, key=words.__getitem__) if isinstance(words, dict) else [word for word, _ in words]


@dataclass(frozen=True, slots=True)
class EncoderSource:
    """The weights of an encoder, in an installed package of the group `name`.

    `files` returns a folder with the weights and the tokenizer; it may write them to the folder that it is given.
    `revision` names what of them is not in the package, `tokenizer` is the tokenizer's file, of which `words` returns
    the vocabulary.
    """

    name: str
    package: str
    architecture: Architecture
    files: Callable[[Path], Path]
    longest_tokens: int
    unknown_token: str = "[UNK]"
    revision: str = ""
    tokenizer: str = TOKENIZER
    words: Callable[[Path], list[str]] = _words

    @property
    def key(self) -> str:
        """What tells it from the other encoders of a process."""
        return f"{self.name} {self.revision}"

    def check(self) -> None:
        """Raise `ModelError` if the package is missing."""
        package_folder(self.package, self.name)


def converted(source: EncoderSource, *, again: bool = False) -> Path:
    """Return the folder of the converted encoder; write it first if it does not exist, or `again`.

    Raises `ModelError` if it cannot be written.
    """
    folder = Path(settings.ENCODER_ROOT) / encoder_key(source)
    existing = [one for one in (folder, Path(settings.PREPARED_ENCODERS) / folder.name) if one.exists()]
    if existing and not again:
        return existing[0]
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _one_at_a_time(folder.parent):
            if again or not folder.exists():
                _convert(source, folder)
    except OSError as error:
        detail = f"The embedding model {source.name} cannot be written to {folder.parent}: {error.strerror}."
        raise ModelError("not_configured", detail) from error
    return folder


def encoder_key(source: EncoderSource) -> str:
    """The name of its folder."""
    distribution = source.package.replace("_", "-")
    weights = f"{version(distribution)}{source.revision and '-'}{source.revision}"
    return f"{source.name}-{weights}-int8-ctranslate2-{version('ctranslate2')}"


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    """Lock out other processes that want to convert: they wait for the result."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _convert(source: EncoderSource, folder: Path) -> None:
    """Write the folder, or replace it; it appears complete or not at all, also after a power failure."""
    with TemporaryDirectory(dir=folder.parent, prefix="incomplete-") as temporary:
        written = Path(temporary) / "written"
        written.mkdir()
        files = source.files(Path(temporary))
        spec = encoder_spec(memory_mapped(files / WEIGHTS), source.architecture, source.words(files / source.tokenizer))
        spec.save(str(written))
        shutil.copyfile(files / source.tokenizer, written / source.tokenizer)
        _flush(*written.iterdir(), written)
        if folder.exists():
            folder.rename(Path(temporary) / "replaced")
        written.rename(folder)
        _flush(folder.parent)
    _log.info("encoder_converted", folder=folder.name)


def _flush(*paths: Path) -> None:
    """Wait until files or folders are on the disk."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
