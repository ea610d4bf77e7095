"""`python -m tests.only PART`: run the tests of one part of the code; what `make test ONLY=…` calls.

A folder or file of the code (`apps/memory`, `config/env.py`) is tested by what mirrors it under `tests`, or else by
what mirrors its nearest parent, and by its doctests; a path under `tests` or `docs` is run as it is; `frontend` means
the page's own tests, and `changed` the tests of what differs from the main branch (`tests/suite/changed.py`).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from config.stack import frontend
from config.stack.process import ROOT
from tests.suite.changed import changed_files, paths_of_changes

MIRRORED = ("apps", "config")
AS_THEY_ARE = ("tests", "docs")


class UnknownPart(Exception):
    """No test belongs to the path."""


def main(arguments: list[str]) -> int:
    part, *options = arguments
    if part.strip("/") == "frontend":
        return frontend.main(["test"])
    try:
        paths = paths_of_changes(changed_files()) if part == "changed" else paths_of(part)
    except UnknownPart as error:
        print(error, file=sys.stderr)
        return 2
    if not paths:
        print("No test depends on what has changed.", file=sys.stderr)
        return 0
    print("pytest", *paths, file=sys.stderr)
    return subprocess.run([sys.executable, "-m", "pytest", *options, *paths], cwd=ROOT, check=False).returncode


def paths_of(part: str, root: Path = ROOT) -> list[str]:
    """What pytest runs for one part of the code.

    >>> paths_of("apps/memory/")
    ['tests/memory', 'apps/memory']
    >>> paths_of("tests/memory/test_find.py")
    ['tests/memory/test_find.py']
    """
    path = Path(part)
    if path.is_absolute() or ".." in path.parts or not (root / path).exists():
        raise UnknownPart(f"{part}: there is no such path. Name one of this repository, as apps/memory.")
    if path.parts and path.parts[0] in AS_THEY_ARE:
        return [str(path)]
    if len(path.parts) > 1 and path.parts[0] == MIRRORED[0]:
        return [mirror_of(path.relative_to("apps"), part, root), str(path)]
    if path.parts and path.parts[0] in MIRRORED:
        return [mirror_of(path, part, root)]
    raise UnknownPart(f"{part}: name a path in {', '.join((*MIRRORED, *AS_THEY_ARE))}, or frontend.")


def mirror_of(path: Path, part: str, root: Path) -> str:
    """The test of a file, or the nearest folder of tests above it."""
    own = path.parent / f"test_{path.stem}.py"
    for mirror in (own, path, *path.parents):
        if mirror.parts and (root / "tests" / mirror).exists():
            return str(Path("tests") / mirror)
    raise UnknownPart(f"{part}: there are no tests of it under tests.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
