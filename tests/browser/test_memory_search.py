"""The memory page's thorough search: what was understood, results with reasons, rounds, and abstention."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.memory_screens import TWO_QUESTIONS, UNRELATED, search_path, searcher
from tests.browser.pages import Opener, check_fits
from tests.browser.people import Person
from tests.browser.whole import Whole

pytestmark = pytest.mark.same_tab

ROUNDS = re.compile(r"^\d rounds?$")
UNDERSTOOD = ["about you When do we deploy", "how the team works how do we move large tables?"]


@pytest.fixture(scope="module")
def person(stack: Whole) -> Person:
    """A person whose memories can be compared by meaning."""
    return searcher(stack.url)


def sees_what_was_understood(page: Page) -> None:
    understood = page.get_by_role("region", name="Understood as")
    expect(understood.get_by_role("listitem")).to_have_text(UNDERSTOOD)
    expect(understood.get_by_text("Split by rules.")).to_be_visible()


def test_a_search_is_made_and_explained_by_keyboard(page_of: Opener, person: Person) -> None:
    page = page_of(person, path="/memory/find")
    page.get_by_role("radio", name="Quick").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Thorough")).to_be_checked()
    box = page.get_by_role("textbox", name="What are you looking for?")
    box.fill(TWO_QUESTIONS)
    box.press("Enter")
    sees_what_was_understood(page)
    expect(page.get_by_role("link", name="Backfill in keyed batches", exact=True)).to_be_visible()
    page.get_by_role("button", name="Why Deploy days").press("Enter")
    parts = page.get_by_role("table", name="Parts of the score")
    for name in ("Words and meaning 0.5 ×", "Current relevance 0.3 ×", "Company in its folder 0.2 ×", "Score"):
        expect(parts.get_by_role("row", name=name)).to_be_visible()
    page.get_by_text(ROUNDS).press("Enter")
    looked = page.get_by_role("listitem").filter(has_text="Looked into").first
    expect(looked).to_contain_text("mem://user/preferences")
    expect(page.get_by_text(re.compile("^Ended "))).to_be_visible()
    page.reload()
    sees_what_was_understood(page)


def test_a_search_abstains_and_shows_the_nearest_on_request(page_of: Opener, person: Person) -> None:
    page = page_of(person, path=search_path(UNRELATED))
    expect(page.get_by_text("Nothing relevant is known about this.")).to_be_visible()
    page.get_by_role("button", name="Show the nearest anyway").press("Enter")
    expect(page.get_by_role("radio", name="Quick")).to_be_checked()
    expect(page.get_by_role("region", name=re.compile("^\\d+ memories$")).get_by_role("link").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"/memory/find\?q=[^&]*$"))


def test_chit_chat_is_no_search(page_of: Opener, person: Person) -> None:
    page = page_of(person, path=search_path("thanks a lot!"))
    expect(page.get_by_text("This asks for nothing.")).to_be_visible()
    expect(page.get_by_role("button", name="Show the nearest anyway")).to_have_count(0)


def test_on_a_phone_a_search_fits_the_screen(page_of: Opener, person: Person) -> None:
    page = page_of(person, path="/memory/find", phone=True)
    page.get_by_role("radio", name="Thorough").tap()
    page.get_by_role("textbox", name="What are you looking for?").fill(TWO_QUESTIONS)
    page.get_by_role("button", name="Search", exact=True).tap()
    sees_what_was_understood(page)
    page.get_by_role("button", name="Why Deploy days").tap()
    page.get_by_text(ROUNDS).tap()
    expect(page.get_by_text("Looked into").first).to_be_visible()
    check_fits(page)
