"""`python -m config.stack.uv …`: run uv at the version of uv.lock; where the PATH has none, pip installs it into .uv.

It runs before anything is installed, on any Python 3, so it uses only the standard library and old syntax.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "uv.lock"
OURS = ROOT / ".uv"


def uv() -> str:
    """Return the program; fetch it if needed."""
    version, program = locked("uv")[0], str(OURS / "bin" / "uv")
    for found in (shutil.which("uv"), program):
        if found and version_of(found) == version:
            return found
    fetch()
    return program


def locked(package: str) -> tuple[str, list[str], list[str]]:
    """Return the version, addresses and hashes of a package in uv.lock; old Pythons have no parser of TOML."""
    pattern = rf'^\[\[package\]\]\nname = "{package}"\nversion = "([^"]+)"\n(.*?)^$'
    found = re.search(pattern, LOCK.read_text(), re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(f"uv.lock has no {package}.")
    return found[1], re.findall(r'url = "([^"]+)"', found[2]), re.findall(r'hash = "([^"]+)"', found[2])


def version_of(program: str) -> str:
    """Return the version of a uv, nothing if it does not run."""
    try:
        words = subprocess.run([program, "--version"], stdout=subprocess.PIPE, check=False).stdout.split()
    except OSError:
        return ""
    return words[1].decode() if len(words) > 1 else ""


def fetch() -> None:
    """Install uv with pip, whose settings name indexes and certificates."""
    version, _, hashes = locked("uv")
    print(f"Fetching uv {version} …", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder) / "pinned.txt"
        pinned.write_text(" ".join([f"uv=={version}", *(f"--hash={one}" for one in hashes)]))
        argv = ["install", "--quiet", "--quiet", "--disable-pip-version-check", "--upgrade", "--target", str(OURS)]
        quiet = {**os.environ, "PIP_ROOT_USER_ACTION": "ignore"}
        subprocess.run([*pip(folder), *argv, "--require-hashes", "-r", str(pinned)], env=quiet, check=True)


def pip(folder: str) -> list[str]:
    """Return the command of this Python's pip; fetch pip into the folder where Python has none, as on Debian."""
    command, quiet = [sys.executable, "-m", "pip"], subprocess.DEVNULL
    if subprocess.run([*command, "--version"], stdout=quiet, stderr=quiet, check=False).returncode == 0:
        return command
    _, addresses, hashes = locked("pip")
    address = addresses[-1]
    with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 - an https address of uv.lock
        content = answer.read()
    if f"sha256:{hashlib.sha256(content).hexdigest()}" != hashes[-1]:
        raise ValueError(f"{address} is not the file it should be.")
    wheel = Path(folder) / address.rpartition("/")[2]
    wheel.write_bytes(content)
    return [sys.executable, f"{wheel}/pip"]


def environment() -> dict[str, str]:
    """Return our environment for uv: the system's certificates, as pip uses them, and no Python but what is there."""
    kept = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    return {"UV_SYSTEM_CERTS": "1", "UV_PYTHON_DOWNLOADS": "never", **kept}


def index_options() -> list[str]:
    """Return options of uv that name the index of pip's settings, unless uv has one of its own."""
    if os.environ.get("UV_DEFAULT_INDEX"):
        return []
    asked = [sys.executable, "-m", "pip", "config", "list"]
    done = subprocess.run(asked, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    settings = dict(re.findall(r"^(\S+)\.index-url='([^']+)'$", done.stdout.decode(), re.MULTILINE))
    found = [settings[place] for place in (":env:", "install", "global") if place in settings]
    return ["--default-index", found[0]] if found else []


if __name__ == "__main__":
    sys.exit(subprocess.run([uv(), *sys.argv[1:]], env=environment(), cwd=ROOT, check=False).returncode)
