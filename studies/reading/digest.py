"""The digest of all that a training and its chances are made from: the material and the code that reads it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from studies.reading import material

HERE = Path(__file__).parent
APPS = HERE.parents[1] / "apps"
CODE = (
    *(HERE / f"{name}.py" for name in ("examples", "folds", "material", "network", "parts", "train")),
    *sorted((APPS / "llm" / "reading").glob("*.py")),
    *(APPS / "engine" / "reading" / f"{name}.py" for name in ("labels", "spans")),
)


def digest(*settings: object) -> str:
    """Of material, code and the settings of a training."""
    found = sha256(material.digest().encode())
    for file in CODE:
        found.update(file.read_bytes())
    found.update(repr(settings).encode())
    return found.hexdigest()[:16]
