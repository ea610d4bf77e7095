"""`make acceptance [FOLDER=…]`: what is kept of planted facts in summaries and packs, and of memories in searches.

The folder has conversations `NAME.jsonl` with the facts planted in them, `NAME.facts.json`, and `memories.json`. Each
conversation is imported into a workspace of its own, indexed and compacted by the product's jobs. Each fact's question
becomes the hypothetical next message of a pack, and each memory's question a search. No model is called.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from bench._in_process_stack import product
from studies.engine.retention import FindRetention, PackRetention, SummaryRetention, mean_of
from studies.simulate import table

BUDGETS = (4_000, 8_000, 12_000)
DEPTHS = (3, 5)


@dataclass(slots=True)
class Findings:
    """Counts over all conversations of the folder."""

    summary: SummaryRetention = field(default_factory=SummaryRetention)
    packs: dict[int, PackRetention] = field(default_factory=lambda: {budget: PackRetention() for budget in BUDGETS})
    found: FindRetention = field(default_factory=FindRetention)
    searched: FindRetention = field(default_factory=FindRetention)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="acceptance")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--verbose", action="store_true", help="list what is missing, and the junk")
    options = parser.parse_args(arguments)
    if not (options.folder / "memories.json").is_file():
        parser.error(f"There is no file memories.json in {options.folder}.")
    with product():
        # It imports models, so Django must be set up first.
        findings = measured(import_module("studies.acceptance_harness"), options.folder)
    if options.verbose:
        print(details(findings), file=sys.stderr)
    print(report(findings))
    print(json.dumps(numbers(findings), ensure_ascii=False))
    return 0


def measured(harness: Any, folder: Path) -> Findings:
    findings = Findings()
    for conversation in harness.planted_conversations(folder):
        findings.summary.note(conversation.facts, conversation.summary_lines())
        for budget, packs in findings.packs.items():
            conversation.note_packs(budget, packs)
    findings.found, findings.searched = harness.memory_ranks(folder)
    return findings


def numbers(findings: Findings) -> dict[str, Any]:
    packs = {_k(budget): one for budget, one in findings.packs.items()}
    return {
        **findings.summary.numbers(),
        **{f"pack_facts_{at}": one.in_pack for at, one in packs.items()},
        **{f"window_facts_{at}": one.in_window for at, one in packs.items()},
        **{f"fill_{at}": mean_of(one.fills) for at, one in packs.items()},
        **{f"find_at_{depth}": findings.found.within(depth) for depth in DEPTHS},
        **{f"search_at_{depth}": findings.searched.within(depth) for depth in DEPTHS},
        "find_by_kind": findings.found.by_kind(DEPTHS[0]),
    }


def report(findings: Findings) -> str:
    summary, found = findings.summary, findings.found
    rows = [
        ("measured", "value"),
        ("facts in the summary", f"{summary.included} of {summary.facts}"),
        ("  of those without a cue", f"{summary.uncued_included} of {summary.uncued}"),
        ("reversals right", f"{summary.reversals_right} of {summary.reversals}"),
        ("overturned statements left", f"{summary.overturned_left}"),
        ("junk lines", f"{len(summary.junk)} of {summary.lines}"),
        *(
            (f"memories within {depth} by {name}", f"{one.within(depth)} of {len(one.ranks)}")
            for name, one in (("find", found), ("search", findings.searched))
            for depth in DEPTHS
        ),
    ]
    packs = [
        (f"{budget:,}", *(f"{count} of {one.questions}" for count in (one.in_pack, one.in_window)), _percent(one))
        for budget, one in findings.packs.items()
    ]
    return f"{table(rows)}\n\n{table([('budget', 'in the pack', 'in the window', 'filled'), *packs])}"


def details(findings: Findings) -> str:
    sections = {
        "Not in the summary": findings.summary.missed,
        "Junk in the summary": findings.summary.junk,
        **{f"Not in the pack of {budget:,}": one.missed for budget, one in findings.packs.items()},
    }
    return "\n".join(line for title, texts in sections.items() for line in (f"{title}:", *(f"  {t}" for t in texts)))


def _percent(packs: PackRetention) -> str:
    filled = mean_of(packs.fills)
    return "–" if filled is None else f"{100 * filled:.0f} %"


def _k(budget: int) -> str:
    return f"{budget // 1_000}k"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
