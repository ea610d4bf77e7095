"""The web app on a phone: nothing is wider than the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import Opener, check_accessible, check_fits, settle
from tests.browser.people import Person
from tests.browser.screens import say
from tests.browser.thread import message, open_drawer, open_talk
from tests.providers.anthropic_server import ProviderServer
from tests.providers.behaviours import Behaviour

SAID = ["What do we pack?", "Boots, a map, and " + "averyveryverylongword" * 12 + "."]
WIDE = "Here it is:\n\n```python\n" + "print('as wide as a mountain') or " * 12 + "None\n```\n"
WIDEN = """
() => {
  const wide = document.createElement("p");
  Object.assign(wide.style, { minWidth: "467px", height: "1em" });
  document.querySelector("main").append(wide);
}
"""


@pytest.fixture
def page(page_of: Opener, alice: Person) -> Page:
    return open_talk(page_of, alice, alice.talk("The mountains", SAID), phone=True)


def test_what_is_cut_off_is_noticed(page: Page) -> None:
    check_fits(page)
    page.evaluate(WIDEN)
    with pytest.raises(AssertionError, match="467px"):
        check_fits(page)


def test_a_message_is_sent_and_answered_within_the_screen(page: Page, provider: ProviderServer) -> None:
    provider.script_replies(Behaviour(text=WIDE))
    check_fits(page)
    say(page, "And how do we print it?")
    expect(message(page, 3)).to_contain_text("as wide as a mountain")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    check_fits(page)


def test_the_list_covers_the_page(page: Page) -> None:
    chats = page.get_by_role("dialog", name="Chats")
    expect(chats).to_be_hidden()
    page.get_by_role("button", name="Open the list of chats").click()
    expect(chats.get_by_role("link", name="The mountains").first).to_be_visible()
    check_fits(page)
    check_accessible(page)
    page.keyboard.press("Escape")
    expect(chats).to_be_hidden()
    page.get_by_role("button", name="Open the list of chats").click()
    chats.get_by_role("link", name="New chat").click()
    expect(chats).to_be_hidden()
    expect(page.get_by_role("heading", name="New chat")).to_be_visible()


def test_the_drawer_opens_from_the_bottom(page: Page) -> None:
    open_drawer(page)
    sheet = page.get_by_role("dialog", name="Context")
    settle(page)
    half = sheet.bounding_box()
    screen = page.viewport_size
    assert half and screen
    assert half["width"] == screen["width"] and half["y"] > screen["height"] / 4
    check_fits(page)
    sheet.get_by_role("button", name="Show the whole drawer").click()
    expect(sheet.get_by_role("button", name="Show half of the drawer")).to_be_visible()
    settle(page)
    whole = sheet.bounding_box()
    assert whole and whole["y"] < half["y"]
    check_accessible(page)
    sheet.get_by_role("button", name="Close the Summary Drawer").click()
    expect(sheet).to_be_hidden()
    check_fits(page)
