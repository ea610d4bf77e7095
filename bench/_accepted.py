"""The table of accepted figures in docs/benchmarks.md, rewritten by `make bench ACCEPT=1`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"
_HEAD = "| benchmark | figure | accepted | limit |\n| --- | --- | --- | --- |\n"
_BEGIN, _END = "<!-- accepted figures: made by `make bench ACCEPT=1` -->\n", "<!-- end of the accepted figures -->\n"

Line = dict[str, Any]
Row = tuple[str, str, str, str]


def accept(bench: str, lines: Iterable[Line], page: Path = PAGE) -> None:
    """Replace the rows of this benchmark by those of its judged lines."""
    before, rest = page.read_text(encoding="utf-8").split(_BEGIN)
    table, after = rest.split(_END)
    kept = [row for row in _rows_of(table) if row[0] != bench]
    rows = sorted([*kept, *_rows(bench, lines)], key=lambda row: row[0])
    page.write_text(f"{before}{_BEGIN}{_HEAD}{''.join(map(_text, rows))}{_END}{after}", encoding="utf-8")


def _rows(bench: str, lines: Iterable[Line]) -> list[Row]:
    return [
        (bench, f"{_label(line)}: {name}", f"{verdict['value']:g}", verdict["bound"])
        for line in lines
        for name, verdict in line.get("limits", {}).items()
    ]


def _label(line: Line) -> str:
    """The line's name, and what tells it from the others of its name."""
    marks = [str(line[name]) for name in ("adapter", "peer", "memories", "messages", "passages", "of") if name in line]
    return " ".join([line["bench"], *marks])


def _rows_of(table: str) -> list[Row]:
    rows = [line.strip("| \n").split(" | ") for line in table.splitlines()[2:] if line.startswith("|")]
    return [(bench, figure, value, bound) for bench, figure, value, bound in rows]


def _text(row: Row) -> str:
    return f"| {' | '.join(row)} |\n"
