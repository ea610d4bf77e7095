"""`python -m bench [name …]`: run the named benchmarks, or all of them."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys

import bench


def main(names: list[str]) -> int:
    known = sorted(found.name for found in pkgutil.iter_modules(bench.__path__) if not found.name.startswith("_"))
    if unknown := [name for name in names if name not in known]:
        print(f"There is no benchmark called {unknown[0]}; there are: {', '.join(known)}.", file=sys.stderr)
        return 2
    for name in names or known:
        measured = importlib.import_module(f"bench.{name}").measure()
        for line in [measured] if isinstance(measured, dict) else measured:
            print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
