"""Files as a person uploads them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping


def packed(files: Mapping[str, bytes]) -> bytes:
    """A zip archive of the files."""
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stored.getvalue()
