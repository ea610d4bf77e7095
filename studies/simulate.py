"""`make simulate`: frequency and effect of compaction in different kinds of conversations."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from apps.engine.policy import Policy
from studies.engine.simulation import STREAMS, Outcome, simulate

HEADER = ("stream", "turns", "messages", "tokens", "runs", "runs/turn", "compacted/run", "most live", "live at the end")


def row(name: str, outcome: Outcome) -> tuple[str, ...]:
    numbers = (outcome.turns, outcome.messages, outcome.tokens, len(outcome.run_tokens))
    ends = (outcome.compacted_per_run, outcome.highest, outcome.live)
    return (name, *(f"{n:,}" for n in numbers), f"{outcome.runs_per_turn:.2f}", *(f"{n:,.0f}" for n in ends))


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Format a table with left-aligned names and right-aligned numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(columns, widths) for columns in rows)


def _line(columns: Sequence[str], widths: Sequence[int]) -> str:
    name, *numbers = columns
    return "  ".join([name.ljust(widths[0]), *(n.rjust(width) for n, width in zip(numbers, widths[1:], strict=True))])


def main() -> int:
    rows = [row(name, simulate(turns, Policy())) for name, turns in STREAMS.items()]
    sys.stdout.write(table([HEADER, *rows]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
