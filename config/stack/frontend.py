"""`python -m config.stack.frontend build | check | lint | fmt | test | types`: tasks of the web app.

Packages are installed, and the app is built and checked, only if their sources changed. A lock lets one process install
and build at a time.
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
from config.stack.services import has_fingerprint

FOLDER = ROOT / "frontend"
MODULES = FOLDER / "node_modules"
DIST = FOLDER / "dist"
INSTALLED = MODULES / "installed.mark"
BUILT = DIST / "sources.mark"
LOCK = ROOT / ".venv" / "frontend.lock"
DESCRIPTION = "openapi.json"
GENERATED = {"node_modules", "dist"}
FORMAT = ("prettier", "--check", "--cache", "--cache-strategy=content", "--log-level=warn", ".")
TYPES = ("tsc", "--noEmit")
SDK_TYPES = (*TYPES, "--project", "../client/typescript", "--typeRoots", "node_modules/@types")
LINT = ("eslint", ".")


def build() -> None:
    """Build the app if its sources have changed."""
    with locked():
        fingerprint = sources_fingerprint()
        if has_fingerprint(BUILT, fingerprint):
            return
        node = installed()
        print_progress("Building the web app …")
        # A failed build must not leave the old app behind.
        shutil.rmtree(DIST, ignore_errors=True)
        npm(node, FOLDER, "run", "--silent", "build")
        BUILT.write_text(fingerprint)


def check() -> None:
    """Check format, types, those of the SDK's adapter too, and that the generated API types are current."""
    with locked():
        node = installed()
    check_types(node)
    pass_once(node, "check", FORMAT, TYPES)
    npm(node, FOLDER, "exec", "--no", "--", *SDK_TYPES)


def lint() -> None:
    """Run the linter, which takes as long as all other checks."""
    with locked():
        node = installed()
    pass_once(node, "lint", LINT)


def test() -> None:
    """Run the app's tests."""
    script("test")


def audit() -> None:
    """Look for known vulnerabilities of the packages."""
    with locked():
        node = installed()
    npm(node, FOLDER, "audit")


def fmt() -> None:
    """Format, and fix what the linter can fix."""
    script("fmt")


def script(name: str) -> None:
    """Run a script of package.json."""
    with locked():
        node = installed()
    npm(node, FOLDER, "run", "--silent", name)


def pass_once(node: Node, name: str, *programs: tuple[str, ...]) -> None:
    """Run programs of the app's packages, unless they passed with the same sources."""
    passed, fingerprint = MODULES / f"{name}.mark", sources_fingerprint()
    if has_fingerprint(passed, fingerprint):
        return
    for program in programs:
        npm(node, FOLDER, "exec", "--no", "--", *program)
    passed.write_text(fingerprint)


def types() -> None:
    """Regenerate the OpenAPI description and the types derived from it."""
    with locked():
        node = installed()
        write_description(FOLDER / DESCRIPTION)
        npm(node, FOLDER, "run", "--silent", "types")


def check_types(node: Node) -> None:
    """Generate description and types in a temporary folder, and compare."""
    with tempfile.TemporaryDirectory(prefix="continuity-types-") as temporary:
        folder = Path(temporary)
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
        raise StackError(f"{names}: out of date with the server's API. `make types` regenerates them.")


def differs(generated: Path, committed: Path) -> bool:
    """Return whether the committed file differs from the generated one."""
    return not committed.exists() or not filecmp.cmp(generated, committed, shallow=False)


def write_description(file: Path) -> None:
    """Write this server's OpenAPI description in a deterministic form."""
    argv = [PYTHON, "manage.py", "spectacular", "--settings=config.settings.mypy", "--format=openapi-json"]
    with tempfile.NamedTemporaryFile(suffix=".json") as written:
        run([*argv, "--validate", "--fail-on-warn", f"--file={written.name}"])
        file.write_text(json.dumps(json.load(written), indent=1, ensure_ascii=False) + "\n")


def installed() -> Node:
    """Return the Node to use; install the packages if needed."""
    node, fingerprint = find_node(), packages_fingerprint()
    if not has_fingerprint(INSTALLED, fingerprint):
        print_progress("Installing the web app's packages …")
        npm(node, FOLDER, "ci", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
        INSTALLED.write_text(fingerprint)
    return node


def npm(node: Node, folder: Path, *arguments: str) -> None:
    """Run npm; raise `StackError` if it fails."""
    if code := node.run_npm(folder, *arguments):
        raise StackError(f"`npm {' '.join(arguments)}` in {folder} failed with exit code {code}; see above.")


def run(argv: list[str]) -> None:
    """Run one of our programs with its output on stderr."""
    if code := subprocess.run(argv, cwd=ROOT, stdout=sys.stderr, check=False).returncode:
        raise StackError(f"`{' '.join(argv)}` failed with exit code {code}; see above.")


def packages_fingerprint() -> str:
    """Return the digest of package.json and its lock file."""
    return digest([FOLDER / "package.json", FOLDER / "package-lock.json"])


def sources_fingerprint() -> str:
    """Return the digest of all sources."""
    return digest(sources())


def is_current() -> bool:
    """Return whether the build was made from the present sources."""
    return has_fingerprint(BUILT, sources_fingerprint())


def sources() -> Iterator[Path]:
    """Yield all files except generated ones."""
    for folder, folders, files in os.walk(FOLDER):
        folders[:] = sorted(name for name in folders if name not in GENERATED)
        yield from (Path(folder) / name for name in sorted(files))


def digest(files: Iterator[Path] | list[Path]) -> str:
    """Return the SHA-256 of names and contents."""
    total = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        total.update(f"{file.relative_to(FOLDER)} {len(content)}\n".encode() + content)
    return total.hexdigest()


@contextmanager
def locked() -> Iterator[None]:
    """Wait for other processes that install or build."""
    with LOCK.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print_progress("Another process is building the web app; waiting for it …")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def print_progress(text: str) -> None:
    """Print to stderr; stdout is for results."""
    print(text, file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Run one task; print errors as sentences."""
    tasks: tuple[Callable[[], None], ...] = (audit, build, check, lint, fmt, test, types)
    actions = {action.__name__: action for action in tasks}
    parser = argparse.ArgumentParser(prog="python -m config.stack.frontend", description=__doc__)
    parser.add_argument("action", choices=actions)
    try:
        actions[parser.parse_args(arguments).action]()
    except StackError as error:
        print_progress(f"\n{error}")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
