"""The files of local models: packages of which only the data is used.

Weights are memory-mapped, so that all processes share one copy of the pages that they read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apps.llm.errors import ModelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TYPES = {"F32": "float32", "F16": "float16", "I64": "int64"}


def package_folder(name: str, group: str) -> Path:
    """The folder of an installed package; raises `ModelError` with the command that installs its group of packages."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        command = f".venv/bin/python -m config.stack.packages {group}"
        raise ModelError("not_configured", f"The package {name} with the weights is not installed. Run: {command}")
    return Path(spec.origin).parent


def memory_mapped(path: Path) -> Mapping[str, NDArray[Any]]:
    """The file's tensors by name, read-only.

    The file begins with the length of a JSON header in 8 bytes. The header has each tensor's type, its shape, and
    its offsets from the header's end.
    """
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    content = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
    end = 8 + int.from_bytes(content[:8].tobytes(), "little")
    header = json.loads(content[8:end].tobytes())
    data = content[end:]

    def tensor(about: Mapping[str, Any]) -> NDArray[Any]:
        begin, past = about["data_offsets"]
        return data[begin:past].view(_TYPES[about["dtype"]]).reshape(about["shape"])

    return {name: tensor(about) for name, about in header.items() if name != "__metadata__"}


@dataclass(frozen=True)
class Rows:
    """A matrix that is too large to be in memory at once: some rows after the other."""

    count: int
    columns: int
    dtype: str
    parts: Iterable[NDArray[Any]]


def write_tensors(path: Path, tensors: Mapping[str, NDArray[Any] | Rows]) -> None:
    """Write tensors in the form that `memory_mapped` reads."""
    import numpy as np  # noqa: PLC0415  # only imported in processes that embed

    kinds = {kind: name for name, kind in _TYPES.items()}
    header, offset = {}, 0
    for name, values in tensors.items():
        sizes = (values.count, values.columns) if isinstance(values, Rows) else values.shape
        past = offset + prod(sizes) * np.dtype(values.dtype).itemsize
        header[name] = {"dtype": kinds[str(values.dtype)], "shape": sizes, "data_offsets": (offset, past)}
        offset = past
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for values in tensors.values():
            for part in values.parts if isinstance(values, Rows) else [values]:
                file.write(part.data)
