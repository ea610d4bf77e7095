"""Lazily loaded panels, whose code may be unavailable offline or after an update of the server."""

from __future__ import annotations

import re
from contextlib import nullcontext

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import Opener, Troubles
from tests.browser.people import Person
from tests.browser.thread import composer, drawer, notice, open_talk, pill

AWAY = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket"
SAID = ["When do we open on Sundays?", "At ten, as you told the guests."]


def test_panels_open_without_a_connection_too(page_of: Opener, alice: Person, troubles: Troubles) -> None:
    troubles.expect(AWAY)
    page = open_talk(page_of, alice, alice.talk("Opening hours", SAID))
    with page.expect_response(re.compile(r"/assets/keys-help-.*\.js$")):
        page.reload()
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    expect(page.get_by_text("No connection.").first).to_be_visible()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_visible()
    page.keyboard.press("Escape")
    pill(page).click()
    expect(drawer(page)).to_be_visible()


@pytest.mark.parametrize("ahead", [False, True], ids=["when_wanted", "ahead"])
def test_a_panel_that_fails_to_load_leaves_the_page_usable(
    page_of: Opener, alice: Person, troubles: Troubles, ahead: bool
) -> None:
    troubles.expect("ERR_FAILED|Failed to fetch|preload CSS|no style sheet")
    talk = alice.talk("Opening hours", SAID)
    page = open_talk(page_of, alice, talk)
    for ending in ("js", "css"):
        page.route(f"**/assets/summary-drawer-*.{ending}", lambda route: route.abort())
        with page.expect_event("requestfailed") if ahead else nullcontext():
            page.reload()
        composer(page).fill("Half a sentence")
        pill(page).click()
        expect(notice(page, "The Summary Drawer couldn't be loaded.")).to_be_visible()
        expect(composer(page)).to_have_value("Half a sentence")
        page.unroute(f"**/assets/summary-drawer-*.{ending}")
        page.get_by_role("button", name="Try again").click()
        expect(drawer(page).get_by_role("heading", name="Summary", exact=True)).to_be_visible()
        assert is_beside(page), f"without its style sheet, after its {ending} failed"
        pill(page).click()
        expect(drawer(page)).to_have_count(0)


def is_beside(page: Page) -> bool:
    """As its style sheet has it."""
    box = drawer(page).bounding_box()
    assert box is not None
    return box["x"] > 700 and 380 <= box["width"] <= 560
