"""The page and its files from a real server, answered in front of Django or by it."""

from __future__ import annotations

import gzip
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from tests.processes import Web, start_web
from tests.stack import TestServers


@pytest.fixture(scope="module")
def web(stack: TestServers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text('<script type="module" src="/assets/main-1.js"></script>')
    (folder / "assets" / "main-1.js").write_text("let answer = 42;\n" * 50)
    running = start_web(CONTINUITY_PAGE_ROOT=str(folder), CONTINUITY_STATIC_ROOT=str(made_static(folder)))
    yield running
    running.stop()


def made_static(folder: Path) -> Path:
    (folder / "static").mkdir()
    (folder / "static" / "console.css").write_text("p {}")
    return folder / "static"


def ask(web: Web, path: str, method: str = "GET", **headers: str) -> tuple[int, Message, bytes]:
    request = urllib.request.Request(web.url + path, headers=headers, method=method)  # noqa: S310 - our own address
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310 - our own address
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def test_the_document_comes_from_django_and_its_script_from_in_front_of_it(web: Web) -> None:
    status, headers, body = ask(web, "/c/anything")
    assert (status, headers["Cache-Control"]) == (200, "no-cache")
    assert b"/assets/main-1.js" in body and headers["X-Request-Id"]
    status, headers, body = ask(web, "/assets/main-1.js", **{"Accept-Encoding": "gzip"})
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    assert gzip.decompress(body).startswith(b"let answer")
    assert "X-Request-Id" not in headers


@pytest.mark.parametrize("path", ["/", "/assets/main-1.js", "/static/console.css"])
def test_the_head_alone_has_no_body(web: Web, path: str) -> None:
    status, headers, body = ask(web, path, "HEAD")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 0


@pytest.mark.parametrize(
    "path", ["/", "/admin/login/", "/healthz", "/nowhere", "/assets/main-1.js", "/static/console.css"]
)
def test_every_answer_denies_what_no_page_uses(web: Web, path: str) -> None:
    denied = ask(web, path)[1]["Permissions-Policy"].split(", ")
    assert {"camera=()", "microphone=()", "geolocation=()", "clipboard-read=()"} < set(denied)
    assert not [one for one in denied if one.startswith("clipboard-write")]


@pytest.mark.parametrize(
    "path", ["/assets/none.js", "/assets/", "/static/none.css", "/static/../manage.py", "/static/"]
)
def test_a_file_that_is_not_there_is_refused_as_every_unknown_address_is(web: Web, path: str) -> None:
    status, headers, _ = ask(web, path)
    assert (status, headers["Content-Type"]) == (404, "application/problem+json")
