"""Locators and actions of a conversation on the page, by accessible names."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import Opener
from tests.browser.people import Person, Talk


def open_talk(page_of: Opener, person: Person, talk: Talk, **seen: bool) -> Page:
    """Open the conversation and wait for its newest message."""
    page = page_of(person, path=talk.page, **seen)
    expect(page.get_by_role("article").last).to_be_visible()
    return page


def message(page: Page, index: int) -> Locator:
    return page.get_by_role("article", name=re.compile(rf"^Message {index + 1},"))


def press(page: Page, index: int, tool: str) -> None:
    """One of the buttons of a message."""
    message(page, index).hover()
    message(page, index).get_by_role("button", name=tool, exact=True).click()


def drawer(page: Page) -> Locator:
    """The drawer next to the thread, or over it on a small screen."""
    return page.get_by_role("complementary", name="Context").or_(page.get_by_role("dialog", name="Context"))


# What still loads moves the lines below it away from the mouse.
_UNTIL_AT_REST = """
async (element) => {
  for (let before = null, left = 40; left && before !== element.innerHTML; left--) {
    before = element.innerHTML;
    await new Promise((done) => setTimeout(done, 250));
  }
}
"""


def open_drawer(page: Page) -> None:
    """Open the drawer, and wait until everything in it has loaded."""
    pill(page).click()
    expect(drawer(page).get_by_role("heading", name="Summary", exact=True)).to_be_visible()
    drawer(page).evaluate(_UNTIL_AT_REST)


def summary_is(page: Page, version: int) -> None:
    """The drawer shows this version of the summary."""
    summary = drawer(page).get_by_role("region", name="Summary")
    expect(summary.get_by_text(f"v{version}", exact=True)).to_be_visible()


def compact(page: Page) -> None:
    drawer(page).get_by_role("button", name="Compact now").click()


def composer(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message", exact=True)


def pill(page: Page) -> Locator:
    """The word about the context, with its reason."""
    return header(page).get_by_role("button", name=re.compile("the Summary Drawer$")).first


def header(page: Page) -> Locator:
    """The conversation's; a search by role in the whole page computes the names of all messages' buttons."""
    return page.locator("header:has(#health-pill)")


def notice(page: Page, words: str) -> Locator:
    """The newest notice, until it disappears."""
    return page.get_by_role("region", name="Notifications").get_by_text(words)


def undo(page: Page) -> None:
    """Undo the action that the newest notice reports."""
    page.get_by_role("region", name="Notifications").get_by_role("button", name="Undo").last.click()
