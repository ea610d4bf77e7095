"""The first run: a new user signs in and sees the sample conversation."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.pages import Opener, Troubles, check_accessible, sign_in
from tests.browser.people import Person

CLOSE_DRAWER = re.compile("Close the Summary Drawer")


def newest_message(page: Page, index: int) -> None:
    expect(page.locator(f'[data-message-index="{index}"]')).to_be_in_viewport()


def asked_api(page: Page) -> list[str]:
    """The addresses of the API that the page has asked for since it was loaded."""
    asked = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    return [address for address in asked if "/api/" in address]


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
    expect(page.get_by_role("button", name=CLOSE_DRAWER).first).to_be_visible()
    check_accessible(page)


def test_the_sign_in_page_of_a_visitor_asks_for_no_session_and_logs_no_error(
    stranger: Opener, troubles: Troubles
) -> None:
    page = stranger(path="/sign-in")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    assert not asked_api(page)
    assert troubles.seen == []


def test_a_session_that_ended_is_refused_once(stranger: Opener, alice: Person, troubles: Troubles) -> None:
    troubles.expect("status of 401 .*/api/me$")
    page = stranger(path="/sign-in")
    sign_in(page, alice)
    address = page.url
    # Without the app no request is on its way that the ended session would refuse first.
    page.goto("about:blank")
    page.context.add_cookies([{"name": "sessionid", "value": "ended" * 6, "url": address}])
    with page.expect_console_message(lambda message: "status of 401" in message.text):
        page.goto("/sign-in")
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    assert not asked_api(page)
    assert len(troubles.seen) == 1


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
