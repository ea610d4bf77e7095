"""Architecture rules that no linter has. A failure names the offending module."""

from __future__ import annotations

import ast
import re
import statistics
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST_FILE = 400
LONGEST_FUNCTION = 40
MEDIAN_FUNCTION = 9
P90_FUNCTION = 32
LINES_OF_A_ROOM, MODULES_OF_A_ROOM = 8_000, 90
SUBJECTS_ARE_FOLDERS = ("engine", "api")
"""Apps whose folders are the rooms: the subjects of the engine, and the API's mirror of the apps."""
STILL_LARGER = {"apps/memory", "apps/llm"}
"""Rooms that have several subjects."""
FILES_IN_A_PACKAGE = 20
JUNK_DRAWERS = {"utils", "helpers", "lib", "misc", "utils.py", "helpers.py", "misc.py"}


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts and "node_modules" not in path.parts:
                yield path


def functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", node.end_lineno - node.lineno + 1


def lengths() -> list[int]:
    return sorted(length for path in sources("apps", "client") for _, length in functions(path))


def matches(pattern: str, *folders: str) -> list[str]:
    found = re.compile(pattern, re.MULTILINE)
    return [str(path.relative_to(ROOT)) for path in sources(*folders) if found.search(path.read_text("utf-8"))]


def test_no_file_is_longer_than_a_person_can_hold_in_the_head() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in sources("apps", "client", "config", "tests")
        if (count := len(path.read_text("utf-8").splitlines())) > LONGEST_FILE
    }
    assert not long


def test_no_package_has_more_files_than_a_newcomer_can_scan() -> None:
    """With more files, the place to change can't be found by name."""
    counts = Counter(
        str(path.parent.relative_to(ROOT))
        for path in sources("apps", "client", "config", "bench", "studies")
        if path.name != "__init__.py"
    )
    assert not {folder: count for folder, count in counts.items() if count > FILES_IN_A_PACKAGE}


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        where
        for path in sources("apps", "client", "config")
        for where in functions(path)
        if where[1] > LONGEST_FUNCTION
    ]
    assert not long


def test_the_usual_function_is_short() -> None:
    assert statistics.median(lengths()) <= MEDIAN_FUNCTION


def test_nine_functions_of_ten_are_not_long() -> None:
    every = lengths()
    assert every[int(len(every) * 0.9)] <= P90_FUNCTION


def test_a_room_has_one_subject_that_a_person_can_know() -> None:
    """Eight thousand lines and ninety modules; one that has outgrown them is divided by its subjects."""
    larger = {str(room.relative_to(ROOT)) for room in rooms() if is_large(room)}
    assert larger == STILL_LARGER


def rooms() -> Iterator[Path]:
    for app in sorted((ROOT / "apps").iterdir()):
        if app.is_dir():
            yield from (one for one in app.iterdir() if one.is_dir()) if app.name in SUBJECTS_ARE_FOLDERS else [app]


def is_large(room: Path) -> bool:
    modules = [path for path in sources(str(room.relative_to(ROOT))) if path.name != "__init__.py"]
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in modules)
    return lines > LINES_OF_A_ROOM or len(modules) > MODULES_OF_A_ROOM


def test_there_is_no_junk_drawer() -> None:
    assert not [
        str(path) for path in sources("apps", "client", "config") if JUNK_DRAWERS & set(path.relative_to(ROOT).parts)
    ]


def test_no_control_flow_hides_in_signals() -> None:
    assert not matches(r"^\s*@receiver\b|django\.(dispatch|db\.models\.signals)", "apps", "config")
    assert not [str(path) for path in sources("apps") if path.name == "signals.py"]


def test_the_edges_never_touch_tables() -> None:
    assert not matches(r"\bobjects\.", "apps/api", "apps/realtime")


def test_only_the_configuration_reads_the_environment() -> None:
    assert not matches(r"\bos\.(environ|getenv)\b", "apps")


def test_no_work_carries_a_time_in_celery() -> None:
    assert not matches(r"\b(countdown|eta)\s*=|apply_async|self\.retry\(|task_always_eager", "apps", "config")


def test_the_engine_has_no_clock_and_no_chance() -> None:
    assert not matches(r"^\s*(import|from) (random|secrets|time|os|socket|uuid|pathlib)\b", "apps/engine")
    # The engine may calculate with dates and times; the current ones are parameters.
    assert not matches(r"^\s*import datetime|\.(today|now|utcnow|fromtimestamp)\(", "apps/engine")
    assert not matches(
        r"^from datetime import (?!(UTC|date|datetime|timedelta)(, (date|datetime|timedelta))*$)", "apps/engine"
    )


def test_every_package_has_a_docstring() -> None:
    rooms = [path / "__init__.py" for path in (ROOT / "apps").iterdir() if path.is_dir() and path.name[0] != "_"]
    assert not [str(room) for room in rooms if not ast.get_docstring(ast.parse(room.read_text("utf-8")))]
