"""The comparison of benchmark lines with their limits, and what the command prints and returns."""

from __future__ import annotations

import importlib
import json
import pkgutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import bench
from bench import __main__ as command
from bench import _accepted
from bench._limits import FILE, Limit, UnknownFigure, judged, limits, over, unmet

FIND = Limit("http", "find_p50_ms", per="floor_p50_ms", at_most=20)
RECALL = Limit("find", "recall_at_10", where={"memories": 100}, at_least=0.99)


def run(monkeypatch: pytest.MonkeyPatch, measure: Any, *of_bench: Limit) -> int:
    """Run the command with one benchmark that measures so."""
    monkeypatch.setattr(command, "limits", lambda _: list(of_bench))
    monkeypatch.setattr(importlib, "import_module", lambda _: SimpleNamespace(measure=measure))
    return command.main(["http"])


def test_a_ratio_over_its_limit_is_found_whatever_the_machines_speed() -> None:
    slow, fast = ({"bench": "http", "find_p50_ms": 20.0 * ms, "floor_p50_ms": ms} for ms in (9.0, 0.4))
    assert over(judged(slow, [FIND])) == over(judged(fast, [FIND])) == []
    assert over(judged({**slow, "find_p50_ms": 181.0}, [FIND])) == ["find_p50_ms / floor_p50_ms"]


def test_a_figure_that_is_no_number_keeps_no_limit() -> None:
    assert not FIND.allows(float("nan"))
    assert not RECALL.allows(float("nan"))


def test_a_limit_of_one_size_leaves_the_other_lines_alone() -> None:
    assert over(judged({"bench": "find", "memories": 100, "recall_at_10": 0.5}, [RECALL])) == ["recall_at_10"]
    assert "limits" not in judged({"bench": "find", "memories": 999, "recall_at_10": 0.5}, [RECALL])


def test_a_misspelled_figure_is_an_error_and_not_a_limit_that_is_always_kept() -> None:
    with pytest.raises(UnknownFigure, match="floor_p50_ms"):
        judged({"bench": "http", "find_p50_ms": 3.0}, [FIND])


def test_a_limit_without_a_line_is_reported() -> None:
    assert list(unmet([{"bench": "find", "memories": 999}], [RECALL])) == [RECALL]


@pytest.mark.parametrize("bounds", [{}, {"at_most": 1.0, "at_least": 1.0}])
def test_a_limit_has_one_bound(bounds: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="needs either"):
        Limit("http", "find_p50_ms", **bounds)  # type: ignore[arg-type]  # the bounds alone are meant


def test_every_benchmark_has_a_limit_and_every_limit_a_benchmark() -> None:
    benches = {found.name for found in pkgutil.iter_modules(bench.__path__) if not found.name.startswith("_")}
    assert set(tomllib.loads(FILE.read_text(encoding="utf-8"))) == benches
    assert all(limits(name) for name in benches)


def test_the_command_fails_and_names_what_is_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, lambda: {"bench": "http", "find_p50_ms": 30.0, "floor_p50_ms": 1.0}, FIND) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["limits"]["find_p50_ms / floor_p50_ms"] == {
        "value": 30.0,
        "bound": "≤ 20",
        "ok": False,
    }
    assert "find_p50_ms / floor_p50_ms of http is 30, and must be ≤ 20." in printed.err


def test_the_command_succeeds_within_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, lambda: {"bench": "http", "find_p50_ms": 9.0, "floor_p50_ms": 1.0}, FIND) == 0


def test_a_benchmark_that_dies_says_what_died(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def measure() -> Iterator[dict[str, Any]]:
        yield {"bench": "http_call", "p50_ms": 1.0}
        raise ConnectionError("the server closed the connection")

    assert run(monkeypatch, measure) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[-1] == {"bench": "http", "died": "ConnectionError: the server closed the connection"}


def test_accepted_figures_replace_those_of_their_benchmark_only(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text(f"# Benchmarks\n\n{_accepted._BEGIN}{_accepted._END}\nMore.\n", encoding="utf-8")
    line = judged({"bench": "http", "find_p50_ms": 9.0, "floor_p50_ms": 1.0}, [FIND])
    found = judged({"bench": "find", "memories": 100, "recall_at_10": 1.0}, [RECALL])
    _accepted.accept("http", [line], page)
    _accepted.accept("find", [found], page)
    _accepted.accept("http", [judged({**line, "find_p50_ms": 8.0}, [FIND])], page)
    text = page.read_text(encoding="utf-8")
    assert "| find | find 100: recall_at_10 | 1 | ≥ 0.99 |" in text
    assert "| http | http: find_p50_ms / floor_p50_ms | 8 | ≤ 20 |" in text
    assert (text.count("| http |"), text.endswith("\nMore.\n")) == (1, True)
