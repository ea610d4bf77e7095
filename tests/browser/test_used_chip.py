"""Memories and messages that a reply used, below it and in the drawer: quote, source, and numbers under details."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import Opener, check_accessible, check_fits
from tests.browser.people import Person, sign_up
from tests.browser.screens import say
from tests.browser.thread import drawer, message, open_drawer
from tests.browser.whole import Whole

pytestmark = pytest.mark.same_tab

KEY = "The spare key lies under the blue flowerpot."
QUESTION = "Where does the spare key lie?"
HOUSE = "mem://user/events/house"
MEMORY = "Open the memory"


@pytest.fixture
def person(stack: Whole) -> Person:
    person = sign_up(stack.url, "Newcomer")
    for uri, content in ((HOUSE, KEY), ("mem://user/profile/home", "Lives in a house with a garden.")):
        person.client.post("/api/memories", {"uri": uri, "content": content})
    return person


def asked(page: Page) -> Page:
    """A new chat with one question and its finished reply."""
    say(page, QUESTION)
    expect(page).to_have_url(re.compile("/c/"))
    expect(message(page, 1)).to_have_attribute("aria-busy", "false")
    return page


def chip(page: Page) -> Locator:
    return message(page, 1).get_by_role("button", name="1 memory used", exact=True)


def opened(page: Page) -> Locator:
    """The list behind the chip."""
    chip(page).click()
    shown = page.get_by_role("dialog", name="Used for this reply")
    expect(shown.get_by_role("listitem")).to_have_count(1)
    return shown


def test_a_reply_shows_what_it_used_at_once_and_after_a_reload(page_of: Opener, person: Person) -> None:
    page = asked(page_of(person))
    for _ in range(2):
        shown = opened(page)
        expect(shown.get_by_text(f"“{KEY}”")).to_be_visible()
        numbers = shown.get_by_text(re.compile(r"^\d+% chance of being relevant · score \d+\.\d\d .*≈ \d+ tokens$"))
        expect(numbers).to_be_hidden()
        shown.get_by_text("Details").click()
        expect(numbers).to_be_visible()
        expect(shown.get_by_text(HOUSE)).to_be_visible()
        check_accessible(page)
        page.reload()
    opened(page).get_by_role("link", name=MEMORY).click()
    expect(page).to_have_url(re.compile("/memory/n/"))
    expect(page.get_by_text(KEY).first).to_be_visible()


def test_the_list_opens_and_closes_with_the_keyboard(page_of: Opener, person: Person) -> None:
    page = asked(page_of(person))
    chip(page).focus()
    page.keyboard.press("Enter")
    shown = page.get_by_role("dialog", name="Used for this reply")
    expect(shown.get_by_role("link", name=MEMORY)).to_be_visible()
    page.keyboard.press("Tab")
    expect(shown.get_by_role("link", name=MEMORY)).to_be_focused()
    page.keyboard.press("Escape")
    expect(shown).to_be_hidden()
    expect(chip(page)).to_be_focused()


def test_a_deleted_memory_is_only_counted(page_of: Opener, person: Person) -> None:
    page = asked(page_of(person))
    node = person.client.get(f"/api/memories?uri={HOUSE}")
    person.client.request("DELETE", f"/api/memories/{node['id']}")
    page.reload()
    chip(page).click()
    shown = page.get_by_role("dialog", name="Used for this reply")
    expect(shown.get_by_text(re.compile("^1 more is not shown"))).to_be_visible()
    expect(shown.get_by_text("flowerpot")).to_have_count(0)


def test_the_drawer_lists_what_was_retrieved_and_what_is_sent_about_the_person(page_of: Opener, person: Person) -> None:
    page = asked(page_of(person))
    open_drawer(page)
    drawer(page).get_by_role("button", name=re.compile("^Retrieved")).click()
    expect(drawer(page).get_by_text("Retrieved for the last reply")).to_be_visible()
    expect(drawer(page).get_by_text(f"“{KEY}”")).to_be_visible()
    check_accessible(page)
    page.keyboard.press("Escape")
    drawer(page).get_by_role("button", name=re.compile("^About you")).click()
    expect(drawer(page).get_by_text("Lives in a house with a garden.")).to_be_visible()
    check_accessible(page)


@pytest.mark.parametrize("look", ["dark", "light"])
def test_the_list_fits_a_phone_in_dark_and_light(page_of: Opener, person: Person, look: str) -> None:
    page = page_of(person, phone=True)
    page.emulate_media(color_scheme=look)  # type: ignore[arg-type]  # one of the two
    opened(asked(page))
    check_fits(page)
    check_accessible(page)
