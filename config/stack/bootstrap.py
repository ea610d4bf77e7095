"""Create the virtual environment and install missing packages: the first step of every make target.

It runs before anything is installed, on any Python 3, so it uses only the standard library and old syntax. The
environment is created with the best interpreter found.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from config.stack.pip_wheel import install_pip

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
# What would bring dozens of packages, pytest plugins among them, is installed separately.
APART = {"--bench": ROOT / ".venv-bench", "--audit": ROOT / ".venv-audit", "--fuzz": ROOT / ".venv-fuzz"}
NAMES = ("python3.11", "python3.12", "python3.13", "python3.14", "python3", "python")
OLDEST = (3, 11)
FILES = {
    "": "requirements.txt",
    "--dev": "requirements-dev.txt",
    "--node": "requirements-node.txt",
    "--bench": "requirements-bench.txt",
    "--audit": "requirements-audit.txt",
    "--fuzz": "requirements-fuzz.txt",
}
WITH_EMBEDDED_REDIS = ((3, 11), (3, 12))


class BootstrapError(Exception):
    """An error to show to the user."""


def main(arguments: list[str]) -> int:
    """Bring the environment up to date; print nothing if it already is."""
    option = arguments[0] if arguments else ""
    venv = APART.get(option, VENV)
    try:
        with (ROOT / f"{venv.name}.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if version_of(python_of(venv)) < OLDEST:
                make_environment(venv)
            install(FILES[option], venv)
    except BootstrapError as error:
        print_progress(f"\n{error}")
        return 1
    except OSError as error:
        print_progress(f"\nThe virtual environment could not be created: {error}")
        return 1
    return 0


def print_progress(text: str) -> None:
    """Print to stderr; stdout is for results."""
    print(text, file=sys.stderr, flush=True)


def python_of(venv: Path) -> str:
    """Return the interpreter of a virtual environment."""
    return str(venv / "bin" / "python")


def version_of(python: str) -> tuple[int, ...]:
    """Return the version of an interpreter, (0,) if it does not run."""
    code = "import sys; print(*sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return (0,)
    words = done.stdout.decode().split()
    return tuple(int(word) for word in words) if done.returncode == 0 and len(words) == 2 else (0,)


def find_interpreter() -> str:
    """Return the best Python on the PATH: one with an embedded Redis, else any that is new enough."""
    found: dict[tuple[int, ...], str] = {}
    for name in (*NAMES, sys.executable):
        path = shutil.which(name)
        if path and version_of(path) >= OLDEST:
            found.setdefault(version_of(path), path)
    if not found:
        raise BootstrapError("Continuity needs Python 3.11 or newer, and none was found on the PATH.")
    version = min(found)
    if not has_redis(version):
        print_progress(
            "Note: the embedded Redis exists for Python 3.11 and 3.12 on x86_64 Linux only; here `make up` needs"
            " valkey-server or redis-server on the PATH, or REDIS_URL."
        )
    return found[version]


def has_redis(version: tuple[int, ...]) -> bool:
    """Return whether a Redis is available for this interpreter."""
    bundled = version in WITH_EMBEDDED_REDIS and sys.platform == "linux" and platform.machine() == "x86_64"
    return bundled or any(map(shutil.which, ("valkey-server", "redis-server"))) or bool(os.environ.get("REDIS_URL"))


def make_environment(venv: Path) -> None:
    """Create a virtual environment, also if the system's Python has no pip."""
    interpreter = find_interpreter()
    print_progress(f"Creating the virtual environment with {interpreter} …")
    shutil.rmtree(venv, ignore_errors=True)
    if run([interpreter, "-m", "venv", str(venv)], quiet=True) == 0:
        return
    shutil.rmtree(venv, ignore_errors=True)
    if run([interpreter, "-m", "venv", "--without-pip", str(venv)]) != 0:
        raise BootstrapError(f"{interpreter} cannot create a virtual environment.")
    print_progress("This Python comes without pip; fetching it …")
    try:
        install_pip(python_of(venv))
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        shutil.rmtree(venv, ignore_errors=True)
        raise BootstrapError(
            f"pip could not be fetched: {error}\nInstall your system's package for Python venv and try again."
        ) from None


def run(argv: list[str], quiet: bool = False) -> int:
    """Run a program with its output on stderr."""
    output = subprocess.DEVNULL if quiet else sys.stderr
    return subprocess.run(argv, stdout=output, stderr=output, cwd=ROOT, check=False).returncode


def digest(name: str) -> str:
    """Return the digest of a requirements file and those it includes."""
    text = (ROOT / name).read_text()
    return hashlib.sha256("".join([text, *map(digest, included(name))]).encode()).hexdigest()


def included(name: str) -> list[str]:
    """Return the files that a requirements file includes."""
    return [line[3:].strip() for line in (ROOT / name).read_text().splitlines() if line.startswith("-r ")]


def install(name: str, venv: Path) -> None:
    """Install a requirements file unless it was installed with the same content."""
    stamp = venv / "installed.json"
    try:
        installed = json.loads(stamp.read_text())
    except (OSError, ValueError):
        installed = {}
    if installed.get(name) == digest(name):
        return
    print_progress(f"Installing {name} …")
    pip = [python_of(venv), "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    if run([*pip, "--no-deps", "--require-hashes", "-r", name]) != 0:
        raise BootstrapError(f"pip could not install {name}; see its messages above.")
    stamp.write_text(json.dumps({**installed, **{done: digest(done) for done in (name, *included(name))}}))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
