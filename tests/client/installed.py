"""The client in an empty environment, as a person installs it."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

from config.stack.process import PYTHON, ROOT


def installed_client(folder: Path) -> Path:
    """Build the client's wheel and install it with pip into a new environment; the folder of its commands."""
    venv.create(folder, with_pip=True)
    build = [PYTHON, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
    subprocess.run(build, cwd=ROOT / "client", check=True, stdout=sys.stderr)
    install = [folder / "bin" / "pip", "install", "--no-index", "--quiet", *folder.glob("*.whl")]
    subprocess.run(install, check=True, stdout=sys.stderr)
    return folder / "bin"
