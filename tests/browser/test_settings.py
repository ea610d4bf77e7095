"""Settings: an owner chooses models, keys and spending limits."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages import Opener, check_accessible, check_fits
from tests.browser.people import Person
from tests.browser.screens import say
from tests.browser.thread import message, notice, open_talk
from tests.providers.server import ProviderServer, key_of

pytestmark = pytest.mark.same_tab

# The one key that the provider does not accept, and one of those that it does.
WRONG, RIGHT = "wrong", "sk-our-own-key-1234"
SAID = ["When do we open on Sundays?", "At ten, as you told the guests."]


@pytest.fixture
def settings(page_of: Opener, newcomer: Person) -> Page:
    """The page of a workspace's owner."""
    page = page_of(newcomer)
    page.get_by_role("button", name="Account:").click()
    page.get_by_role("menuitem", name="Settings").click()
    expect(page.get_by_role("heading", name="Models in use")).to_be_visible()
    return page


def test_an_invalid_key_is_reported_and_a_valid_one_works(
    settings: Page, newcomer: Person, provider: ProviderServer
) -> None:
    settings.get_by_role("button", name="Add key for Anthropic").click()
    field = settings.get_by_label("Key for Anthropic", exact=True)
    expect(field).to_be_focused()
    field.fill(WRONG)
    settings.get_by_role("button", name="Test", exact=True).click()
    expect(settings.get_by_role("alert")).to_contain_text("The test failed; nothing was saved.")
    expect(settings.get_by_role("alert")).to_contain_text("unauthorized")
    check_accessible(settings)
    field.fill(RIGHT)
    field.press("Enter")
    expect(notice(settings, "Anthropic accepted the key. Key saved")).to_be_visible()
    expect(settings.get_by_text("Key ends in 1234")).to_be_visible()
    assert RIGHT not in settings.content()
    settings.goto(newcomer.talk("Opening hours", SAID).page)
    say(settings, "And on Mondays?")
    expect(message(settings, 3)).to_contain_text("answers with a few words")
    asked = [request for request in provider.requests if request.path == "/v1/messages"]
    assert key_of(asked[-1]) == RIGHT


def test_after_removing_a_key_the_installations_key_is_used(settings: Page) -> None:
    settings.get_by_role("button", name="Add key for Anthropic").click()
    settings.get_by_label("Key for Anthropic", exact=True).fill(RIGHT)
    settings.get_by_role("button", name="Test and save").click()
    settings.get_by_role("button", name="Remove key for Anthropic").click()
    expect(settings.get_by_role("button", name="Remove key", exact=True)).to_be_focused()
    settings.keyboard.press("Enter")
    expect(notice(settings, "The key for Anthropic was removed")).to_be_visible()
    expect(settings.get_by_text("with the key from the environment")).to_be_visible()
    expect(settings.get_by_text("Key ends in 1234")).to_be_hidden()


def test_an_exhausted_daily_budget_is_shown_at_the_composer(page_of: Opener, newcomer: Person) -> None:
    talk = newcomer.talk("Opening hours", SAID)
    page = page_of(newcomer, path="/settings/limits")
    page.get_by_role("textbox", name="Tokens per day").fill("1")
    page.get_by_role("button", name="Save limits").click()
    expect(notice(page, "Limits saved")).to_be_visible()
    page.goto(talk.page)
    expect(page.get_by_role("article").last).to_be_visible()
    say(page, "And on Mondays?")
    expect(message(page, 3)).to_contain_text("You've reached today's spending limit.")
    message(page, 3).get_by_role("link", name="View limits").click()
    page.get_by_role("textbox", name="Tokens per day").fill("")
    page.get_by_role("button", name="Save limits").click()
    expect(notice(page, "Limits saved")).to_be_visible()
    page.goto(talk.page)
    page.get_by_role("button", name="Try again").click()
    expect(message(page, 4)).to_contain_text("answers with a few words")


def test_members_see_the_models_and_cannot_change_them(page_of: Opener, bob: Person) -> None:
    page = page_of(bob, path="/settings/models", phone=True)
    expect(page.get_by_text("Only owners and admins of this workspace can choose")).to_be_visible()
    expect(page.get_by_role("button", name="Save choice")).to_be_hidden()
    check_fits(page)
    page.get_by_role("link", name="Usage").click()
    expect(page.get_by_text("You can't see usage")).to_be_visible()
    check_accessible(page)


def test_every_part_fits_a_phone(page_of: Opener, alice: Person) -> None:
    talk = alice.talk("Opening hours", SAID)
    page = open_talk(page_of, alice, talk, phone=True)
    say(page, "And on Mondays?")
    expect(message(page, 3)).to_contain_text("answers with a few words")
    for part, heading in {"models": "Providers", "limits": "Daily limits", "usage": "By model"}.items():
        page.goto(f"/settings/{part}")
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        check_fits(page)
