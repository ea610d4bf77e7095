"""`make demo-memory FILE=…`: the memories that the product makes from a recorded conversation, without any model.

The first conversation of the file (LoCoMo) is imported into a workspace of its own and read by the product's job, then
read again from its beginning, then imported once more under other ids.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from bench._in_process_stack import product
from studies.samples import file_named
from studies.simulate import table

_WIDTH = 100


def main(arguments: Sequence[str]) -> int:
    path = file_named("demo-memory", arguments)
    sample = json.loads(path.read_text())[0]
    with product():
        # It imports models, so Django must be set up first.
        report = import_module("studies.demo_memory_harness").read_sample(sample)
    print(samples_table(report.samples))
    print(json.dumps(report.numbers()))
    return 0


def samples_table(samples: Sequence[Mapping[str, Any]]) -> str:
    """A table of memories with the messages that they come from."""
    rows = [("memory", "content", "source")]
    for sample in samples:
        lines = sample["content"].splitlines()
        rows += [
            (sample["uri"] if place == 0 else "", _cut(text), _cut(source))
            for place, (text, source) in enumerate(_paired(lines, sample["sources"]))
        ]
    return table(rows)


def _paired(lines: Sequence[str], sources: Sequence[str]) -> list[tuple[str, str]]:
    length = max(len(lines), len(sources))
    one, other = ([*texts, *[""] * (length - len(texts))] for texts in (lines, sources))
    return list(zip(one, other, strict=True))


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
