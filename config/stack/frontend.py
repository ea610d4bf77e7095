"""`python -m config.stack.frontend build | check | lint | fmt | test | types`: the page in the browser.

Packages are installed, and the page is built and checked, only when what they come from has changed; installed and
built by one process at a time.
"""

from __future__ import annotations

import argparse
import fcntl
import filecmp
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from config.stack.errors import StackError
from config.stack.nodejs import Node, find_node
from config.stack.process import PYTHON, ROOT
from config.stack.services import is_marked

FOLDER = ROOT / "frontend"
MODULES = FOLDER / "node_modules"
DIST = FOLDER / "dist"
INSTALLED = MODULES / "installed.mark"
BUILT = DIST / "sources.mark"
LOCK = ROOT / ".venv" / "frontend.lock"
DESCRIPTION = "openapi.json"
MADE = {"node_modules", "dist"}
FORMAT = ("prettier", "--check", "--cache", "--cache-strategy=content", "--log-level=warn", ".")
TYPES = ("tsc", "--noEmit")
LINT = ("eslint", ".")


def build() -> None:
    """Build the page if its sources have changed."""
    with locked():
        mark = sources_mark()
        if is_marked(BUILT, mark):
            return
        node = installed()
        say("Building the page …")
        # A failed build must not leave the old page behind, to be taken for the new one.
        shutil.rmtree(DIST, ignore_errors=True)
        npm(node, FOLDER, "run", "--silent", "build")
        BUILT.write_text(mark)


def check() -> None:
    """Format and types; and whether the types of the API are those of this server."""
    with locked():
        node = installed()
    check_types(node)
    pass_once(node, "check", FORMAT, TYPES)


def lint() -> None:
    """The linter, which takes as long as all other checks."""
    with locked():
        node = installed()
    pass_once(node, "lint", LINT)


def test() -> None:
    """The page's own tests."""
    script("test")


def fmt() -> None:
    """Format, and repair what the linter can."""
    script("fmt")


def script(name: str) -> None:
    """One of the scripts in package.json."""
    with locked():
        node = installed()
    npm(node, FOLDER, "run", "--silent", name)


def pass_once(node: Node, name: str, *programs: tuple[str, ...]) -> None:
    """Run programs of the page's packages, unless they passed with the sources as they are."""
    passed, mark = MODULES / f"{name}.mark", sources_mark()
    if is_marked(passed, mark):
        return
    for program in programs:
        npm(node, FOLDER, "exec", "--no", "--", *program)
    passed.write_text(mark)


def types() -> None:
    """Write the API's description and the types that come from it."""
    with locked():
        node = installed()
        write_description(FOLDER / DESCRIPTION)
        npm(node, FOLDER, "run", "--silent", "types")


def check_types(node: Node) -> None:
    """Make description and types anew in another folder, and compare."""
    with tempfile.TemporaryDirectory(prefix="continuity-types-") as made:
        folder = Path(made)
        for file in FOLDER.iterdir():
            if file.is_file():
                shutil.copy(file, folder)
        (folder / "node_modules").symlink_to(MODULES)
        write_description(folder / DESCRIPTION)
        npm(node, folder, "run", "--silent", "types")
        fresh = [folder / DESCRIPTION, *(folder / "src").rglob("*.d.ts")]
        stale = [name for name in (file.relative_to(folder) for file in fresh) if differs(folder / name, FOLDER / name)]
    if stale:
        names = ", ".join(f"frontend/{name}" for name in stale)
        raise StackError(f"{names}: not what the server's API gives. `make types` writes them anew.")


def differs(made: Path, kept: Path) -> bool:
    """Whether a file is not the one that was made just now."""
    return not kept.exists() or not filecmp.cmp(made, kept, shallow=False)


def write_description(file: Path) -> None:
    """The OpenAPI description of this server, always in the same words."""
    argv = [PYTHON, "manage.py", "spectacular", "--settings=config.settings.mypy", "--format=openapi-json"]
    with tempfile.NamedTemporaryFile(suffix=".json") as written:
        run([*argv, "--validate", "--fail-on-warn", f"--file={written.name}"])
        file.write_text(json.dumps(json.load(written), indent=1, ensure_ascii=False) + "\n")


def installed() -> Node:
    """The Node to use, with all packages in their places."""
    node, mark = find_node(), packages_mark()
    if not is_marked(INSTALLED, mark):
        say("Installing the page's packages …")
        npm(node, FOLDER, "ci", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
        INSTALLED.write_text(mark)
    return node


def npm(node: Node, folder: Path, *arguments: str) -> None:
    """Run npm; only its exit code says whether it worked."""
    if code := node.run_npm(folder, *arguments):
        raise StackError(f"`npm {' '.join(arguments)}` in {folder} failed with exit code {code}; see above.")


def run(argv: list[str]) -> None:
    """Run a program of ours with its output on stderr."""
    if code := subprocess.run(argv, cwd=ROOT, stdout=sys.stderr, check=False).returncode:
        raise StackError(f"`{' '.join(argv)}` failed with exit code {code}; see above.")


def packages_mark() -> str:
    """What npm is to install."""
    return digest([FOLDER / "package.json", FOLDER / "package-lock.json"])


def sources_mark() -> str:
    """What the page is made of."""
    return digest(sources())


def is_current() -> bool:
    """Whether the page that is there was built from the sources that are there."""
    return is_marked(BUILT, sources_mark())


def sources() -> Iterator[Path]:
    """Everything but what is made here."""
    for folder, folders, files in os.walk(FOLDER):
        folders[:] = sorted(name for name in folders if name not in MADE)
        yield from (Path(folder) / name for name in sorted(files))


def digest(files: Iterator[Path] | list[Path]) -> str:
    """Names and contents."""
    found = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        found.update(f"{file.relative_to(FOLDER)} {len(content)}\n".encode() + content)
    return found.hexdigest()


@contextmanager
def locked() -> Iterator[None]:
    """Two at once would install and build over each other."""
    with LOCK.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another program is making the page; waiting for it …")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def say(text: str) -> None:
    """Progress goes to stderr; results alone go to stdout."""
    print(text, file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Run one of them; what goes wrong is said in words."""
    every: tuple[Callable[[], None], ...] = (build, check, lint, fmt, test, types)
    actions = {action.__name__: action for action in every}
    parser = argparse.ArgumentParser(prog="python -m config.stack.frontend", description=__doc__)
    parser.add_argument("action", choices=actions)
    try:
        actions[parser.parse_args(arguments).action]()
    except StackError as error:
        say(f"\n{error}")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
