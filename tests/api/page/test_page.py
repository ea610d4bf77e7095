"""The page's document: at all of its URLs, with a strict content policy, and a notice before the first build."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

INDEX = '<meta name="csp-nonce" content="__CSP_NONCE__" /><script src="/assets/main-1.js"></script>'
DIRECTIVES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


@pytest.fixture(autouse=True)
def built(tmp_path: Path, settings: Settings) -> Path:
    settings.PAGE_ROOT = tmp_path
    (tmp_path / "index.html").write_text(INDEX)
    return tmp_path


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/sign-in",
        "/sign-up",
        "/memory",
        "/c/01890a5d-ac96-774b-bcce-b302099a8057",
        "/settings/",
        "/join/x",
        "/pair",
        "/sessions/x",
    ],
)
def test_every_address_of_the_page_gives_its_document(path: str) -> None:
    answer = Client().get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    assert "/assets/main-1.js" in answer.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "/api",
        "/api/nothing",
        "/static/none",
        "/assets/none.js",
        "/assets/none",
        "/ws",
        "/icon.svg",
        "/c/x.php",
        "/healthz/",
    ],
)
def test_other_addresses_are_not_the_pages(path: str) -> None:
    answer = Client().get(path)
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


@pytest.mark.parametrize("path", ["/apiary", "/conversations", "/c"])
def test_the_page_says_itself_that_it_has_no_such_screen(path: str) -> None:
    answer = Client().get(path)
    assert answer.status_code == 404
    assert "/assets/main-1.js" in answer.content.decode()


def test_what_is_sent_to_an_unknown_address_is_told_so() -> None:
    strict = Client(enforce_csrf_checks=True)
    for path in ("/conversations", "/api/conversation", "/apiary"):
        answer = strict.post(path, {}, "application/json", headers={"Authorization": "Bearer ck_x"})
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert strict.post("/memory").status_code == 405


def test_the_policy_is_strict_and_its_nonce_is_in_the_document_and_never_the_same() -> None:
    nonces = set()
    for _ in range(2):
        answer = Client().get("/")
        told = dict(part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";"))
        nonce = re.fullmatch(r"'self' 'nonce-([\w-]{22})'", told.pop("style-src"))
        assert told == DIRECTIVES
        assert nonce and f'content="{nonce[1]}"' in answer.content.decode()
        nonces.add(nonce[1])
    assert len(nonces) == 2


def test_the_document_is_asked_for_again_and_brings_what_forms_need() -> None:
    answer = Client().get("/")
    assert answer["Cache-Control"] == "no-cache"
    assert answer.cookies["csrftoken"].value
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert {"camera=()", "microphone=()", "geolocation=()"} < set(answer["Permissions-Policy"].split(", "))
    assert answer["X-Request-Id"]


def test_asking_for_the_head_alone_works() -> None:
    answer = Client().head("/sign-in")
    assert answer.status_code == 200
    assert "nonce-" in answer["Content-Security-Policy"]


def test_a_page_can_only_be_read() -> None:
    answer = Client().post("/c/1")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
    assert answer.json()["code"] == "method_not_allowed"


def test_a_missing_build_of_the_page_is_reported_with_the_command(built: Path) -> None:
    (built / "index.html").unlink()
    answer = Client().get("/")
    assert answer.status_code == 503
    assert "make page" in answer.content.decode()
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
