"""A newcomer's first sentences and a real mouse: what is remembered, corrected and forgotten, and a chat that knows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.inboxes import set_policy
from tests.browser.mouse import mouse_click
from tests.browser.pages import Opener
from tests.browser.people import Person, sign_up
from tests.browser.screens import say
from tests.browser.thread import message
from tests.browser.whole import Whole

pytestmark = pytest.mark.same_tab


@pytest.fixture
def person(stack: Whole) -> Person:
    """Somebody new, without a model."""
    person = sign_up(stack.url, "Newcomer")
    set_policy(person, model_calls_enabled=False)
    return person


def chip(page: Page, index: int, words: str) -> Locator:
    return message(page, index).get_by_role("button", name=words, exact=True)


def said(page: Page, index: int, text: str, words: str) -> Locator:
    """Say something; return the chip below it once it says so."""
    say(page, text)
    expect(chip(page, index, words)).to_be_visible()
    expect(message(page, index + 1)).to_have_attribute("aria-busy", "false")
    return chip(page, index, words)


def test_first_sentences_are_remembered_corrected_and_forgotten(page_of: Opener, person: Person) -> None:
    page = page_of(person)
    said(page, 0, "I live in Berlin.", "1 remembered")
    expect(page).to_have_url(re.compile("/c/"))
    said(page, 2, "My sister's name is Ada, she lives in Lisbon.", "2 remembered")
    said(page, 4, "I am allergic to peanuts.", "1 remembered")
    moved = said(page, 6, "I moved from Berlin to Porto, so I live in Porto now.", "1 remembered")
    said(page, 8, "Please forget what I said about the peanuts.", "1 forgotten")
    # The list of a message that others follow lies above them.
    moved.scroll_into_view_if_needed()
    mouse_click(moved)
    shown = page.get_by_role("dialog", name="Remembered from this message")
    expect(shown.get_by_text("Replaced:")).to_contain_text("Berlin")
    mouse_click(shown.get_by_role("button", name="Undo"))
    expect(chip(page, 6, "1 remembered")).to_be_hidden()


def test_what_is_forgotten_is_remembered_again_by_its_undo(page_of: Opener, person: Person) -> None:
    page = page_of(person)
    said(page, 0, "I am allergic to peanuts.", "1 remembered")
    forgotten = said(page, 2, "Please forget what I said about the peanuts.", "1 forgotten")
    mouse_click(forgotten)
    mouse_click(page.get_by_role("dialog").get_by_role("button", name="Undo"))
    expect(forgotten).to_be_hidden()
    mouse_click(page.get_by_role("link", name="New chat"))
    # What is typed before the new chat is there would be the old one's draft.
    expect(page.get_by_role("switch", name="Temporary chat")).to_be_visible()
    say(page, "Am I allergic to anything?")
    expect(message(page, 1)).to_contain_text("peanuts")


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_temporary_chat_can_be_chosen_where_it_is_seen(page_of: Opener, person: Person, *, phone: bool) -> None:
    page = page_of(person, phone=phone)
    choice = page.get_by_text("Temporary chat", exact=True)
    mouse_click(choice)
    expect(page.get_by_role("switch", name="Temporary chat")).to_be_checked()
