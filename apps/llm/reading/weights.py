"""The weights that were trained: of the encoder all but the embeddings of words, and the heads.

A matrix of the encoder is kept in 8 bits with a scale for each row, in which it is computed with too. The rest is kept
in 16 bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apps.llm.embedding.encoder_files import WEIGHTS
from apps.llm.embedding.weights import Rows, write_tensors
from apps.llm.reading.e5 import e5_file
from apps.llm.reading.tokenizer import TOKENIZER, sentencepiece_model

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    Array = NDArray[float32]

_ENCODER = ("encoder.", "embeddings.")
_SCALE = ".scale"
_WORDS, _TYPES = "embeddings.word_embeddings.weight", "embeddings.token_type_embeddings.weight"


def save_weights(path: Path, tensors: Mapping[str, Array]) -> None:
    """Write trained weights to a file."""
    import numpy as np  # noqa: PLC0415  # only imported in processes that read

    packed: dict[str, NDArray[Any]] = {}
    for name, values in tensors.items():
        if name.startswith(_ENCODER) and values.ndim > 1:
            scale = np.maximum(np.abs(values).max(axis=1), 1e-8) / 127
            packed[name] = np.rint(values / scale[:, None]).astype(np.int8)
            packed[name + _SCALE] = scale.astype(np.float32)
        else:
            packed[name] = values.astype(np.float16)
    np.savez_compressed(path, **packed)  # type: ignore[arg-type]  # its stub takes the names for options


def load_weights(path: Path) -> dict[str, Array]:
    """Read trained weights."""
    import numpy as np  # noqa: PLC0415  # only imported in processes that read

    with np.load(path) as packed:
        stored = {name: packed[name] for name in packed.files}
    scaled = {name: stored[name] * stored[name + _SCALE][:, None] for name in stored if name + _SCALE in stored}
    kept = {name: values.astype(np.float32) for name, values in stored.items() if not name.endswith(_SCALE)}
    return kept | scaled


def digest_of(path: Path) -> str:
    """What tells these weights from others."""
    return sha256(path.read_bytes()).hexdigest()[:12]


def load_heads(path: Path) -> dict[str, Array]:
    """Read the weights of the heads alone: those of the encoder would fill a worker, and are converted once."""
    import numpy as np  # noqa: PLC0415  # only imported in processes that read

    with np.load(path) as packed:
        names = [name for name in packed.files if not name.startswith(_ENCODER)]
        return {name: packed[name].astype(np.float32) for name in names}


def write_encoder(folder: Path, weights: Mapping[str, Array]) -> Path:
    """Write the whole encoder and its tokenizer to a folder, to be converted; return the folder."""
    import numpy as np  # noqa: PLC0415  # only imported in processes that read

    source = e5_file()
    encoder = {name: values for name, values in weights.items() if name.startswith(_ENCODER)}
    words = Rows(len(source.vocabulary.pieces), source.sizes.hidden, "float16", source.words())
    # What kind of token one is was added to the positions.
    types = np.zeros((1, source.sizes.hidden), dtype=np.float32)
    write_tensors(folder / WEIGHTS, {_WORDS: words, _TYPES: types, **encoder})
    (folder / TOKENIZER).write_bytes(sentencepiece_model(source.vocabulary))
    return folder
