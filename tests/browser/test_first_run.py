"""The first run: a new user signs in and sees the sample conversation."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.pages import Opener, Troubles, check_accessible, sign_in
from tests.browser.people import Person

DRAWER = re.compile("Open the context drawer")


def newest_message(page: Page, index: int) -> None:
    expect(page.locator(f'[data-message-index="{index}"]')).to_be_in_viewport()


def test_the_demo_login_leads_to_the_finished_conversation(stranger: Opener, demo: Person) -> None:
    page = stranger(path="/")
    expect(page).to_have_url(re.compile("/sign-in$"))
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    check_accessible(page)
    sign_in(page, demo)
    expect(page.get_by_role("heading", name="Write as long as you like.")).to_be_visible()
    check_accessible(page)
    page.get_by_role("link", name="Open the sample").click()
    newest_message(page, 89)
    expect(page.get_by_role("button", name=DRAWER)).to_be_visible()
    check_accessible(page)


def test_an_account_sees_the_tour_once_on_whatever_device(stranger: Opener, demo: Person) -> None:
    demo.session.patch("/api/me", {"tour_done": False})
    page = stranger(path="/sign-in")
    sign_in(page, demo)
    page.get_by_role("link", name="Open the sample").click()
    newest_message(page, 89)
    step = page.get_by_role("dialog").get_by_text("How full the context is")
    expect(step).to_be_visible()
    check_accessible(page)
    while page.get_by_role("button", name="Next", exact=True).is_visible():
        page.get_by_role("button", name="Next", exact=True).press("Enter")
    page.get_by_role("button", name="Done", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Done", exact=True)).to_be_hidden()
    address = page.url
    other = stranger(path="/sign-in")
    sign_in(other, demo)
    other.goto(address)
    newest_message(other, 89)
    expect(other.get_by_text("How full the context is")).to_be_hidden()


def test_a_link_is_opened_after_signing_in(stranger: Opener, alice: Person) -> None:
    talk = alice.talk("Where we left off", ["Shall we go on tomorrow?", "Yes, with the second part."])
    page = stranger(path=talk.page)
    sign_in(page, alice)
    expect(page).to_have_url(re.compile(f"{talk.page}$"))
    newest_message(page, 1)


def test_conversations_of_others_are_not_found(
    page_of: Opener, alice: Person, charlie: Person, troubles: Troubles
) -> None:
    troubles.expect("status of 404 .*/api/conversations/")
    talk = alice.talk("Hers alone", ["Nobody else reads this."])
    page = page_of(charlie, path=talk.page)
    expect(page.get_by_text("Page not found")).to_be_visible()
    expect(page.get_by_text("Nobody else reads this.")).to_be_hidden()
