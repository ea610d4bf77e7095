"""Archives among uploaded files: unpacked once, within limits that no number of archives gets around."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest

from apps.common.errors import Unprocessable
from apps.transfer.files import archives, uploads
from apps.transfer.files.archives import archives_unpack
from apps.transfer.files.uploads import files_below
from tests.transfer.uploads import packed

MEMORY = b"Use tabs in Makefiles."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "-"
    made.mkdir()
    return made


def test_many_files_of_one_name_cost_a_look_each(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Path] = []
    is_taken = uploads.FreePaths._is_taken

    def counted(paths: uploads.FreePaths, path: Path) -> bool:
        looks.append(path)
        return is_taken(paths, path)

    monkeypatch.setattr(uploads.FreePaths, "_is_taken", counted)
    same = {f"{'./' * number}notes.md": b"" for number in range(300)}
    (folder / "many.zip").write_bytes(packed(same))
    archives_unpack(folder)
    assert len(list(files_below(folder))) == 300
    assert len(looks) <= 300


def test_the_limit_of_files_counts_all_archives(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MOST_ENTRIES", 5)
    for name in ("one.zip", "two.zip"):
        (folder / name).write_bytes(packed({f"{number}.md": b"" for number in range(3)}))
    with pytest.raises(Unprocessable) as refused:
        archives_unpack(folder)
    assert refused.value.code == "too_many_files"


def test_unpacking_ends_at_its_deadline(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "UNPACKING_S", -1.0)
    (folder / "one.zip").write_bytes(packed({"a.md": b""}))
    with pytest.raises(Unprocessable) as refused:
        archives_unpack(folder)
    assert refused.value.code == "unpacking_too_slow"


@pytest.mark.parametrize("stops_at", ["unpack", "rename"])
def test_unpacking_that_was_interrupted_starts_again(
    stops_at: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "kept.md").write_bytes(MEMORY)
    (folder / "one.zip").write_bytes(packed({"a.md": b"Tea.", "b.md": b"Rome."}))
    calls = []

    def stopping(*args: Any) -> Any:
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return original(*args)

    owner, name = {"unpack": (archives, "_unpack_one"), "rename": (Path, "rename")}[stops_at]
    original = getattr(owner, name)
    with monkeypatch.context() as patched:
        patched.setattr(owner, name, stopping)
        with pytest.raises(KeyboardInterrupt):
            archives_unpack(folder)
    archives_unpack(folder)
    assert [file.relative_to(folder).as_posix() for file in files_below(folder)] == ["a.md", "b.md", "kept.md"]
    assert [one.name for one in folder.parent.iterdir()] == ["-"]


def test_a_full_disk_is_no_fault_of_the_archive(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archives, "_unpack_one", full)
    (folder / "one.zip").write_bytes(packed({"a.md": b""}))
    with pytest.raises(OSError, match="No space left"):
        archives_unpack(folder)
