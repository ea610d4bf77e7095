"""A new account, from the form to the first reply: a web server with samples and without a model serves this file."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import Opener, check_accessible
from tests.browser.people import PASSWORD
from tests.browser.whole import Whole

SAMPLE = "A booking service for eleven climbing gyms"


@pytest.fixture(scope="module")
def installation(stack: Whole) -> Iterator[str]:
    """The URL of that server."""
    with stack.first_run_server() as url:
        yield url


def sign_up(page: Page, email: str) -> None:
    """Sign up by the form."""
    page.get_by_label("Name").fill("Dora")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name="Write as long as you like.")).to_be_visible()


def has_drawer(page: Page, is_open: bool) -> None:
    """Check whether the drawer is open."""
    expect(page.locator("#health-pill")).to_have_attribute("aria-expanded", str(is_open).lower())


def next_step(page: Page) -> None:
    page.get_by_role("button", name="Next", exact=True).press("Enter")


def test_a_new_account_sees_the_sample_the_tour_and_an_introduction(installation: str, stranger: Opener) -> None:
    page = stranger(path="/sign-in", base_url=installation)
    page.get_by_role("link", name="Create one").click()
    sign_up(page, "dora-first@example.org")
    expect(page.get_by_text("Empty", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Add a key")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile(SAMPLE))).to_be_visible()
    check_accessible(page)
    page.get_by_role("link", name="Open the sample").click()
    tour = page.get_by_role("dialog")
    expect(tour.get_by_text("How full the context is")).to_be_visible()
    has_drawer(page, is_open=True)
    for title in ("What the model sees", "Every line has a source", "Compact, and undo", "Nothing is lost"):
        next_step(page)
        expect(tour.get_by_text(title)).to_be_visible()
    page.get_by_role("button", name="Done", exact=True).press("Enter")
    expect(tour).to_be_hidden()
    page.reload()
    expect(page.locator('[data-message-index="89"]')).to_be_in_viewport()
    has_drawer(page, is_open=False)
    expect(tour).to_be_hidden()
    page.get_by_role("link", name="New chat").click()
    page.get_by_role("button", name="What can you do?").click()
    expect(page.get_by_text("Hello! I'm Continuity.")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Add a key").click()
    expect(page.get_by_role("heading", name="Providers")).to_be_visible()


def test_on_a_phone_the_tour_of_a_new_account_does_not_cover_the_sample(installation: str, stranger: Opener) -> None:
    page = stranger(path="/sign-up", base_url=installation, phone=True)
    sign_up(page, "dora-phone@example.org")
    expect(page.get_by_text("Empty", exact=True)).to_be_visible()
    page.get_by_role("link", name="Open the sample").click()
    expect(page.get_by_role("dialog").get_by_text("How full the context is")).to_be_visible()
    has_drawer(page, is_open=False)


def test_closing_the_drawer_ends_the_tour_of_the_account(installation: str, stranger: Opener) -> None:
    page = stranger(path="/sign-up", base_url=installation)
    sign_up(page, "dora-closing@example.org")
    page.get_by_role("link", name="Open the sample").click()
    expect(page.get_by_role("dialog").get_by_text("How full the context is")).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "PATCH") as stored:
        page.keyboard.press("Control+j")
    assert stored.value.json()["user"]["tour_done"] is True
    expect(page.get_by_role("dialog")).to_be_hidden()
    has_drawer(page, is_open=False)
