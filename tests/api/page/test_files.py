"""The page's files: cached forever if hashed, compressed if accepted, and nothing outside the folder."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path

import pytest
from starlette.responses import Response

from apps.api.spa.static_files import PageFiles

SCRIPT = b"export const answer = 42;\n" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "dist" / "assets").mkdir(parents=True)
    for name in ("assets/main-Ab_1.js", "assets/font-1.woff2", "icon.svg", "index.html", "sources.mark"):
        (tmp_path / "dist" / name).write_bytes(SCRIPT)
    (tmp_path / "secret.txt").write_bytes(SCRIPT)
    return tmp_path / "dist"


def ask(folder: Path, path: str, method: str = "GET", accepts: str = "") -> Response | None:
    headers = [(b"host", b"localhost"), (b"accept-encoding", accepts.encode())]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    return asyncio.run(PageFiles(folder).answer(scope))


def found(folder: Path, path: str, accepts: str = "") -> Response:
    answer = ask(folder, path, accepts=accepts)
    assert answer is not None
    return answer


def test_a_hashed_file_is_cached_forever(folder: Path) -> None:
    answer = found(folder, "/assets/main-Ab_1.js")
    assert answer.body == SCRIPT
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "camera=()" in answer.headers["permissions-policy"]


def test_a_file_with_a_constant_name_is_revalidated(folder: Path) -> None:
    assert found(folder, "/icon.svg").headers["cache-control"] == "public, max-age=3600"


@pytest.mark.parametrize("accepts", ["gzip", "br;q=1.0, gzip;q=0.8", "gzip, deflate, br, zstd"])
def test_text_is_compressed_for_those_who_take_it(folder: Path, accepts: str) -> None:
    answer = found(folder, "/assets/main-Ab_1.js", accepts)
    assert gzip.decompress(bytes(answer.body)) == SCRIPT
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-length"] == str(len(answer.body))


@pytest.mark.parametrize("accepts", ["", "br", "gzip;q=0", "gzip; q=0.0, br"])
def test_text_is_plain_for_those_who_do_not(folder: Path, accepts: str) -> None:
    answer = found(folder, "/assets/main-Ab_1.js", accepts)
    assert answer.body == SCRIPT
    assert answer.headers["vary"] == "Accept-Encoding"
    assert "content-encoding" not in answer.headers


def test_a_font_is_compressed_already(folder: Path) -> None:
    answer = found(folder, "/assets/font-1.woff2", "gzip")
    assert answer.body == SCRIPT
    assert "content-encoding" not in answer.headers


def test_a_changed_file_is_read_again(folder: Path) -> None:
    found(folder, "/icon.svg", "gzip")
    (folder / "icon.svg").write_bytes(b"<svg/>")
    assert gzip.decompress(bytes(found(folder, "/icon.svg", "gzip").body)) == b"<svg/>"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/index.html",
        "/sources.mark",
        "/assets/",
        "/assets/none.js",
        "/assets/../icon.svg",
        "/assets/..",
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/secret.txt",
        "/assets/main-Ab_1.js/",
        "/assets/a\x00.js",
        "/assets/" + "a" * 300 + ".js",
    ],
)
def test_everything_else_is_left_to_others(folder: Path, path: str) -> None:
    assert ask(folder, path) is None


def test_nothing_is_written(folder: Path) -> None:
    assert ask(folder, "/assets/main-Ab_1.js", "POST") is None
    assert ask(folder, "/assets/main-Ab_1.js", "HEAD") is not None
