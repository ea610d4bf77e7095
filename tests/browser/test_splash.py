"""The splash: the product's name while scripts and styles are still loading."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.pages import Opener

FILES = re.compile(r"/assets/[^/]+\.(?:js|css)$")
FIRST_PAINT_MS = 1_000
MAX_BYTES = 1_024
SURFACES = {False: "rgb(252, 254, 253)", True: "rgb(22, 27, 24)"}
INLINE = re.compile(r"<style.*</style>|(?<=<div id=\"root\">).*?(?=</div>\s*<(?:link|/body))", re.DOTALL)


def hold_files(page: Page) -> list[Route]:
    held: list[Route] = []
    page.route(FILES, lambda route: held.append(route))  # noqa: PLW0108  # Playwright refuses built-in methods
    return held


def release_files(page: Page, held: list[Route]) -> None:
    page.route(FILES, lambda route: route.continue_())
    for route in held:
        route.continue_()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_name_is_shown_before_any_file_is_loaded(stranger: Opener, dark: bool) -> None:
    page = stranger(path="/sign-in", dark=dark)
    held = hold_files(page)
    page.goto("/sign-in", wait_until="commit")
    splash = page.locator(".splash")
    expect(splash).to_have_text("Continuity", use_inner_text=True, timeout=FIRST_PAINT_MS)
    expect(splash).to_be_in_viewport(timeout=FIRST_PAINT_MS)
    expect(splash).to_be_visible(timeout=FIRST_PAINT_MS)
    # Without the nonce, the content policy would refuse its style.
    expect(splash).to_have_css("background-color", SURFACES[dark])
    release_files(page, held)
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    expect(splash).to_have_count(0)


def test_the_splash_is_small(stranger: Opener) -> None:
    document = stranger(path="/sign-in").request.get("/sign-in").text()
    parts = INLINE.findall(document)
    assert len(parts) == 2
    assert sum(len(part.encode()) for part in parts) <= MAX_BYTES


def test_styles_of_panels_override_those_of_the_first_load(stranger: Opener) -> None:
    page = stranger(path="/sign-in")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    sheets = page.locator("link[rel=stylesheet]").evaluate_all("(links) => links.map((link) => link.href)")
    first_load = [number for number, address in enumerate(sheets) if "/assets/index-" in address]
    panels = [number for number, address in enumerate(sheets) if "/assets/auth-card-" in address]
    assert first_load and panels and max(first_load) < min(panels)
