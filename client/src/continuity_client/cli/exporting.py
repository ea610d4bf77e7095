"""`continuity export`: all that belongs to a person, in a file that `continuity import --from json` takes back."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from continuity_client.client import Client
from continuity_client.terminal import CommandError, show, show_json


def run_export(options: argparse.Namespace) -> int:
    """Write the file; an export that fails leaves none, and the old one as it was."""
    path = Path(options.path)
    if path.exists() and not options.force:
        raise CommandError(f"{path} exists. Give another name, or replace it with --force.")
    partial = path.with_name(f"{path.name}.part")
    try:
        lines = _write(Client(), partial)
        partial.replace(path)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}.") from None
    finally:
        partial.unlink(missing_ok=True)
    if options.json:
        show_json({"path": str(path), "lines": lines, "bytes": path.stat().st_size})
    else:
        show(f"{lines:,} lines in {path}. `continuity import --from json {path}` takes them back.")
    return 0


def _write(client: Client, path: Path) -> int:
    lines = 0
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        for piece in client.export():
            file.write(piece)
            lines += piece.count(b"\n")
    return lines
